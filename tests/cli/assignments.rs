//! Assignments: what is wrong with one is no student's fault, and what its questions accept.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::grade::course;
use crate::support::{fails, folder, page, succeeds, umm};

#[test]
fn an_assignment_that_makes_no_sense_is_refused() {
    let folder = course();
    let text = page("docs/course/assignment/column_maxima.toml");
    for (from, to, why) in [
        ("title", "titel", "unknown field `titel`"),
        ("column_maxima.alg", "nosuch.alg", "nosuch.alg"),
        ("\"20M\"", "\"many\"", "no whole number"),
        ("seconds = 20", "seconds = -1", "above 0"),
        ("n^2/w + n^2*l/p + n*l", "n^", "claim"),
        ("n^2/w + n^2*l/p + n*l", "n*z", "has no `z`"),
        ("race_free", "fast", "unknown variant"),
        ("seeds = 2", "seeds = 0", "from 1 on"),
        ("seeds = 2", "seeds = 1000000", "10000 are the most"),
        ("draw = 5", "draw = -5", "from 1 on"),
        ("forbidden", "tolerance = inf\nforbidden", "a number from 0 on"),
        ("forbidden", "tolerance = nan\nforbidden", "a number from 0 on"),
        ("forbidden", "tolerance = -1e-6\nforbidden", "a number from 0 on"),
        ("seeds = 2", "at_most = { time_units = \"-5\" }", "from 1 on"),
        ("seeds = 2", "at_most = { time_units = \"10000,1\" }", "one number"),
        ("seeds = 2", "on.p = \"1..4\"", "`on.p` has several values"),
        ("seeds = 2", "on.w = 0", "`on.w`"),
        ("seeds = 2", "set.z = 3", "`set.z`: `column_maxima` has no parameter `z`; it has n"),
        ("set.n = 4", "set.n = -3", "the test cannot be run at n = -3"),
        ("set.n = \"1..130\"\ndraw = 5", "set = {}", "the test cannot be run"),
        ("data.csv", "nosuch.csv", "nosuch.csv"),
        ("\"reference\",", "\"\",", "words and signs"),
        ("\"reference\",", "\"☃\",", "words and signs"),
        ("points = 1", "points = 4294967295", "add up to more"),
    ] {
        fs::write(folder.path().join("bad.toml"), text.replacen(from, to, 1)).unwrap();
        let message = fails(folder.path(), "grade bad.toml column_maxima.alg");
        assert!(message.contains(why), "{from} → {to}: {message}");
        assert!(why.contains(".alg") || message.contains("bad.toml:"), "{from} → {to}: {message}");
    }
    let questions = page("docs/course/assignment/questions.toml");
    for (from, to, why) in [
        ("set.n", "set.z = 3\nset.n", "`set.z`: `sum` has no parameter `z`"),
        ("64, 128, 256, 512", "-3", "the question: "),
        ("name = \"bound\"", "name = \"time\"", "two questions"),
        ("asks = \"tight_bound\"", "asks = \"tight_bound\"\nwithin = \"n\"", "leave it out"),
        ("asks = \"tight_bound\"", "asks = \"upper_bound\"\nwithin = \"z\"", "`within`: "),
    ] {
        fs::write(folder.path().join("bad.toml"), questions.replacen(from, to, 1)).unwrap();
        fs::write(folder.path().join("ada.txt"), "time = 1\n").unwrap();
        let message = fails(folder.path(), "grade bad.toml ada.txt");
        assert!(message.contains("bad.toml:") && message.contains(why), "{to}: {message}");
    }
    let visible = text.replace("points = 1\nset.n = \"", "points = 1\nvisible = true\nset.n = \"");
    let visible =
        visible.replace("race_free\"\npoints = 1\nvisible = true", "race_free\"\npoints = 1");
    fs::write(folder.path().join("bad.toml"), visible).unwrap();
    assert!(fails(folder.path(), "grade bad.toml column_maxima.alg").contains("hidden"));
}

