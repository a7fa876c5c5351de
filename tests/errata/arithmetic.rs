//! Figures that the papers derive from other figures that they print.

/// Whether `value` may be the printed, rounded quotient of two printed, rounded figures.
fn is_quotient(value: f64, (a, half_a): (f64, f64), (b, half_b): (f64, f64)) -> bool {
    let (least, most) = ((a - half_a) / (b + half_b), (a + half_a) / (b - half_b));
    (least - 0.005..=most + 0.005).contains(&value)
}

/// Ito and Nakano, Table 3: n, time on the CPU, on the GPU, and the speed-up.
#[test]
fn two_speed_ups_of_table_3_do_not_follow_from_its_times() {
    const HALF: f64 = 0.005;
    let rows = [
        (128, 4.42, 0.56, 7.42),
        (256, 34.92, 1.50, 23.33),
        (512, 279.42, 5.04, 55.49),
        (1024, 2397.80, 22.00, 108.19),
        (2048, 20206.62, 111.28, 181.58),
        (4096, 211.61, 0.73, 289.24),
        (8192, 1939.02, 5.57, 348.02),
    ];
    let wrong: Vec<i32> = rows
        .into_iter()
        .filter(|&(_, cpu, gpu, speed_up)| !is_quotient(speed_up, (cpu, HALF), (gpu, HALF)))
        .map(|(n, ..)| n)
        .collect();
    assert_eq!(wrong, [128, 1024]);
}

/// Tani et al., Section V: the slopes follow from the times at p = 8M and 4M = 2²³ and 2²².
#[test]
fn slopes_follow_from_the_times_at_the_largest_p() {
    let nanoseconds = |seconds: f64, p: f64| seconds * 1e9 / p;
    let printed = |value: f64, slope: f64| (value - slope).abs() < 0.06;
    assert!(printed(nanoseconds(67.9e-3 - 37e-6, f64::from(1 << 23)), 8.09));
    assert!(!printed(nanoseconds(67.9e-3 - 37e-6, f64::from(1 << 22)), 8.09), "not p = 4M");
    assert!(printed(nanoseconds(213e-3, f64::from(1 << 22)), 50.8));
    // 8M inputs of 32 words are as many words as 256K of 1K and 8K of 32K.
    assert_eq!([23 + 5, 18 + 10, 13 + 15], [28; 3]);
}

#[test]
fn a_grid_has_67_million_threads() {
    assert_eq!(65_535 * 1024, 67_107_840);
}

/// Nakano, Case 3 of Section V: n < w < n² (w and n powers of two, so that everything divides).
#[test]
fn rows_of_one_address_group_in_case_3() {
    for log_n in 1..8_u32 {
        for log_w in log_n + 1..2 * log_n {
            let (n, w) = (1_u64 << log_n, 1_u64 << log_w);
            assert_ne!(n % w, 0, "n < w is no multiple of w");
            let s = n * n / w;
            let groups = |rows: u64| (0..rows).map(|row| row * n / w).max().unwrap_or(0) + 1;
            assert_eq!(groups(n), s);
            assert_eq!(groups(w / n), 1, "w/n rows are in one group …");
            assert_eq!(groups(w / n + 1), 2, "… and no more");
        }
    }
}

/// Theorem 1's proof: neighbours at most 1 apart span at most w words, so at most two groups.
#[test]
fn a_group_of_requests_without_gap_takes_two_address_groups_at_most() {
    for w in 1..40_u64 {
        for start in 0..w {
            let last = start + w - 1;
            let groups = last / w - start / w + 1;
            assert!(groups <= 2);
        }
    }
}
