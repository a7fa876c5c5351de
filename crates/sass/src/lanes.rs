//! The same for each thread of a warp: plain loops, of which compilers make vector instructions, as
//! they do not of `array::from_fn` and `map`.

/// A register of the threads of a warp.
pub(super) type Lanes = [u32; 32];
/// Two of them.
pub(super) type WideLanes = [u64; 32];

/// What an expression of its lane is for each thread. No function: of expressions in place vectors are made
/// everywhere, of closures not.
macro_rules! each {
    (|$lane:pat_param| $value:expr) => {{
        let mut all = [Default::default(); 32];
        for (at, it) in all.iter_mut().enumerate() {
            let $lane = at;
            *it = $value;
        }
        all
    }};
}
pub(super) use each;

/// Values of the threads of a warp.
pub(super) trait MapLanes<S> {
    /// What `of` makes of each.
    fn each<T: Copy + Default>(self, of: impl Fn(S) -> T) -> [T; 32];
}

impl<S: Copy> MapLanes<S> for [S; 32] {
    #[inline(always)]
    fn each<T: Copy + Default>(self, of: impl Fn(S) -> T) -> [T; 32] {
        each!(|at| of(self[at]))
    }
}

/// By a table of what each three bits give.
#[inline(always)]
pub(super) fn looked_up(table: u8, [a, b, c]: [&Lanes; 3]) -> Lanes {
    let mut all = [0; 32];
    for bits in (0..8_u32).filter(|it| table >> it & 1 == 1) {
        let [no_a, no_b, no_c] = [4, 2, 1].map(|it| if bits & it == 0 { u32::MAX } else { 0 });
        all = each!(|at| all[at] | (a[at] ^ no_a) & (b[at] ^ no_b) & (c[at] ^ no_c));
    }
    all
}
