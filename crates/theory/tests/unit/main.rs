//! What each module promises.

mod derive;
mod io;
mod rest;
