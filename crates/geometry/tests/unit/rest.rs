//! Results in files, hulls, coordinates and the checker.

mod export {
    use memory_machine_geometry::export::*;
    use memory_machine_geometry::points::Point;
    use serde_json::Value;

    fn written(format: TriangleFormat) -> Vec<u8> {
        let points = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.5)].map(|(x, y)| Point { x, y });
        let properties = [("name".to_owned(), Value::from("A"))].into_iter().collect();
        let group = TriangleGroup { properties, triangles: vec![[0, 1, 2], [0, 2, 3]] };
        let set = TriangleSet { points: &points, groups: &[group], crs: Some("EPSG:3857") };
        let mut bytes = vec![];
        set.write(format, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn every_format_has_the_triangles() {
        let text = |format| String::from_utf8(written(format)).unwrap();
        assert_eq!(text(TriangleFormat::Csv), "a,b,c\n0,1,2\n0,2,3\n");
        assert!(text(TriangleFormat::Wkt).starts_with("POLYGON ((0 0, 2 0, 2 2, 0 0))\n"));
        assert!(text(TriangleFormat::Obj).ends_with("v 0 2.5 0\nf 1 2 3\nf 1 3 4\n"));
        assert!(text(TriangleFormat::Ply).ends_with("0 2.5 0\n3 0 1 2\n3 0 2 3\n"));
        assert!(text(TriangleFormat::Off).starts_with("OFF\n4 2 0\n0 0 0\n"));
        assert_eq!(text(TriangleFormat::Stl).matches("vertex").count(), 6);
        assert!(text(TriangleFormat::Poly).contains("\n5 0\n0 0 1\n1 0 2\n"));
        let json: Value = serde_json::from_str(&text(TriangleFormat::GeoJson)).unwrap();
        let first = &json["features"][0];
        assert_eq!(first["properties"]["name"], "A");
        assert_eq!(first["properties"]["area"], 2.0);
        assert_eq!(first["geometry"]["coordinates"][0][3], first["geometry"]["coordinates"][0][0]);
        assert_eq!(json["crs"]["properties"]["name"], "EPSG:3857");
        let npy = written(TriangleFormat::Npy);
        assert_eq!((npy.len() - 6 * 8) % 64, 0);
        assert_eq!(npy[npy.len() - 8..], 3_i64.to_le_bytes());
    }
}

mod hull {
    use memory_machine_geometry::hull::*;
    use memory_machine_geometry::points::Point;

    #[test]
    fn chains_leave_vertical_edges_out() {
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Point { x, y });
        let [lower, upper] = chains(&square).unwrap();
        assert_eq!(lower, [square[0], square[1]]);
        assert_eq!(upper, [square[3], square[2]]);
        assert!(chains(&square[..2]).is_none());
    }
}

mod points {
    use memory_machine_geometry::points::*;

    fn points(of: &[(f64, f64)]) -> Vec<Point> {
        of.iter().map(|&(x, y)| Point { x, y }).collect()
    }

    #[test]
    fn limits_are_those_of_the_exact_predicates() {
        assert_eq!((LEAST, MOST), (2_f64.powi(-142), 2_f64.powi(201)));
        assert_eq!(check(&points(&[(0.0, -LEAST), (-0.0, MOST)])), Ok(()));
        assert_eq!(check(&[]), Err(PointsFlaw::Empty));
        let [low, high] = [LEAST.next_down(), -MOST.next_up()];
        for value in [low, high] {
            let flaw = PointsFlaw::OutOfRange { point: 1, value };
            assert_eq!(check(&points(&[(0.0, 0.0), (1.0, value), (value, 1.0)])), Err(flaw));
        }
        for value in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let flaw = check(&points(&[(1.0, 1.0), (1.0, 1.0), (value, 0.0)]));
            assert!(matches!(flaw, Err(PointsFlaw::NotFinite { point: 2, .. })), "{flaw:?}");
        }
    }

    #[test]
    fn the_first_copy_stays() {
        let given = points(&[(1.0, 0.0), (0.0, 1.0), (1.0, -0.0), (0.0, 0.0), (-0.0, 1.0)]);
        let Distinct { points: kept, index } = distinct(&given);
        assert_eq!(index, [0, 1, 3]);
        assert_eq!(kept, points(&[(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)]));
        assert!(distinct(&[]).index.is_empty());
    }
}

mod verify {
    use memory_machine_geometry::greedy::fast;
    use memory_machine_geometry::hull::cpu;
    use memory_machine_geometry::points::Point;
    use memory_machine_geometry::points::random::{self, PointDistribution};
    use memory_machine_geometry::verify::*;

    #[test]
    fn right_results_pass_and_wrong_ones_have_a_witness() {
        let points = random::points(PointDistribution::Square, 300, 5);
        let lines = fast::triangulate(&points);
        let faces = edges(&points, &lines).unwrap();
        assert_eq!(triangles(&points, &faces).unwrap().len(), faces.len());
        assert!(matches!(delaunay(&points, &faces), Err(ResultFlaw::Circle { .. })));
        let delaunay_faces = fast::constrained_delaunay(&points, &[]).unwrap();
        let checked = triangles(&points, &delaunay_faces).unwrap();
        delaunay(&points, &checked).unwrap();
        assert!(triangles(&points, &faces[1..]).is_err());
        let twice = [&faces[..], &faces[..1]].concat();
        assert_eq!(triangles(&points, &twice), Err(ResultFlaw::Twice { triangle: faces[0] }));
        assert!(edges(&points, &lines[1..]).is_err());
        assert!(matches!(edges(&points, &[[0, 300]]), Err(ResultFlaw::NoPoint { row: 0, .. })));

        let vertices = cpu(&points, true);
        hull(&points, &vertices).unwrap();
        let mut turned = vertices.clone();
        turned.reverse();
        assert!(matches!(hull(&points, &turned), Err(ResultFlaw::Turn { .. })));
        for rank in 0..vertices.len() {
            let mut fewer = vertices.clone();
            let left_out = fewer.remove(rank);
            let flaw = hull(&points, &fewer).unwrap_err();
            assert!(matches!(flaw, ResultFlaw::Outside { .. }), "{flaw}, without {left_out}");
        }
        let twice = [vertices.clone(), vertices].concat();
        assert!(matches!(hull(&points, &twice), Err(ResultFlaw::Round { .. })));
    }

    #[test]
    fn points_on_a_line() {
        let points = [0.0, 2.0, 1.0].map(|x| Point { x, y: x });
        hull(&points, &[0, 1]).unwrap();
        assert_eq!(hull(&points, &[0, 2]), Err(ResultFlaw::Line { first: 0, last: 1 }));
        assert_eq!(edges(&points, &[[0, 2], [2, 1]]), Ok(vec![]));
        assert!(edges(&points, &[[0, 1], [2, 1]]).is_err());
    }
}
