//! Documentation sentences as questions: the first sentence of a function's documentation should find the function.
//!
//! The documentation of a function that is asked about must not answer for it. What can be left out is: the field of full text that holds
//! documentation is not looked at (its boost is 0), the source list of vectors is compared against the function's vector made again
//! without its documentation, and the body field, which holds a Python docstring too, is not looked at either. What remains is what the
//! name, the owner, the signature and the neighbours say; chunks are not asked.

use ripple_graphdb::nodes::{Embedder, Purpose};
use ripple_graphdb::{SearchIndex, nodes};

use super::figures::{Figures, Outcome};
use crate::Error;
use crate::retrieve::Retriever;
use ripple_schema::NodeKind;

/// Figures of full text without documentation, of vectors without it, and of both by rank.
pub struct Report {
    /// By stage.
    pub stages: Vec<(&'static str, Figures)>,
    /// Pairs asked.
    pub pairs: usize,
}

/// Boosts of full text with documentation and bodies left out, in the order of `text::FIELDS`.
const BOOSTS: [f32; 7] = [3.0, 0.8, 0.0, 0.7, 0.5, 0.0, 0.5];

/// Asks for up to so many functions, evenly spread over the index.
pub fn run(retriever: &Retriever, most: usize) -> Result<Report, Error> {
    let index = retriever.index();
    let rows: Vec<(u32, String)> = (0..index.nodes.len() as u32)
        .filter(|&row| index.nodes.label(row) == Some(NodeKind::Function) && !index.nodes.is_test(row))
        .filter_map(|row| {
            let entry = index.nodes.entry(row);
            first_sentence(&entry.name, &entry.doc).map(|sentence| (row, sentence))
        })
        .collect();
    let step = rows.len().div_ceil(most.max(1)).max(1);
    let asked: Vec<&(u32, String)> = rows.iter().step_by(step).collect();
    let (mut text, mut vector, mut both) = (Vec::new(), Vec::new(), Vec::new());
    for (row, sentence) in &asked {
        let terms = index.text.terms(sentence);
        let by_text = index.text.nodes(&terms, &BOOSTS, 50, None)?;
        let by_vector = match retriever.embedder() {
            Some(embedder) => nearest_without_doc(index, embedder.as_ref(), *row, sentence)?,
            None => Vec::new(),
        };
        let lists = [
            crate::retrieve::sources::List::of(crate::view::Source::Text, by_text.clone()),
            crate::retrieve::sources::List::of(crate::view::Source::Vector, by_vector.clone()),
        ];
        text.push(outcome(*row, &by_text));
        vector.push(outcome(*row, &by_vector));
        both.push(outcome(*row, &crate::retrieve::sources::fuse(&lists)));
    }
    Ok(Report {
        pairs: asked.len(),
        stages: vec![
            ("text", Figures::of(&text)),
            ("vector", Figures::of(&vector)),
            ("fused", Figures::of(&both)),
        ],
    })
}

/// The nearest rows, where this row has the vector that it would have without documentation.
fn nearest_without_doc(
    index: &SearchIndex,
    embedder: &dyn Embedder,
    row: u32,
    sentence: &str,
) -> Result<Vec<(u32, f32)>, Error> {
    let Some(vectors) = &index.vectors else {
        return Ok(Vec::new());
    };
    let question = embedder.embed(&[sentence.to_owned()], Purpose::Question)?;
    let bare = embedder.embed(&[index.describe_without_doc(row)], Purpose::Passage)?;
    let cosine: f32 = question.iter().zip(&bare).map(|(a, b)| a * b).sum();
    let mut found = vectors.nearest(&question, 51, None);
    found.retain(|(other, _)| *other != row);
    found.push((row, cosine));
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(50);
    Ok(found)
}

fn outcome(row: u32, found: &[(u32, f32)]) -> Outcome {
    Outcome::of(
        &[row.to_string()],
        found.iter().map(|(row, _)| row.to_string()).collect(),
    )
}

/// The first sentence, if it has words enough to be a question. In Go it begins with the function's name, which would be the answer.
fn first_sentence(name: &str, doc: &str) -> Option<String> {
    let doc = doc.trim();
    let doc = doc
        .strip_prefix(name)
        .filter(|rest| rest.starts_with(' '))
        .unwrap_or(doc);
    let paragraph = doc.trim().split("\n\n").next()?;
    let end = paragraph.find(". ").unwrap_or(paragraph.len());
    let sentence = paragraph[..end].split_whitespace().collect::<Vec<_>>().join(" ");
    let words = sentence.split(' ').count();
    (4..=40).contains(&words).then_some(sentence)
}

/// No row is no node.
const _: () = assert!(nodes::NONE == u32::MAX);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_can_be_asked() {
        let check =
            |doc: &str, expected: Option<&str>| assert_eq!(first_sentence("name", doc).as_deref(), expected, "{doc}");
        check(
            "Return the sum of\n    all items. Raise nothing.",
            Some("Return the sum of all items"),
        );
        check("Too short.", None);
        check("", None);
        check("One two three four\n\nfive", Some("One two three four"));
        check("name says what it does", Some("says what it does"));
    }
}
