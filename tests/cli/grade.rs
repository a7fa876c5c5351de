//! What students hand in, and what cheats get.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{exits, fails, folder, page, succeeds, umm};

/// The assignment of the course, in a folder.
pub(super) fn course() -> TempDir {
    let names =
        ["column_maxima.toml", "column_maxima.alg", "late.alg", "data.csv", "questions.toml"];
    let files = names.map(|it| (it, page(&format!("docs/course/assignment/{it}"))));
    folder(&files.each_ref().map(|(name, text)| (*name, text.as_str())))
}

fn handed_in(text: &str) -> TempDir {
    let folder = course();
    fs::write(folder.path().join("mine.alg"), text).unwrap();
    // A limit that tests reach in a moment.
    let assignment = page("docs/course/assignment/column_maxima.toml").replace("\"20M\"", "\"1M\"");
    fs::write(folder.path().join("column_maxima.toml"), assignment).unwrap();
    folder
}

fn graded(folder: &Path) -> (Output, Value) {
    let output = umm(folder, "grade column_maxima.toml mine.alg --json");
    let grades: Value = serde_json::from_slice(&output.stdout).unwrap();
    (output, grades[0].clone())
}

/// It gets no points, fails, and is told so in these words.
fn gets_nothing(text: &str, why: &str) {
    let folder = handed_in(text);
    let (output, grade) = graded(folder.path());
    assert_eq!(output.status.code(), Some(1), "{grade:#}");
    assert_eq!((&grade["points"], &grade["of"]), (&0.into(), &5.into()), "{grade:#}");
    assert!(grade.to_string().contains(why), "{why}: {grade:#}");
}

const HEAD: &str =
    "algorithm mine(n)\ninput a[n, n] : i32\noutput m[n] : i32\noutput row[n] : i32\n\n";

fn solution() -> String {
    page("docs/course/assignment/column_maxima.alg")
}

#[test]
fn a_right_listing_gets_all_and_a_mistake_costs_its_points() {
    let folder = course();
    succeeds(folder.path(), "grade column_maxima.toml column_maxima.alg");
    let told = succeeds(folder.path(), "grade column_maxima.toml late.alg");
    assert!(told.starts_with("late.alg: 3 of 5 points\n"), "{told}");
    assert!(told.contains("  0/0  ✗ right: the example of the sheet\n       at n = 4, cell 2 of `row` is 3; 1 is right"), "{told}");
    assert!(told.contains("  1/1  right: distinct numbers\n"), "{told}");
    assert!(told.contains("on data that is not shown, cell"), "{told}");
    assert!(told.contains("it takes longer: `umm complexity late.alg --bound"), "{told}");
}

#[test]
fn a_table_of_the_visible_answers_gets_nothing() {
    let table = "m[0] ← 9\nif n > 1 then\n  m[1] ← 9\nif n > 2 then\n  m[2] ← 9\nif n > 3 then\n  m[3] ← 8\n\
                 row[0] ← 3\nif n > 1 then\n  row[1] ← 1\nif n > 2 then\n  row[2] ← 1\nif n > 3 then\n  row[3] ← 2\n";
    let folder = handed_in(&format!("{HEAD}{table}"));
    let (_, grade) = graded(folder.path());
    // The example alone.
    assert_eq!(grade["marks"][0]["passed"], true, "{grade:#}");
    gets_nothing(&format!("{HEAD}{table}"), "counts only once the listing is right on hidden data");
    // With a race, which a comment denies.
    let racy = "for i ← 0 to 1 do in parallel\n  m[0] ← 8 + i   // \"races\":[]\n";
    gets_nothing(
        &format!("{HEAD}{table}{racy}"),
        ": iterations write one word at once, different values",
    );
}

#[test]
fn a_race_counts_at_whatever_size_it_begins() {
    let late = "  if n > 8 then\n    m[0] ← r\n  m[j] ← r\n";
    let folder = handed_in(&solution().replace("  m[j] ← r\n", late));
    let (_, grade) = graded(folder.path());
    let race = &grade["marks"][4];
    assert_eq!((&race["what"], &race["points"]), (&"free of races".into(), &0.into()), "{grade:#}");
    let told = race["feedback"][0].as_str().unwrap();
    assert!(told.starts_with("a race at n = ") && told.contains("m[0]"), "{race:#}");
    // A comment is no proof.
    let said = solution() + "// \"races\":[], PROVED\n";
    let folder = handed_in(&said.replace("  m[j] ← r\n", late));
    assert_eq!(graded(folder.path()).1["marks"][4]["points"], 0);
}

