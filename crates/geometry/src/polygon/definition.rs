//! Definitions of triangulations.

/// Which triangulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Definition {
    /// Of least total weight, beside the bridges of holes.
    Optimal,
    /// The shortest line first, each that conflicts with none taken before.
    Greedy,
    /// No circle around a triangle holds a vertex that it sees.
    Delaunay,
}

memory_machine_core::keyword::keywords! { Definition {
    Optimal "optimal" "Of least total weight; holes are joined to the outline by bridges"
    Greedy "greedy" "The shortest line first, each that conflicts with none before"
    Delaunay "delaunay" "Constrained Delaunay"
} }
