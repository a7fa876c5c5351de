//! All integration tests, in one binary.

mod case;
mod chart;
mod cli;
mod command;
mod count;
mod cuda;
mod docs;
mod errata;
mod explain;
mod fidelity;
mod graph;
mod greedy;
mod house;
mod hull;
mod language;
mod machine;
mod models;
mod opt;
mod points;
mod polygon;
mod report;
mod run;
mod sweep;
mod theory;
mod trace;