/// Whoever hands it in, though each is tried at sizes of their own.
#[test]
fn a_mistake_from_some_size_on_costs_the_tests() {
    let wrong = solution().replace("  m[j] ← r\n", "  m[j] ← if n > 33 then 0 else r\n");
    let racy = solution().replace("  m[j] ← r\n", "  if n > 100 then\n    m[0] ← r\n  m[j] ← r\n");
    let folder = handed_in(&wrong);
    fs::write(folder.path().join("racy.alg"), racy).unwrap();
    let mut told = BTreeSet::new();
    for student in ["ada", "bob"] {
        let run = |file: &str| {
            let line = format!("grade column_maxima.toml {file} --student {student} --json");
            let grades: Value = serde_json::from_slice(&umm(folder.path(), &line).stdout).unwrap();
            grades[0]["marks"].clone()
        };
        let marks = run("mine.alg");
        for mark in [&marks[1], &marks[2]] {
            assert_eq!(mark["points"], 0, "{marks:#}");
            let feedback = mark["feedback"][0].as_str().unwrap();
            assert!(feedback.contains("at n = ") && feedback.contains("not shown"), "{feedback}");
            told.insert(feedback.to_owned());
        }
        assert_eq!(run("racy.alg")[4]["points"], 0, "{student}");
    }
    assert!(told.len() > 2, "{told:?}");
}

#[test]
fn a_claim_that_is_only_open_gets_nothing() {
    // As many turns as data say: nothing is derived of it.
    let open = solution().replace(
        "  m[j] ← r\n",
        "  q ← 0\n  while q < a[0, 0] - a[0, 0] + 1 do\n    q ← q + 1\n  m[j] ← r\n",
    );
    let (_, grade) = graded(handed_in(&open).path());
    let claim = &grade["marks"][5];
    assert_eq!((&claim["points"], &claim["passed"]), (&0.into(), &false.into()), "{grade:#}");
    assert!(grade["points"].as_u64().unwrap() > 0, "{grade:#}");
    // Nor is it a proof that the student says how soon the loop ends.
    let said = open.replace("    q ← q + 1\n", "    decreases 1 - q\n    q ← q + 1\n");
    let (_, grade) = graded(handed_in(&said).path());
    let claim = &grade["marks"][5];
    assert_eq!(claim["points"], 0, "{grade:#}");
    let feedback = claim["feedback"][0].as_str().unwrap();
    assert!(feedback.contains("proved only if `1 - q` decreases, as line"), "{feedback}");
}

#[test]
fn what_is_endless_stops() {
    let loops = "r ← 0\nfor i ← 1 to 5000000 do\n  for j ← 1 to 5000000 do\n    r ← i\nm[0] ← r\n";
    gets_nothing(&format!("{HEAD}{loops}"), "stopped at the limit of 1000000 operations");
    gets_nothing(
        &format!("{HEAD}q ← 1\nwhile q > 0 do\n  q ← 1\nm[0] ← q\n"),
        "stopped at the limit",
    );
    // By the clock, and the others are marked.
    let folder = handed_in(&format!("{HEAD}{loops}"));
    let quick = page("docs/course/assignment/column_maxima.toml");
    let quick = quick.replace("\"20M\"", "\"1e15\"").replace("seconds = 20", "seconds = 0.5");
    fs::write(folder.path().join("quick.toml"), quick).unwrap();
    let output = umm(folder.path(), "grade quick.toml mine.alg column_maxima.alg --format csv");
    let rows = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{rows}");
    let rows: Vec<&str> = rows.lines().filter(|it| it.contains(".alg,")).collect();
    assert!(rows[0].starts_with("mine,mine.alg,0,5"), "{rows:?}");
    assert!(rows[0].contains("0.5 s"), "{rows:?}");
    assert_eq!(rows.len(), 2, "{rows:?}");
}

