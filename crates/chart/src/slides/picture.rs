//! A picture that a slide shows.

use crate::ChartError;

/// A picture inside another, as large as `room` allows, in its middle; and of a chart its source. The
/// slide has a title, so that a chart's own is left out, and writes the source larger.
pub(super) fn embedded(
    svg: &str,
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    name: &str,
) -> Result<(String, Option<String>), ChartError> {
    let parts = (|| {
        let (_, from) = svg.split_once("<svg")?;
        let (head, inside) = from.split_once('>')?;
        let (inside, _) = inside.rsplit_once("</svg>")?;
        Some((attribute(head, "viewBox")?, attribute(head, "font-family"), inside))
    })();
    let Some((view, fonts, inside)) = parts else {
        return Err(ChartError::Data(format!(
            "{name} is no SVG picture with a viewBox; give one that `umm` drew"
        )));
    };
    let fonts = fonts.map_or_else(String::new, |it| format!(" font-family=\"{it}\""));
    let chart = chart(inside);
    let (view, source) = match &chart {
        Some(chart) => (chart.view.as_str(), Some(chart.source.clone())),
        None => (&*around_texts(&view, inside), None),
    };
    let inside = chart.as_ref().map_or(inside, |it| &it.inside);
    // In the middle, and no larger than what is shown, so that nothing of the rest is seen beside it.
    let sides: Vec<f64> = view.split(' ').filter_map(|it| it.parse().ok()).collect();
    let [_, _, wide, high] = sides[..] else {
        return Err(ChartError::Data(format!("{name} has the viewBox `{view}`, not four numbers")));
    };
    let scale = (width / wide).min(height / high);
    let (x, y) = (x + (width - scale * wide) / 2.0, y + (height - scale * high) / 2.0);
    let (width, height) = (scale * wide, scale * high);
    let shown = format!(
        "<svg x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
         viewBox=\"{view}\"{fonts}>{inside}</svg>\n"
    );
    Ok((shown, source))
}

/// A view without what is empty above the first text and below the last.
fn around_texts(view: &str, inside: &str) -> String {
    let ends = |it: &str| {
        let number = |name| attribute(it, name)?.parse::<f64>().ok();
        let (middle, size) = (number("y")?, number("font-size")?);
        Some((middle - 0.8 * size, middle + 1.2 * size))
    };
    let texts = inside.lines().filter(|it| it.starts_with("<text ")).filter_map(ends);
    let outer = |(top, bottom): (f64, f64), it: (f64, f64)| (top.min(it.0), bottom.max(it.1));
    let (top, bottom) = texts.fold((f64::INFINITY, 0.0), outer);
    let numbers: Vec<f64> = view.split(' ').filter_map(|it| it.parse().ok()).collect();
    match numbers[..] {
        [x, y, width, height] if bottom > 0.0 => {
            let (top, bottom) = (top.max(y), bottom.min(y + height));
            format!("{x} {top:.1} {width} {:.1}", bottom - top)
        }
        _ => view.to_owned(),
    }
}

/// What lies between a chart's title and its source, and the source.
struct ChartFrame {
    view: String,
    /// Without the texts of the title and of the source: a view's edge alone would leave the lower
    /// ends of their letters.
    inside: String,
    source: String,
}

/// A chart repeats its `<title>` in its first texts, and ends with its source.
fn chart(inside: &str) -> Option<ChartFrame> {
    let text = |line: &str| Some(line.strip_suffix("</text>")?.rsplit_once('>')?.1.to_owned());
    let number = |line: &str, name: &str| attribute(line, name)?.parse::<f64>().ok();
    let title = inside.split_once("<title>")?.1.split_once("</title>")?.0;
    let page = inside.lines().find(|it| it.starts_with("<rect "))?;
    let texts: Vec<&str> = inside.lines().filter(|it| it.starts_with("<text ")).collect();
    let source = texts.last()?;
    let phrase = text(source).filter(|it| it.starts_with("data: "))?;
    let mut left = title;
    let titles = texts.iter().take_while(|it| {
        let line = text(it).unwrap_or_default();
        let after = left.strip_prefix(&line[..]).filter(|_| !line.is_empty());
        left = after.unwrap_or(left).trim_start();
        after.is_some()
    });
    let titles: Vec<&str> = titles.copied().collect();
    let last = titles.last()?;
    let top = number(last, "y")? + 0.5 * number(last, "font-size")?;
    let bottom = number(source, "y")? - 0.6 * number(source, "font-size")?;
    let width = number(page, "width")?;
    let kept = inside.lines().filter(|it| it != source && !titles.contains(it));
    let inside = kept.flat_map(|it| [it, "\n"]).collect();
    Some(ChartFrame {
        view: format!("0 {top:.1} {width:.1} {:.1}", bottom - top),
        inside,
        source: phrase,
    })
}

/// The value of an attribute in an element's text.
fn attribute(element: &str, name: &str) -> Option<String> {
    let value = element.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0;
    Some(value.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::{Scene, Theme, slides};

    #[test]
    fn a_chart_loses_title_and_source_to_the_slide() {
        let mut scene = Scene::new((1200, 675), Theme::Light);
        let title =
            "A finding that is as long as two lines of a picture are, and then some more of it";
        crate::curves::head(&mut scene, &title.repeat(2), "n = 4");
        scene.source("data: a.csv");
        let svg = scene.svg();
        let slides = slides("# D\n## S\n![w](a.svg)\n", |_| Ok(svg.clone())).unwrap();
        let inner =
            slides[0].split("<svg").nth(2).and_then(|it| it.split("</svg>").next()).unwrap();
        assert!(inner.contains("viewBox=\"0 83.5 1200.0 577.2\""), "{inner}");
        let in_texts = |what| inner.lines().any(|it| it.starts_with("<text ") && it.contains(what));
        assert!(!in_texts("finding") && !in_texts("more of it"), "{inner}");
        assert!(!inner.contains(">data: a.csv") && inner.contains(">n = 4</text>"), "{inner}");
        assert!(slides[0].contains("font-size=\"15\"") && slides[0].contains("Picture: w."));
    }
}
