//! Hulls and greedy triangulations of points that numpy holds, which are not copied.

use memory_machine::algorithms;
use memory_machine::algorithms::greedy::{fast, paper};
use memory_machine::algorithms::points::{Point, check, distinct, total_length};
use memory_machine::chart::{self, Theme};
use memory_machine::host::memory;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::error;
use crate::interrupt::interruptible;

/// Bytes of memory that a point takes at most.
const HULL_BYTES: u64 = 64;
const GREEDY_BYTES: u64 = 300;

/// The points of an array of n × 2 numbers in row-major order; Python's side has seen to that.
fn points<'a>(array: &'a PyReadonlyArray2<'_, f64>) -> PyResult<&'a [Point]> {
    Ok(bytemuck::cast_slice(array.as_slice()?))
}

/// The same, of which every number is one that can be computed with.
pub fn checked<'a>(array: &'a PyReadonlyArray2<'_, f64>) -> PyResult<&'a [Point]> {
    let points = points(array)?;
    check(points).map_err(error)?;
    Ok(points)
}

fn fits_memory(n: usize, bytes: u64) -> PyResult<()> {
    let need = n as u64 * bytes;
    memory::check(need).map_err(|too_much| error(format_args!("{n} points need about {too_much}")))
}

/// Indices of the hull's vertices.
#[pyfunction]
pub fn hull<'py>(
    py: Python<'py>,
    array: PyReadonlyArray2<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<u32>>> {
    let points = points(&array)?;
    fits_memory(points.len(), HULL_BYTES)?;
    let vertices = interruptible(py, |_| algorithms::hull::checked(points, true).map_err(error))?;
    Ok(PyArray1::from_vec(py, vertices))
}

/// Edges in the order of acceptance, and their total length.
#[pyfunction]
pub fn greedy<'py>(
    py: Python<'py>,
    array: PyReadonlyArray2<'py, f64>,
    engine: &str,
) -> PyResult<(Bound<'py, PyArray2<u32>>, f64)> {
    let points = points(&array)?;
    let by_paper = match engine {
        "fast" => false,
        "paper" => true,
        _ => return Err(error(format_args!("engine {engine:?}: choose \"fast\" or \"paper\""))),
    };
    fits_memory(points.len(), GREEDY_BYTES)?;
    let (edges, length) = interruptible(py, |stop| {
        check(points).map_err(error)?;
        let once = distinct(points);
        let mut edges = if by_paper {
            paper::run(&once.points, |_| stop.check()).map_err(error)?.edges
        } else {
            fast::run(&once.points, &|_| stop.check()).edges
        };
        for end in edges.as_flattened_mut() {
            *end = once.index[*end as usize];
        }
        let length = total_length(points, &edges);
        Ok((edges, length))
    })?;
    let n = edges.len();
    Ok((PyArray1::from_vec(py, edges.into_flattened()).reshape([n, 2])?, length))
}

/// The triangles between the edges of a triangulation, counter-clockwise.
#[pyfunction]
pub fn triangles<'py>(
    py: Python<'py>,
    array: PyReadonlyArray2<'py, f64>,
    edges: PyReadonlyArray2<'py, u32>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let edges: &[[u32; 2]] = bytemuck::cast_slice(edges.as_slice()?);
    let triangles = fast::triangles_between(points(&array)?, edges);
    let n = triangles.len();
    PyArray1::from_vec(py, triangles.into_flattened()).reshape([n, 3])
}

/// The picture of points with their hull.
#[pyfunction]
pub fn draw_hull(
    array: PyReadonlyArray2<'_, f64>,
    vertices: PyReadonlyArray1<'_, u32>,
) -> PyResult<String> {
    let scene = chart::points::hull(points(&array)?, vertices.as_slice()?, "Hull", Theme::Light);
    Ok(scene.map_err(error)?.svg())
}

/// The picture of points with edges between them.
#[pyfunction]
pub fn draw_edges(
    array: PyReadonlyArray2<'_, f64>,
    edges: PyReadonlyArray2<'_, u32>,
) -> PyResult<String> {
    let edges: &[[u32; 2]] = bytemuck::cast_slice(edges.as_slice()?);
    let name = "Greedy triangulation";
    let scene = chart::points::edges(points(&array)?, edges, name, Theme::Light);
    Ok(scene.map_err(error)?.svg())
}
