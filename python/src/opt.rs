//! Optimal triangulations of polygons, and of weights in a matrix.

use std::path::Path;

use memory_machine::algorithms::matrix::Matrix;
use memory_machine::algorithms::opt::matrix_chain::MatrixChain;
use memory_machine::algorithms::opt::parse_tree::parse_tree;
use memory_machine::algorithms::opt::search_tree::SearchTree;
use memory_machine::algorithms::opt::triangulation::{chords, triangles};
use memory_machine::algorithms::opt::{
    self, Chord, Nearest, Problem, Triangle, Weight, weights_csv,
};
use memory_machine::algorithms::points::Point;
use memory_machine::algorithms::polygon::Polygon;
use memory_machine::algorithms::polygon::chords::Chords;
use memory_machine::chart::parse_tree::{
    Label, key_or_leaf, product, products_title, search_tree_title,
};
use memory_machine::chart::triangulation::{VertexLayout, scene};
use memory_machine::chart::{self, Theme};
use memory_machine::host::memory;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::error;
use crate::interrupt::{Stop, interruptible};

/// The total weight, and the chords in ascending order.
type Solved = (f64, Vec<[u64; 2]>);

/// The vertices of a polygon, or the weights of the chords of one; `kind` is f32, f64 or i32.
#[pyfunction]
pub fn solve<'py>(
    py: Python<'py>,
    array: PyReadonlyArray2<'py, f64>,
    is_polygon: bool,
    kind: &str,
) -> PyResult<(f64, Bound<'py, PyArray2<u64>>)> {
    let work = match kind {
        "f32" => solved::<f32>,
        "f64" => solved::<f64>,
        "i32" => solved::<i32>,
        _ => return Err(error(format_args!("type {kind:?}: choose \"f32\", \"f64\" or \"i32\""))),
    };
    let (columns, numbers) = (array.shape()[1], array.as_slice()?);
    let (weight, chords) = interruptible(py, |stop| work(numbers, is_polygon, columns, stop))?;
    let m = chords.len();
    Ok((weight, PyArray1::from_vec(py, chords.into_flattened()).reshape([m, 2])?))
}

fn solved<T: Nearest>(
    numbers: &[f64],
    is_polygon: bool,
    columns: usize,
    stop: &Stop,
) -> PyResult<Solved> {
    if !is_polygon {
        let matrix = Matrix::new(columns, numbers.to_vec());
        let weights = weights_csv::weights::<T>(Path::new("weights"), &matrix).map_err(error)?;
        return least(&weights, stop);
    }
    let polygon = polygon(numbers)?;
    let n = polygon.n();
    let chords = Chords::of(&polygon, &|_| stop.check()).map_err(error)?;
    if !T::holds(n, chords.longest()) || !T::tells(n, (n - 2) as f64 * chords.longest()) {
        let (longest, kind) = (chords.longest(), T::NAME);
        return Err(error(format_args!(
            "chords up to {longest} long leave the range of {kind}; choose type=\"f64\", or rescale \
             the polygon"
        )));
    }
    least::<T>(&chords, stop)
}

/// The cheapest order to multiply matrices of these dimensions: multiplications, the order in
/// parentheses, and a picture of it, if there are few enough.
#[pyfunction]
pub fn matrix_chain(
    py: Python<'_>,
    dimensions: Vec<u64>,
) -> PyResult<(u64, String, Option<String>)> {
    let chain = MatrixChain::new(&dimensions).map_err(error)?;
    interruptible(py, |stop| {
        let (total, found) = table(&chain, stop)?;
        let multiplications = total as u64;
        let title = products_title(chain.matrices(), multiplications);
        let picture = drawn_tree(chain.n(), &found, &title, &product);
        Ok((multiplications, chain.order(&found), picture))
    })
}

/// What a search tree is: its cost, each key's parent, the tree in parentheses, and a picture, if it
/// is small enough.
type FoundTree = (f64, Vec<Option<usize>>, String, Option<String>);

/// A search tree of least expected cost.
#[pyfunction]
pub fn search_tree(py: Python<'_>, keys: Vec<f64>, gaps: Vec<f64>) -> PyResult<FoundTree> {
    let problem = SearchTree::new(&keys, &gaps).map_err(error)?;
    interruptible(py, |stop| {
        let (total, found) = table(&problem, stop)?;
        let cost = problem.cost(total);
        let title = search_tree_title(problem.keys(), cost);
        let picture = drawn_tree(problem.n(), &found, &title, &key_or_leaf);
        Ok((cost, problem.parents(&found), problem.in_parentheses(&found), picture))
    })
}

/// The picture of a parse tree; `None` of one too wide to be a picture, or without a triangle.
fn drawn_tree(n: usize, found: &[Triangle], title: &str, label: Label<'_>) -> Option<String> {
    let tree = parse_tree(n, &chords(found)).ok()?;
    Some(chart::parse_tree::scene(&tree, title, label).ok()?.svg())
}

fn polygon(numbers: &[f64]) -> PyResult<Polygon> {
    Polygon::new(bytemuck::cast_slice::<f64, Point>(numbers).to_vec()).map_err(error)
}

fn least<T: Nearest>(problem: &impl Problem<T>, stop: &Stop) -> PyResult<Solved> {
    let (weight, triangles) = table(problem, stop)?;
    let mut chords = chords(&triangles);
    chords.sort_unstable();
    let weight = weight.to_string().parse().map_err(error)?;
    Ok((weight, chords.iter().map(|&Chord { a, b }| [a as u64, b as u64]).collect()))
}

/// The least total weight, and the triangles.
fn table<T: Weight>(problem: &impl Problem<T>, stop: &Stop) -> PyResult<(T, Vec<Triangle>)> {
    let n = problem.n();
    memory::check(n as u64 * n as u64 / 2 * size_of::<T>() as u64).map_err(|too_much| {
        error(format_args!("the table of {n} vertices takes {too_much}; choose fewer"))
    })?;
    let table = opt::solve(problem, &|_| stop.check());
    let cell = |a: usize, b: usize| table.get(a, b);
    let triangles = triangles(problem, cell).map_err(error)?;
    Ok((table.get(0, n - 1), triangles))
}

/// The picture of a triangulation; without vertices, on a regular n-gon.
#[pyfunction]
pub fn draw_chords(
    vertices: Option<PyReadonlyArray2<'_, f64>>,
    n: usize,
    chords: PyReadonlyArray2<'_, u64>,
    weight: f64,
) -> PyResult<String> {
    let polygon = vertices.map(|it| polygon(it.as_slice()?)).transpose()?;
    let shape = polygon.as_ref().map_or(VertexLayout::Regular(n), VertexLayout::Polygon);
    let pairs = chords.as_slice()?.chunks_exact(2);
    let chords: Vec<Chord> =
        pairs.map(|it| Chord { a: it[0] as usize, b: it[1] as usize }).collect();
    let scene = scene(shape, &chords, "Optimal triangulation", weight, Theme::Light);
    Ok(scene.map_err(error)?.svg())
}
