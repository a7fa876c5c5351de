//! What each module promises.

mod derive;
mod rest;
