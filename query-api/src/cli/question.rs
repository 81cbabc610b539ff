//! A question that one command asks of one index, complete in itself: whoever has the index open can answer it.
//!
//! `ripple cypher` and the operations ask whoever has the same index open, if there is one ([`crate::socket`]): opening the database takes
//! longer than most questions do. If there is none, the command leaves a reader behind for the next. The answer is written by the same code
//! either way.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use ripple_graphdb::{Limits, Reader};
use serde::{Deserialize, Serialize};

use super::{cypher, operation, print, resident, say, unwritten};
use crate::Error;
use crate::socket::{self, Asked};

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

    /// Has it answered on stdout and stderr: by whoever has this index open, or else here. If nobody has, a reader stays behind for so long.
    pub(super) fn ask(&self, index: &Path, stays: Duration) -> Result<Told, Error> {
        let told = match socket::ask(index, self) {
            Asked::Answered(answered) => {
                let (text, told) = answered?;
                print(|out| out.write_all(text.as_bytes()))?;
                told
            }
            Asked::Declined => self.answer_here(index, || ())?,
            Asked::Nobody => self.answer_here(index, || resident::leave(index, stays))?,
        };
        say(&told.summary);
        Ok(told)
    }

    /// `answered` is called when the answer is written, also if it is that the question is wrong.
    fn answer_here(&self, index: &Path, answered: impl FnOnce()) -> Result<Told, Error> {
        let reader = ripple_graphdb::open_with(index, self.limits().memory_bytes)?;
        let mut out = io::BufWriter::new(io::stdout().lock());
        let told = self.answer(&reader, &mut out);
        // The process ends with this answer: the system takes the memory back at once, the engine piece by piece.
        std::mem::forget(reader);
        let written = out.flush();
        answered();
        written.map_err(unwritten)?;
        told
    }
}
