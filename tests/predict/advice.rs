//! `umm predict --advise`.

use crate::support::{exits, json, root, succeeds};

/// Whatever is best is one of the choices, and no other takes less; each is what `umm predict` says of it.
#[test]
fn the_best_choice_takes_least() {
    let words = "predict sum_hmm --set n=65536 --model h200 --listing";
    let advice = json(root(), &format!("{words} --advise --json"));
    let choices = advice["choices"].as_array().unwrap();
    let sizes: Vec<_> = choices.iter().filter_map(|it| it["set"]["q"].as_i64()).collect();
    for size in [32, 64, 128, 256, 512, 1024] {
        assert!(sizes.contains(&size), "{sizes:?}");
    }
    let time = |it: &serde_json::Value| it["time_s"].as_f64();
    let least = choices.iter().filter_map(time).fold(f64::INFINITY, f64::min);
    assert_eq!(time(&advice["best"]), Some(least));
    let of = |it: &serde_json::Value| {
        let (q, launch) = (&it["set"]["q"], it["launch"].as_str().unwrap());
        json(root(), &format!("{words} --set q={q} --launch {launch} --json"))
    };
    for it in [&choices[0], &advice["best"]] {
        assert_eq!(time(it), of(it)["prediction"]["time_s"].as_f64(), "{it}");
    }
}

#[test]
fn bulk_runs_are_advised_how_far_to_read_ahead() {
    let words =
        "predict prefix_sums --set n=64 --bulk column -p 4096 --model h200 --listing --advise";
    let advice = json(root(), &format!("{words} --json"));
    let ahead: Vec<_> =
        advice["choices"].as_array().unwrap().iter().map(|it| it["prefetch"].as_u64()).collect();
    assert_eq!(ahead, [1, 4, 16, 64].map(Some));
    assert!(succeeds(root(), words).contains("best: "));
}

/// A curve for each kind of launch; where nothing but launches differs there is nothing to draw.
#[test]
fn choices_are_drawn_over_the_size_of_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let words = "--model h200 --listing --advise --draw blocks.svg";
    succeeds(folder.path(), &format!("predict sum_hmm --set n=65536 {words}"));
    let chart = std::fs::read_to_string(folder.path().join("blocks.svg")).unwrap();
    for word in ["sum_hmm: seconds predicted on h200", ">plain<", ">graph<", ">512<"] {
        assert!(chart.contains(word), "{word}");
    }
    let refused = exits(folder.path(), &format!("predict sum --set n=64 {words}"), 2);
    assert!(refused.contains("only kinds of launches differ"), "{refused}");
}
