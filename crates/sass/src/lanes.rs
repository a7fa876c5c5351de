//! The same for each thread of a warp: plain loops, of which compilers make vector instructions, as
//! they do not of `array::from_fn` and `map`.

/// A register of the threads of a warp.
pub(super) type Lanes = [u32; 32];
/// Two of them.
pub(super) type WideLanes = [u64; 32];

/// What `of` says of each thread.
#[inline(always)]
pub(super) fn each<T: Copy + Default>(of: impl Fn(usize) -> T) -> [T; 32] {
    let mut all = [T::default(); 32];
    for (at, it) in all.iter_mut().enumerate() {
        *it = of(at);
    }
    all
}

/// Values of the threads of a warp.
pub(super) trait MapLanes<S> {
    /// What `of` makes of each.
    fn each<T: Copy + Default>(self, of: impl Fn(S) -> T) -> [T; 32];
}

impl<S: Copy> MapLanes<S> for [S; 32] {
    #[inline(always)]
    fn each<T: Copy + Default>(self, of: impl Fn(S) -> T) -> [T; 32] {
        each(|at| of(self[at]))
    }
}
