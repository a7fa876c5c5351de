//! Files whose bytes are changed.

use crate::layer::read;

/// Every file of this size whose bytes are changed gives a layer or an error.
#[test]
fn mutated_files_do_no_harm() {
    damage([
        ("p.csv", b"x;y\n4,5;0\n-1;2,5\n\"a\";7\n"),
        ("p.json", br#"{"type":"Topology","arcs":[[[0,0],[8,0]]],"objects":{"a":{"type":"Polygon","arcs":[[0,-1]]}}}"#),
        ("p.geojson", br#"{"type":"MultiPolygon","coordinates":[[[[0,0],[4,0],[4,4],[0,0]]]]}"#),
        ("p.wkt", b"SRID=4326;MULTIPOLYGON Z (((0 0 1, 4 0 1, 4 4 1, 0 0 1)))"),
        ("p.ply", b"ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n12345678"),
        ("p.obj", b"v 1 2 3\nv 3 4 5\nv 0 0 0\nf 1 2 3\n"),
        ("p.poly", b"3 2 0 0\n1 4 0\n2 -1 2.5\n3 0.5 7\n3 0\n1 1 2\n2 2 3\n3 3 1\n0\n"),
        ("p.npy", b"\x93NUMPY\x01\0\x40\0{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }    \n12345678"),
        ("p.wkb", b"\x01\x03\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ], 12_000);
}

/// Reads files with changed bytes, some hundreds of each; in CI a quarter of so many, or all where all are asked
/// for.
pub(crate) fn damage<const N: usize>(seeds: [(&str, &[u8]); N], most: usize) {
    let rounds = match std::env::var("UMM_THOROUGH").as_deref() {
        Ok("all") => most,
        Ok(_) => most / 4,
        Err(_) => 300,
    };
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for (name, seed) in seeds {
        for _ in 0..rounds {
            let mut bytes = seed.to_vec();
            for _ in 0..=random(4) {
                if bytes.is_empty() {
                    break;
                }
                let at = random(bytes.len());
                match random(5) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes.insert(at, random(256) as u8),
                    2 => bytes[at] = b"0123456789-.,()[]{}\"\n "[random(22)],
                    3 => bytes.truncate(at + 1),
                    _ => bytes[at] = random(256) as u8,
                }
            }
            if let Ok(layer) = read(name, &bytes) {
                let _ = layer.polygons();
                assert!(layer.vertices().count() < 1000, "{name}");
            }
        }
    }
}
