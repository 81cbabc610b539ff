//! The binary `ripple`: parse, run, exit code. Everything else is in the library.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ripple_query_api::cli::main()
}
