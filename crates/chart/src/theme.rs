//! Colours of the page.

use std::ops::RangeInclusive;

use plotters::style::RGBColor;

use super::palette;

/// How large a chart is, in pixels, and what it is shown on. Letters keep their size, so those of a
/// small chart look large where it is enlarged, as on a slide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canvas {
    /// Across and down.
    pub size: (u32, u32),
    /// Light or dark.
    pub theme: Theme,
}

impl Canvas {
    /// Pixels of a side that leave room for a chart beside its words, and that fit a file.
    pub const SIDES: RangeInclusive<u32> = 400..=8000;
}

impl From<Theme> for Canvas {
    /// The usual size, of a slide's shape.
    fn from(theme: Theme) -> Self {
        Self { size: (1200, 675), theme }
    }
}

/// What the page is shown on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on white.
    Light,
    /// Light ink on a dark page.
    Dark,
}

impl Theme {
    pub(super) const fn page(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(255, 255, 255),
            Self::Dark => RGBColor(24, 26, 31),
        }
    }

    pub(super) const fn ink(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(25, 25, 28),
            Self::Dark => RGBColor(236, 236, 232),
        }
    }

    /// Captions and axes.
    pub(super) const fn muted(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(92, 94, 100),
            Self::Dark => RGBColor(168, 170, 176),
        }
    }

    pub(super) const fn grid(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(226, 227, 230),
            Self::Dark => RGBColor(56, 59, 66),
        }
    }

    /// The inside of a polygon.
    pub(super) const fn inside(self) -> RGBColor {
        match self {
            Self::Light => RGBColor(240, 246, 250),
            Self::Dark => RGBColor(36, 42, 51),
        }
    }

    /// The colour of the series of this index: of Okabe and Ito's palette, those that stand out
    /// from the page first.
    pub(super) const fn series(self, index: usize) -> RGBColor {
        let colours = match self {
            Self::Light => [
                palette::BLUE,
                palette::VERMILLION,
                palette::GREEN,
                palette::PURPLE,
                palette::ORANGE,
                palette::SKY_BLUE,
                palette::BLACK,
            ],
            Self::Dark => [
                palette::SKY_BLUE,
                palette::ORANGE,
                palette::GREEN,
                palette::PURPLE,
                palette::YELLOW,
                palette::VERMILLION,
                RGBColor(236, 236, 232),
            ],
        };
        colours[index % COLOURS]
    }

    /// Black or white, whichever is read more easily on `colour`: their contrast is 4.5 at least, on
    /// any.
    pub(super) fn on(colour: RGBColor) -> RGBColor {
        // Relative luminance, as the Web Content Accessibility Guidelines define it.
        let part = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let luminance = 0.2126 * part(colour.0) + 0.7152 * part(colour.1) + 0.0722 * part(colour.2);
        let (on_black, on_white) = ((luminance + 0.05) / 0.05, 1.05 / (luminance + 0.05));
        if on_black > on_white { palette::BLACK } else { RGBColor(255, 255, 255) }
    }

    /// `colour` as a tint of the page: `part` of it, from 0 to 1.
    pub(super) fn tint(self, colour: RGBColor, part: f64) -> RGBColor {
        let page = self.page();
        let mix = |a: u8, b: u8| (f64::from(a) * part + f64::from(b) * (1.0 - part)).round() as u8;
        RGBColor(mix(colour.0, page.0), mix(colour.1, page.1), mix(colour.2, page.2))
    }
}

/// Colours of series that differ.
pub(super) const COLOURS: usize = 7;
