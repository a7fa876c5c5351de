//! Sections of the page, and the figures that they show.

use std::collections::{BTreeMap, BTreeSet};

use super::prose::prose;
use super::table::Table;
use crate::measurement::{Chart, Figure, MeasurementSource, figures};
use crate::{Inks, Theme};

/// The sections' ids, in the order of the page; those that the folder fills are there.
pub(super) const SECTIONS: [&str; 11] = [
    "machine",
    "method",
    "microbenchmarks",
    "bulk",
    "algorithms",
    "opt",
    "greedy",
    "hull",
    "fidelity",
    "left-out",
    "times",
];

/// What stands under one heading. Texts are HTML.
#[derive(Default)]
pub(super) struct Section {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) texts: Vec<String>,
    pub(super) items: Vec<String>,
    pub(super) tables: Vec<Table>,
    pub(super) parts: Vec<FigureGroup>,
    /// Behind their captions, until they are opened.
    pub(super) folded: Vec<Table>,
}

impl Section {
    /// Whether it has more than words of introduction.
    pub(super) const fn shows(&self) -> bool {
        !(self.items.is_empty()
            && self.tables.is_empty()
            && self.parts.is_empty()
            && self.folded.is_empty())
    }
}

/// Figures of one kind.
pub(super) struct FigureGroup {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) pictures: Vec<Picture>,
    pub(super) folded: bool,
}

pub(super) struct Picture {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) legend: String,
    /// One for each of the figure's panels.
    pub(super) panels: Vec<String>,
    pub(super) small: bool,
}

/// Draws what a section shows.
pub(super) struct Pictures<'a> {
    pub(super) measured: MeasurementSource<'a>,
    pub(super) inks: Inks,
    pub(super) ids: BTreeSet<String>,
}

impl<'a> Pictures<'a> {
    pub(super) fn of(measured: MeasurementSource<'a>) -> Self {
        Self { measured, inks: Inks::default(), ids: BTreeSet::new() }
    }

    pub(super) fn part(&mut self, title: &str, chart: Chart) -> FigureGroup {
        let figures = figures(chart, self.measured);
        self.part_of(title, &figures)
    }

    pub(super) fn part_of<'f>(
        &mut self,
        title: &str,
        figures: impl IntoIterator<Item = &'f Figure>,
    ) -> FigureGroup {
        let id = self.id(title);
        let pictures = figures.into_iter().map(|it| self.picture(it)).collect();
        FigureGroup { id, title: title.to_owned(), pictures, folded: false }
    }

    /// The charts of each algorithm, behind its name.
    pub(super) fn each_algorithm(&mut self) -> Vec<FigureGroup> {
        let figures = figures(Chart::Time, self.measured);
        let mut of: BTreeMap<&str, Vec<&Figure>> = BTreeMap::new();
        for figure in &figures {
            let name = figure.of.split(' ').next().unwrap_or_default();
            of.entry(name).or_default().push(figure);
        }
        let part = |(name, figures): (&str, Vec<&Figure>)| {
            let title = format!("Charts of {name}");
            FigureGroup { folded: true, ..self.part_of(&title, figures) }
        };
        of.into_iter().map(part).collect()
    }

    fn picture(&mut self, figure: &Figure) -> Picture {
        let panels = 0..figure.panels(Theme::Light).len();
        let draw = |index| self.inks.svg(|theme| figure.panels(theme).swap_remove(index));
        let panels = panels.map(draw).collect();
        Picture {
            id: self.id(&figure.title),
            title: figure.title.clone(),
            text: prose(&figure.text),
            legend: prose(&figure.legend().join(" · ")),
            panels,
            small: figure.is_grid(),
        }
    }

    /// A name for links that no other element has.
    fn id(&mut self, title: &str) -> String {
        let words = title.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
        let id = words.collect::<Vec<_>>().join("-").to_lowercase();
        let more = (2..).map(|count| format!("{id}-{count}"));
        let free = [id.clone()]
            .into_iter()
            .chain(more)
            .find(|it| !SECTIONS.contains(&it.as_str()) && !self.ids.contains(it));
        let id = free.unwrap_or(id);
        self.ids.insert(id.clone());
        id
    }
}
