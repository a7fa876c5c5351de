use memory_machine::diagnostic::Source;
use memory_machine::measure::repetitions;
use memory_machine::models::Model;
use memory_machine::predict::calibrate;

use super::machine::{device, machine, microbenchmarks};

#[test]
fn known_constants_come_back() {
    let model = calibrate("synthetic", &device(), &repetitions(microbenchmarks())).unwrap();
    let (found, known) = (model.calibration.unwrap(), machine());
    for ((name, found), (_, known)) in found.all().into_iter().zip(known.all()) {
        // The plain machine has no launches and no levels: its time unit is a compromise.
        if name != "time_unit_s" {
            let off = (found.value / known.value - 1.0).abs();
            assert!(off < 1e-3, "{name}: {} for {}", found.value, known.value);
        }
        assert!(!found.source.is_empty(), "{name}");
    }
}

#[test]
fn a_calibrated_model_reads_back() {
    let model = calibrate("synthetic", &device(), &repetitions(microbenchmarks())).unwrap();
    let text = model.text();
    let source = Source { name: "synthetic.toml".to_owned(), text: text.clone() };
    let again = Model::parse(source).unwrap();
    assert_eq!(again.text(), text);
    assert_eq!(again.machine(), model.machine());
}

#[test]
fn what_was_not_measured_is_named() {
    for missing in
        ["launch", "touch", "blocks", "barriers", "chase", "add", "shared", "read", "write", "copy"]
    {
        let mut rows = microbenchmarks();
        rows.retain(|it| it.name != missing);
        let error = calibrate("synthetic", &device(), &repetitions(rows)).unwrap_err().to_string();
        assert!(error.contains(&format!("`{missing}`")), "{error}");
        assert!(error.contains("umm gpu measure microbenchmarks"), "{error}");
    }
}