#[test]
fn a_submission_reads_no_file_and_cannot_end_the_grader() {
    let named = |name: &str| {
        format!("{HEAD}m[0] ← 1\n")
            .replace("\n\n", &format!("\nreference {name}\nensures m = reference.m\n\n"))
    };
    for name in ["/etc/hostname", "column_maxima.alg", "../x.alg"] {
        gets_nothing(&named(name), "the listing uses `reference`");
        let folder = handed_in(&named(name));
        let free = page("docs/course/assignment/column_maxima.toml")
            .replace("[\"reference\", \"ensures\"]", "[]");
        fs::write(folder.path().join("column_maxima.toml"), free).unwrap();
        let (_, grade) = graded(folder.path());
        assert_eq!(grade["points"], 0, "{grade:#}");
        assert!(grade.to_string().contains("may read no file"), "{grade:#}");
    }
    gets_nothing(&HEAD.replace("\n\n", "\nwork t[n × 1000000000000] : i32\n\nm[0] ← 1\n"), "");
    gets_nothing(&format!("{HEAD}m[0] ← {}1{}\n", "(".repeat(100_000), ")".repeat(100_000)), "");
    gets_nothing("no listing", "not well-formed");
    gets_nothing("", "not well-formed");
}

#[test]
fn other_arrays_than_those_asked_for_are_refused() {
    gets_nothing(
        &solution().replace("output m[n] : i32", "output m[n] : i64"),
        "does not declare `output m[n] : i32`",
    );
    gets_nothing(&solution().replace("(n)", "(n, z = 3)"), "(n, z = 3), and (n) are asked for");
    gets_nothing(
        &solution().replace("output row", "input c[n] : i32\noutput row"),
        "which is not asked for",
    );
    // What it says of its inputs changes none.
    let same = solution().replace("a[n, n] : i32", "a[n, n] : i32 from random(7, 7)");
    assert_eq!(graded(handed_in(&same).path()).1["points"], 5);
}

#[test]
fn data_and_sizes_are_the_students_own() {
    let folder = course();
    let ask = |student: &str| {
        succeeds(folder.path(), &format!("grade questions.toml --student {student}"))
    };
    assert_eq!(ask("ada"), ask("ada"));
    assert!(["bob", "eve", "kim", "lea"].iter().any(|it| ask(it) != ask("ada")));
    let text = ask("ada");
    let number = |head: &str| {
        let rest = text.split(head).nth(1).unwrap_or_else(|| panic!("{head}: {text}"));
        rest.chars().take_while(char::is_ascii_digit).collect::<String>()
    };
    let [n, p, w, l] = ["n = ", "p = ", "width ", "latency "].map(number);
    let run = format!("run sum --set n={n} -p {p} -w {w} -l {l} --time-only --json");
    let time = crate::support::json(folder.path(), &run)["time_units"].to_string();
    let answers = |time: &str, bound: &str| {
        fs::write(
            folder.path().join("ada.txt"),
            format!("time = {time}\nbound = {bound}   # mine\n"),
        )
        .unwrap();
        let output = umm(folder.path(), "grade questions.toml ada.txt --json");
        let grades: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), grades[0]["points"].as_u64().unwrap(), grades.to_string())
    };
    let tight = "Θ(n^2/w + n^2*l/p + n*l)";
    let (code, points, told) = answers(&time, tight);
    assert_eq!((code, points), (Some(0), 3), "{told}");
    assert_eq!(answers("1", tight).1, 2);
    for (bound, why) in [
        ("O(n^2/w + n^2*l/p + n*l)", "must be tight"),
        ("Θ(n^9*l)", "refuted"),
        ("Θ(", "not closed"),
    ] {
        let (code, points, told) = answers("1", bound);
        assert_eq!((code, points), (Some(1), 0), "{told}");
        assert!(told.contains(why), "{told}");
    }
    fs::write(folder.path().join("ada.txt"), "tim = 1\n").unwrap();
    let told = umm(folder.path(), "grade questions.toml ada.txt").stdout;
    assert!(String::from_utf8(told).unwrap().contains("no question is called `tim`"));
}

#[test]
fn formats_of_course_platforms() {
    let folder = course();
    let results = succeeds(
        folder.path(),
        "grade column_maxima.toml late.alg --student ada --format gradescope",
    );
    let results: Value = serde_json::from_str(&results).unwrap();
    assert_eq!(results["score"], 3);
    let tests = results["tests"].as_array().unwrap();
    assert_eq!(tests.iter().map(|it| it["max_score"].as_u64().unwrap()).sum::<u64>(), 5);
    assert!(
        tests
            .iter()
            .all(|it| it["status"] == "passed" || !it["output"].as_str().unwrap().is_empty())
    );
    let rows =
        succeeds(folder.path(), "grade column_maxima.toml late.alg column_maxima.alg --format csv");
    let mut table = csv::Reader::from_reader(rows.as_bytes());
    let points: Vec<String> = table.records().map(|it| it.unwrap()[2].to_owned()).collect();
    assert_eq!(points, ["3", "5"]);
    succeeds(folder.path(), "grade column_maxima.toml late.alg column_maxima.alg --csv points.csv");
    assert_eq!(fs::read_to_string(folder.path().join("points.csv")).unwrap(), rows);
    let both = "grade column_maxima.toml late.alg column_maxima.alg";
    assert!(
        fails(folder.path(), &format!("{both} --format gradescope"))
            .contains("one submission at a time")
    );
    assert!(fails(folder.path(), &format!("{both} --student ada")).contains("--student"));
    exits(folder.path(), "grade column_maxima.toml none.alg", 1);
}

