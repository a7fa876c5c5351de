//! Extents of grids and blocks.

/// x, y and z.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape(pub [u32; 3]);

impl std::str::FromStr for Shape {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "write one to three positive numbers, as in 64x2".to_owned();
        let parts: Vec<u32> = text
            .split('x')
            .map(|it| it.parse::<u32>().ok().filter(|it| *it > 0))
            .collect::<Option<_>>()
            .ok_or_else(wrong)?;
        match parts[..] {
            [x] => Ok(Self([x, 1, 1])),
            [x, y] => Ok(Self([x, y, 1])),
            [x, y, z] => Ok(Self([x, y, z])),
            _ => Err(wrong()),
        }
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            [x, 1, 1] => write!(f, "{x}"),
            [x, y, 1] => write!(f, "{x}x{y}"),
            [x, y, z] => write!(f, "{x}x{y}x{z}"),
        }
    }
}
