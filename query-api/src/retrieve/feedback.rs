//! Votes: that a node was right, or wrong, for a question. One line each in `feedback.jsonl` of the index folder, beside the
//! generations, so that a new index keeps them. They count in ranking, for questions like theirs; no vector is changed.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use ripple_graphdb::SearchIndex;
use serde::{Deserialize, Serialize};

use super::Asked;
use super::faq::shared;
use super::sources::List;
use crate::Error;
use crate::error::io;
use crate::view::{Feedback, Source};

/// Name of the file.
pub const FILE: &str = "feedback.jsonl";
/// Share of words that a question must have in common with one that was voted on.
const LIKE: f32 = 0.5;
/// Longest question that is kept, in bytes.
const QUESTION: usize = 2000;

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    question: String,
    node: i64,
    vote: i8,
}

/// The votes of an index.
#[derive(Default)]
pub struct Votes {
    votes: Vec<Vote>,
}

/// The words of a question with their weights, the node, and how far it was right.
type Vote = (Vec<(String, f32)>, i64, f32);

/// Keeps a vote; tells how many there are.
pub fn store(folder: &Path, index: &SearchIndex, feedback: &Feedback) -> Result<usize, Error> {
    if !matches!(feedback.vote, 1 | -1) {
        return Err(Error::Usage(format!("a vote is 1 or -1, not {}", feedback.vote)));
    }
    let question = feedback.question.trim();
    if question.is_empty() || question.len() > QUESTION {
        return Err(Error::Usage(format!(
            "the question of a vote has 1 to {QUESTION} bytes, not {}",
            question.len()
        )));
    }
    if index.nodes.row(feedback.node).is_none() {
        return Err(Error::Usage(format!(
            "no node that can be searched for has the id {}",
            feedback.node
        )));
    }
    let line = Line {
        question: question.into(),
        node: feedback.node,
        vote: feedback.vote,
    };
    let mut text = serde_json::to_string(&line).map_err(|error| Error::Internal(error.to_string()))?;
    text.push('\n');
    let path = folder.join(FILE);
    let failed = || format!("cannot write {}", path.display());
    let mut file = OpenOptions::new()
        .append(true)
        .create(true)
        .open(&path)
        .map_err(io(failed()))?;
    // One write of one line: votes that come at once do not mix.
    file.write_all(text.as_bytes()).map_err(io(failed()))?;
    let whole = std::fs::read_to_string(&path).map_err(io(failed()))?;
    Ok(whole
        .lines()
        .filter(|line| serde_json::from_str::<Line>(line).is_ok())
        .count())
}

impl Votes {
    /// Reads the votes; lines that are none are counted in a note.
    pub fn read(folder: &Path, index: &SearchIndex) -> (Self, Option<String>) {
        let Ok(text) = std::fs::read_to_string(folder.join(FILE)) else {
            return (Self::default(), None);
        };
        let mut votes = Self::default();
        let mut bad = 0;
        for line in text.lines() {
            match serde_json::from_str::<Line>(line) {
                Ok(line) => {
                    let words = index.text.terms(&line.question).words;
                    votes.votes.push((words, line.node, f32::from(line.vote.signum())));
                }
                Err(_) => bad += 1,
            }
        }
        let note = (bad > 0).then(|| format!("{bad} lines of {FILE} are no votes and were left out"));
        (votes, note)
    }

    /// The rows that were voted on for questions like this one; a score below 0 for what was wrong.
    pub fn list(&self, index: &SearchIndex, asked: &Asked) -> Option<List> {
        let mut scores: HashMap<u32, f32> = HashMap::new();
        for (words, node, vote) in &self.votes {
            let like = shared(words, &asked.terms.words);
            if let Some(row) = index.nodes.row(*node).filter(|_| like >= LIKE)
                && asked.allowed.as_ref().is_none_or(|allowed| allowed.row(row))
            {
                *scores.entry(row).or_default() += like * vote;
            }
        }
        let mut found: Vec<(u32, f32)> = scores
            .into_iter()
            .map(|(row, score)| (row, score.clamp(-1.0, 1.0)))
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        (!found.is_empty()).then_some(List {
            source: Source::Feedback,
            found,
        })
    }
}