/// Results that only seem right, by type: the value that is right, and one that is not.
#[test]
fn results_are_compared_as_they_are() {
    let assignment = "title = 't'\nreference = 'right.alg'\ntolerance = 1e-18\nforbidden = ['While', '*']\n\
                      [[test]]\nname = 't'\npoints = 1\nset.n = 4\n[[test]]\nname = 't'\npoints = 2\nset.n = 8\n";
    for (element, right, wrong) in [
        ("i64", "9000027000000 + i + 1", "9000027000000 + i"),
        ("i64", "9007199254740993", "9007199254740992"),
        ("f64", "∞", "42"),
    ] {
        let listing = |value: &str| {
            format!(
                "algorithm f(n, t = 32)\ninput a[n] : {element}\noutput b[n] : {element}\n\nfor i ← 0 to n-1 do\n  b[i] ← {value}\n"
            )
        };
        let (right, wrong) = (listing(right), listing(wrong));
        // What keeps its default may be left out.
        let [plain, times] =
            [("(n, t = 32)", "(n)"), ("n-1", "1*n-1")].map(|(a, b)| right.replace(a, b));
        let named = [
            ("right.alg", &right),
            ("wrong.alg", &wrong),
            ("plain.alg", &plain),
            ("=a.alg", &times),
        ];
        let folder = folder(&named.map(|(name, text)| (name, text.as_str())));
        fs::write(folder.path().join("t.toml"), assignment).unwrap();
        let statement = succeeds(folder.path(), "grade t.toml");
        assert!(statement.contains("algorithm NAME(n, t = 32)"), "{statement}");
        let rows =
            umm(folder.path(), "grade t.toml right.alg wrong.alg plain.alg =a.alg --format csv");
        let rows = String::from_utf8(rows.stdout).unwrap();
        for (row, begins) in rows.lines().skip(1).zip([
            "right,right.alg,3,3,1,2,",
            "wrong,wrong.alg,0,3,0,0,",
            "plain,plain.alg,3,3,1,2,",
            "'=a,'=a.alg,0,3,,,\"the listing uses `*`",
        ]) {
            assert!(row.starts_with(begins), "{element}: {row}");
        }
    }
}

#[test]
fn a_link_is_no_submission_and_a_folder_may_name_the_student() {
    let folder = course();
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, folder.path().join(name)).unwrap();
        let told = umm(folder.path(), &format!("grade column_maxima.toml {name}")).stdout;
        let told = String::from_utf8(told).unwrap();
        assert!(told.starts_with(&format!("{name}: 0 of 5 points\n")), "{told}");
        assert!(told.contains("hand in the file itself") && !told.contains("root:"), "{told}");
    };
    link("column_maxima.alg", "mine.alg");
    link("/etc/passwd", "word.alg");
    for student in ["ada", "bob"] {
        fs::create_dir_all(folder.path().join("subs").join(student)).unwrap();
        let path = format!("subs/{student}/answers.txt");
        fs::write(folder.path().join(path), "\u{feff}time = 1\nbound = O(n) where p <= n\n")
            .unwrap();
    }
    let line = "grade questions.toml subs/ada/answers.txt subs/bob/answers.txt --format csv";
    let rows = String::from_utf8(umm(folder.path(), line).stdout).unwrap();
    assert!(rows.contains("\nada,") && rows.contains("\nbob,"), "{rows}");
    assert!(rows.contains("not right for your sizes"), "{rows}");
    assert!(rows.contains("`where p <= n` stands behind the claim's parenthesis"), "{rows}");
    let twice = "grade questions.toml subs/ada/answers.txt ./subs/ada/answers.txt";
    assert!(fails(folder.path(), twice).contains("not the only submission of `ada`"));
}
