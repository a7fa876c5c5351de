//! Lines of text that keep apart.

/// Pixels.
const LINE_HEIGHT: f64 = 21.0;

/// `wanted` heights, increasing, moved so that lines of text do not overlap.
pub(super) fn spread(wanted: &[f64], (top, bottom): (f64, f64)) -> Vec<f64> {
    let height = LINE_HEIGHT.min((bottom - top) / wanted.len().max(1) as f64);
    // Blocks of touching lines; each is centred about what its lines want.
    let mut blocks: Vec<(f64, usize)> = vec![];
    for &at in wanted {
        let mut block = (at, 1);
        while let Some(&(above, lines)) = blocks.last() {
            let distance = height * (lines + block.1) as f64 / 2.0;
            if block.0 - above >= distance {
                break;
            }
            blocks.pop();
            let all = lines + block.1;
            // Means of wanted places, so that order does not matter.
            block = ((above * lines as f64 + block.0 * block.1 as f64) / all as f64, all);
        }
        blocks.push(block);
    }
    let mut places = vec![];
    for (centre, lines) in blocks {
        let first = centre - height * (lines - 1) as f64 / 2.0;
        places.extend((0..lines).map(|line| first + height * line as f64));
    }
    let over = places.last().map_or(0.0, |last| (last - bottom).max(0.0));
    // Many names about the top may rise above it by a line or so, as far as there is room.
    let kept = places.iter().zip(0..).map(|(it, line)| {
        let least = top + height * (f64::from(line) - 1.5);
        (it - over).max(least)
    });
    kept.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_apart() {
        assert_eq!(spread(&[10.0, 100.0], (0.0, 500.0)), [10.0, 100.0]);
        let places = spread(&[100.0, 101.0, 102.0, 490.0, 499.0], (0.0, 500.0));
        assert!(places.windows(2).all(|it| it[1] - it[0] >= 20.9), "{places:?}");
        assert!(places[4] <= 500.0);
        let crowded = spread(&[10.0; 9], (0.0, 500.0));
        assert!(crowded[0] >= -31.5 && crowded.windows(2).all(|it| it[1] - it[0] >= 20.9));
    }
}
