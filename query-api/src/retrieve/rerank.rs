//! Re-rankers: the first candidates in a better order, by a model that reads question and candidate together.
//!
//! Bodies: a cross-encoder and late interaction, both from a folder; and the HTTP shape that Cohere, Jina and Text Embeddings Inference
//! share: `POST {"query", "documents", "model"}` answered by `{"results": [{"index", "relevance_score"}]}`; and a language model
//! that says yes or no ([`judge`](super::judge)).

use std::path::Path;
use std::sync::Arc;

use ripple_graphdb::SearchIndex;
use ripple_graphdb::nodes::transformer::Transformer;

use super::judge::{self, Judge};
use crate::Error;

/// Rates passages by how well they answer a question.
pub trait Reranker: Send + Sync {
    /// A score for each passage, larger for better.
    fn rate(&self, question: &str, passages: &[String]) -> Result<Vec<f32>, Error>;

    /// How many candidates it looks at.
    fn depth(&self) -> usize {
        50
    }
}

/// A transformer that reads question and passage together.
pub struct CrossEncoder(Transformer);

/// A transformer whose token vectors are compared one by one: the sum, over the question's tokens, of the best product.
pub struct LateInteraction(Transformer);

/// Opens a folder: a cross-encoder if its weights score pairs, else late interaction. The word `llm` stands for the language model of the
/// environment.
pub fn open(folder: &Path) -> Result<Arc<dyn Reranker>, Error> {
    if folder == Path::new(judge::LLM) {
        return Ok(Arc::new(Judge::open()?));
    }
    let transformer = Transformer::open(folder)?;
    Ok(if transformer.is_cross_encoder() {
        Arc::new(CrossEncoder(transformer))
    } else {
        Arc::new(LateInteraction(transformer))
    })
}

impl Reranker for CrossEncoder {
    fn rate(&self, question: &str, passages: &[String]) -> Result<Vec<f32>, Error> {
        Ok(self.0.scores(question, passages)?)
    }
}

impl Reranker for LateInteraction {
    fn rate(&self, question: &str, passages: &[String]) -> Result<Vec<f32>, Error> {
        let asked = self.0.token_vectors(&[question.to_owned()])?;
        let asked = asked.first().map(Vec::as_slice).unwrap_or_default();
        let passages = self.0.token_vectors(passages)?;
        Ok(passages.iter().map(|tokens| most_alike(asked, tokens)).collect())
    }
}

/// Sum, over the question's tokens, of the best product with a token of the passage.
fn most_alike(asked: &[Vec<f32>], tokens: &[Vec<f32>]) -> f32 {
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let best = asked.iter().map(|word| {
        let products = tokens.iter().map(|token| product(word, token));
        products.fold(-1.0, f32::max)
    });
    best.sum::<f32>() / asked.len().max(1) as f32
}

/// Puts rows into the order of a re-ranker; it has three quarters of the say, the order before the rest.
pub fn apply(
    reranker: &dyn Reranker,
    index: &SearchIndex,
    question: &str,
    rows: Vec<(u32, f32)>,
) -> Result<Vec<(u32, f32)>, Error> {
    let passages: Vec<String> = rows.iter().map(|(row, _)| passage(index, *row)).collect();
    let scores = reranker.rate(question, &passages)?;
    if scores.len() != rows.len() || scores.iter().any(|score| !score.is_finite()) {
        return Err(Error::Usage(format!(
            "the re-ranker gave {} scores for {} passages, or scores that are no numbers",
            scores.len(),
            rows.len()
        )));
    }
    let place = |scores: &[f32]| -> Vec<usize> {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        let mut places = vec![0; scores.len()];
        order.iter().enumerate().for_each(|(place, &at)| places[at] = place);
        places
    };
    let places = place(&scores);
    let mut order: Vec<(u32, f32)> = rows
        .iter()
        .enumerate()
        .map(|(before, (row, _))| {
            let share = |place: usize| 1.0 / (10.0 + place as f32);
            (*row, 3.0 * share(places[before]) + share(before))
        })
        .collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(order)
}

/// What a re-ranker reads of a row.
pub(super) fn passage(index: &SearchIndex, row: u32) -> String {
    let entry = index.nodes.entry(row);
    let mut doc: &str = &entry.doc;
    if let Some((at, _)) = doc.char_indices().nth(400) {
        doc = &doc[..at];
    }
    format!(
        "{} {}. {doc}",
        entry.qualified_name.replace(['.', '_', '/'], " "),
        entry.signature
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_interaction_takes_the_best_of_each_token() {
        let (x, y) = (vec![1.0, 0.0], vec![0.0, 1.0]);
        assert_eq!(most_alike(&[x.clone(), y.clone()], &[x.clone(), y.clone()]), 1.0);
        assert_eq!(most_alike(&[x.clone(), y.clone()], &[x.clone(), x]), 0.5);
        assert_eq!(most_alike(&[], &[y]), 0.0);
    }
}
