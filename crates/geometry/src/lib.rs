//! OPT of polygons, greedy triangulations and convex hulls on the CPU, with readers and
//! generators of their inputs. `memory-machine` has all of it under its own names; it is a crate of
//! its own for the same reason as `memory-machine-core`.
//!
//! A module never imports one that stands further down:
//!
//! - [`input`], [`matrix`]: input files as text and records; as numbers in rows;
//! - [`points`]: points, exact predicates and generators;
//! - [`layer`]: files of points, lines and polygons, in many formats;
//! - [`opt`]: the recurrence of optimal triangulations, parenthesisations and search trees;
//! - [`greedy`], [`hull`]: the greedy triangulation and the convex hull of points;
//! - [`verify`], [`export`]: checks of anybody's results; triangles as files;
//! - [`polygon`]: simple polygons and their chords, regions with holes.

pub mod export;
pub mod greedy;
pub mod hull;
pub mod input;
pub mod layer;
pub mod matrix;
pub mod opt;
pub mod points;
pub mod polygon;
pub mod verify;
