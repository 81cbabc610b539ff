//! Everything that is tested from outside, in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should say so"
)]

mod answers;
mod ask;
mod asked_unseen;
mod bad_input;
mod beside_the_unknown;
mod callees_open;
mod chosen;
mod cli;
mod combinations;
mod communities;
mod compiler;
mod composed_names;
mod counts;
mod data_names;
mod deciding;
mod describe;
mod django;
mod elsewhere;
mod execution;
mod filled_by_others;
mod fuzz;
mod grounds;
mod guards;
mod handed;
mod hops;
mod house;
mod left_open;
mod library_code;
mod llm;
mod mcp;
mod mentioned;
mod named;
mod neo4j;
mod operations;
mod pages;
mod program;
mod prompts;
mod python_calls;
mod reach;
mod reached_otherwise;
mod resident;
mod rules;
mod schema;
mod scripted_llm;
mod search;
mod search_models;
mod serve;
mod shop;
#[cfg(unix)]
mod socket;
mod support;
mod text2cypher;
mod unseen;
mod verdicts;
