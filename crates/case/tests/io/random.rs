//! Random listings with affine loops.

/// A generator of small numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.roll(all.len())]
    }
}

/// A listing of one or two nests over arrays of n + 3 by n + 3.
pub fn listing(seed: u64) -> String {
    let mut dice = Dice((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for _ in 0..5 {
        dice.roll(2);
    }
    let mut text = "algorithm random(n)\n".to_owned();
    for (role, name) in [("input", "a"), ("input", "b"), ("inout", "c"), ("output", "d")] {
        text += &format!("{role} {name}[n+3, n+3] : f64\n");
    }
    text.push('\n');
    // What is an output is undefined at first.
    text += "for i ← 0 to n+2 do\n  for j ← 0 to n+2 do\n    d[i, j] ← 0\n";
    let start = text.len();
    for _ in 0..=dice.roll(2) {
        nest(&mut dice, &mut text);
    }
    // The smallest ones shall be small enough to be searched.
    if seed.is_multiple_of(2) && !text[start..].contains("d[") {
        text = text.replace("for i ← 0 to n+2 do\n  for j ← 0 to n+2 do\n    d[i, j] ← 0\n", "");
        text = text.replace("output d[n+3, n+3] : f64\n", "");
    }
    text
}

fn nest(dice: &mut Dice, text: &mut String) {
    let depth = 2 + dice.roll(2);
    let loops = ["i", "j", "k"];
    let mut known: Vec<&str> = vec![];
    for at in 0..depth {
        let from = if at > 0 && dice.roll(3) == 0 { known[dice.roll(at)] } else { "1" };
        let to =
            if at > 0 && from == "1" && dice.roll(4) == 0 { known[dice.roll(at)] } else { "n" };
        let indent = "  ".repeat(at);
        let (head, plus) = (format!("{indent}for {} ←", loops[at]), dice.roll(3) == 0);
        *text += &if plus && to == "n" {
            format!("{head} {to} downto {from} do\n")
        } else {
            format!("{head} {from} to {to} do\n")
        };
        known.push(loops[at]);
    }
    let indent = "  ".repeat(depth);
    for _ in 0..=dice.roll(2) {
        let target = cell(dice, dice_array(dice, &["c", "d"]), &known);
        let mut terms = vec![];
        if dice.roll(4) > 0 {
            terms.push(target.clone());
        }
        for _ in 0..=dice.roll(3) {
            terms.push(cell(dice, dice_array(dice, &["a", "b", "c", "a", "b"]), &known));
        }
        *text += &format!("{indent}{target} ← {}\n", terms.join(dice.of(&[" + ", " × "])));
    }
}

/// The borrow ends before the cell is rolled.
fn dice_array<'a>(dice: &Dice, all: &[&'a str]) -> &'a str {
    let mut copy = Dice(dice.0.rotate_left(17) | 1);
    copy.of(all)
}

fn cell(dice: &mut Dice, array: &str, known: &[&str]) -> String {
    let mut index = || {
        let name = dice.of(known);
        match dice.roll(6) {
            0 => format!("{name}-1"),
            1 => format!("{name}+1"),
            2 if known.len() > 2 => "1".to_owned(),
            _ => name.to_owned(),
        }
    };
    let (first, second) = (index(), index());
    format!("{array}[{first}, {second}]")
}
