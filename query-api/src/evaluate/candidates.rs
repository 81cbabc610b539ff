//! What trees learn from: the best candidates of every question, with their features, in a file for `tests/eval/learn/learn.py`.
//!
//! One line of JSON, then numbers of four bytes each (IEEE 754, the least byte first): of every candidate which of its question's symbols it
//! is, from 1 on (0: none), and its features.
//!
//! ```text
//! {"features": ["name", "owner", …], "questions": [{"suite": "click", "symbols": 2, "candidates": 200}, …]}
//! ```

use std::io::Write;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::suite::Suite;
use super::{request, symbol};
use crate::Error;
use crate::retrieve::{Retriever, trees};
use crate::view::Source;

/// What is to be learned from.
#[derive(Debug, Default)]
pub struct Candidates {
    questions: Vec<Value>,
    numbers: Vec<f32>,
}

impl Candidates {
    /// Adds the questions of a suite.
    pub fn add(&mut self, retriever: &Retriever, suite: &Suite, sources: &[Source]) -> Result<(), Error> {
        let index = retriever.index();
        let asked = suite.questions.par_iter().map(|question| {
            let best = retriever.trace(&request(question, sources))?.best;
            let count = best.len();
            let mut numbers = Vec::new();
            for (row, features) in best {
                let name = symbol(index, row);
                let which = question.symbols.iter().position(|symbol| *symbol == name);
                numbers.push(which.map_or(0.0, |which| which as f32 + 1.0));
                numbers.extend(features);
            }
            let about = json!({"suite": suite.name, "symbols": question.symbols.len(), "candidates": count});
            Ok((about, numbers))
        });
        for (about, numbers) in asked.collect::<Result<Vec<_>, Error>>()? {
            self.questions.push(about);
            self.numbers.extend(numbers);
        }
        Ok(())
    }

    /// How many questions there are.
    pub fn questions(&self) -> usize {
        self.questions.len()
    }

    /// Writes all of them.
    pub fn write(&self, mut out: impl Write) -> std::io::Result<()> {
        let features: Vec<String> = trees::names().collect();
        writeln!(out, "{}", json!({"features": features, "questions": self.questions}))?;
        for number in &self.numbers {
            out.write_all(&number.to_le_bytes())?;
        }
        out.flush()
    }
}
