//! Bad input of every kind, through the real program: a clear line or a clear error, nothing lost, no panic.

mod pathological;
mod query;
mod repeated;
mod source;
mod store;