#[test]
fn an_upper_bound_may_have_to_be_within_another() {
    let question = "title = \"t\"\n[[question]]\nname = \"q\"\ntext = \"?\"\npoints = 1\nlisting = \"sum\"\n\
                    asks = \"upper_bound\"\nwithin = \"n/w + n*l/p + l*log2(n)\"\n";
    for (answer, points, why) in [
        ("O(n/w + n*l/p + l*log2(n))", 1, ""),
        ("Θ(n/w + n*l/p + l*log2(n))", 1, ""),
        ("O(n/w + n*l/p + l*log2(n) + l)", 1, ""),
        ("O(n^9*l^9)", 0, "a smaller bound does, too"),
        ("O(n*l)", 0, "a smaller bound does, too"),
        ("O(n/w)", 0, "refuted"),
    ] {
        let folder = folder(&[("q.toml", question), ("ada.txt", &format!("q = {answer}\n"))]);
        let told = umm(folder.path(), "grade q.toml ada.txt").stdout;
        let told = String::from_utf8(told).unwrap();
        assert!(told.starts_with(&format!("ada.txt: {points} of 1")), "{answer}: {told}");
        assert!(told.contains(why), "{answer}: {told}");
    }
}

/// Each variant of a number is the answer of the student of that number, and XML reads what was written.
#[test]
fn questions_are_a_bank_of_moodle() {
    let folder = course();
    let questions = page("docs/course/assignment/questions.toml");
    let odd = questions
        .replace("Times of sums", "a/b <&> \\u0007")
        .replace("time units", "\\\"<i>\\\" & units");
    fs::write(folder.path().join("odd.toml"), odd).unwrap();
    let bank = succeeds(folder.path(), "grade odd.toml --format moodle --variants 4");
    let bank = roxmltree::Document::parse(&bank).unwrap();
    let text = |node: roxmltree::Node<'_, '_>, path: &[&str]| {
        let found = path
            .iter()
            .try_fold(node, |node, name| node.children().find(|it| it.has_tag_name(*name)));
        found.and_then(|it| it.text()).unwrap_or_default().to_owned()
    };
    let of = |kind: &str| -> Vec<roxmltree::Node<'_, '_>> {
        { bank.root_element().children() }.filter(|it| it.attribute("type") == Some(kind)).collect()
    };
    let categories = of("category").into_iter().map(|it| text(it, &["category", "text"]));
    let categories: Vec<String> = categories.collect();
    assert_eq!(
        categories,
        ["$course$/top/a//b <&> \u{fffd}/time", "$course$/top/a//b <&> \u{fffd}/bound"]
    );
    assert_eq!(of("essay").len(), 1);
    let numbers = of("numerical");
    assert!((2..=4).contains(&numbers.len()));
    assert!(text(numbers[0], &["questiontext", "text"]).contains("\"<i>\" & units"));
    let answer = format!("time = {}\n", text(numbers[0], &["answer", "text"]));
    fs::write(folder.path().join("one.txt"), answer).unwrap();
    let told = umm(folder.path(), "grade odd.toml one.txt --student 1").stdout;
    assert!(String::from_utf8(told).unwrap().contains("  1/1  time\n"));
    for (line, why) in [
        ("grade odd.toml one.txt --format moodle", "leave submissions out"),
        ("grade column_maxima.toml --format moodle", "--format coderunner"),
    ] {
        assert!(fails(folder.path(), line).contains(why), "{line}");
    }
}

/// As CodeRunner fills it in and runs it.
#[test]
fn a_template_of_code_runner_marks() {
    let folder = course();
    let template = succeeds(folder.path(), "grade column_maxima.toml --format coderunner");
    let program = env!("CARGO_BIN_EXE_umm");
    let bin = std::path::Path::new(program).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    for (listing, student, fraction) in [("column_maxima", "ada", 1.0), ("late", "it's \"x\"", 0.6)]
    {
        let listing = page(&format!("docs/course/assignment/{listing}.alg"));
        let python =
            |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let script = template
            .replace("{{ STUDENT_ANSWER | e('py') }}", &python(&listing))
            .replace("{{ STUDENT.username | e('py') }}", &python(student));
        let command = Command::new("python3")
            .args(["-c", &script])
            .current_dir(folder.path())
            .env("PATH", format!("{}:{path}", bin.display()))
            .output();
        let Ok(output) = command else {
            eprintln!("SKIPPED: there is no python3");
            return;
        };
        let result: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        assert_eq!(result["fraction"], fraction, "{result:#}");
        assert_eq!(result["testresults"].as_array().unwrap().len(), 7, "{result:#}");
    }
}
