//! One picture for light and dark pages: its colours are variables of the page's style.

use plotters::style::RGBColor;

use super::scene::Scene;
use super::svg;
use super::theme::Theme;

/// The colours of a page's pictures, each as it is on a light page and on a dark one.
#[derive(Debug, Default)]
pub struct Inks(Vec<(RGBColor, RGBColor)>);

impl Inks {
    /// The picture that `draw` makes for either theme, as SVG text in which a colour is a variable:
    /// the themes differ in nothing else. The page's style fills neither `polyline` nor `polygon` that
    /// do not say how.
    pub fn svg(&mut self, draw: impl Fn(Theme) -> Scene) -> String {
        let (light, dark) = (draw(Theme::Light), draw(Theme::Dark));
        debug_assert_eq!(light.shapes.len(), dark.shapes.len());
        let page = self.variable((Theme::Light.page(), Theme::Dark.page()));
        let svg = svg::picture(&light, &page, |index, shape| {
            let dark = dark.shapes.get(index).unwrap_or(shape);
            self.variable((shape.colour(), dark.colour()))
        });
        // A tenth of a page: what is so anyway, and what its style says once for all lines.
        svg.replace(" text-anchor=\"start\"", "").replace(" fill=\"none\"", "")
    }

    fn variable(&mut self, pair: (RGBColor, RGBColor)) -> String {
        let found = self.0.iter().position(|it| *it == pair);
        let index = found.unwrap_or_else(|| {
            self.0.push(pair);
            self.0.len() - 1
        });
        format!("var(--c{index})")
    }

    /// What the variables are in a theme: `--c0:#FFFFFF;…`, for a rule of CSS.
    pub fn variables(&self, theme: Theme) -> String {
        let colour = |(light, dark): &(RGBColor, RGBColor)| match theme {
            Theme::Light => svg::hex(*light),
            Theme::Dark => svg::hex(*dark),
        };
        let define = |(index, pair)| format!("--c{index}:{};", colour(pair));
        self.0.iter().enumerate().map(define).collect()
    }
}
