//! Has the crate compiled again when the dashboard's built assets come, go or change.
//!
//! They are made by `npm run build` in `dashboard/` and embedded by `serve/dashboard.rs`. A folder that is not there cannot be
//! watched without compiling on every call, so until it is there the folder above is.

use std::path::Path;

fn main() {
    let built = Path::new("dashboard/dist");
    let watched = if built.is_dir() { "dashboard/dist" } else { "dashboard" };
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={watched}");
}
