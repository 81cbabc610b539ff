//! A question that one command asks of one index, complete in itself: whoever has the index open can answer it.
//!
//! `ripple cypher` and the operations ask a server that runs on the same index, if there is one ([`crate::socket`]): opening the database
//! takes longer than most questions do. The answer is written by the same code either way.

use std::io::{self, Write};
use std::path::Path;

use ripple_graphdb::{Limits, Reader};
use serde::{Deserialize, Serialize};

use super::{cypher, operation, print, say, unwritten};
use crate::{Error, socket};

/// What is asked, and how the answer is to be written.
#[derive(Debug, Serialize, Deserialize)]
pub enum Question {
    /// A query.
    Cypher(cypher::Question),
    /// An operation about a target.
    Operation(operation::Question),
}

/// What is said about an answer that was written.
#[derive(Debug, Serialize, Deserialize)]
pub struct Told {
    /// How many results there are, before any limit on those that are shown.
    pub found: usize,
    /// One line, for stderr.
    pub summary: String,
}

impl Question {
    /// What the answer may take.
    pub fn limits(&self) -> Limits {
        match self {
            Self::Cypher(question) => question.limits(),
            Self::Operation(_) => Limits::default(),
        }
    }

    /// Answers on an open index.
    pub fn answer(&self, reader: &Reader, out: &mut dyn Write) -> Result<Told, Error> {
        match self {
            Self::Cypher(question) => question.answer(reader, out),
            Self::Operation(question) => question.answer(reader, out),
        }
    }

    /// Has it answered on stdout and stderr: by a server that has this index open, or else here.
    pub(super) fn ask(&self, index: &Path) -> Result<Told, Error> {
        let told = match socket::ask(index, self) {
            Some(answered) => {
                let (text, told) = answered?;
                print(|out| out.write_all(text.as_bytes()))?;
                told
            }
            None => self.answer_here(index)?,
        };
        say(&told.summary);
        Ok(told)
    }

    fn answer_here(&self, index: &Path) -> Result<Told, Error> {
        let reader = ripple_graphdb::open_with(index, self.limits().memory_bytes)?;
        let mut out = io::BufWriter::new(io::stdout().lock());
        let told = self.answer(&reader, &mut out);
        // The process ends with this answer: the system takes the memory back at once, the engine piece by piece.
        std::mem::forget(reader);
        out.flush().map_err(unwritten)?;
        told
    }
}
