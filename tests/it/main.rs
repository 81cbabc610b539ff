//! Everything that is tested from outside, in one binary.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on should say so")]

mod counts;
mod pages;
mod reach;
mod schema;
mod shop;
mod support;
