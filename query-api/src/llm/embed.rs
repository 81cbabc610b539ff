//! Texts to vectors, in batches.
//!
//! ```text
//! ["def a(): …", ""]  ->  POST {url}/embeddings {"model", "input": ["def a(): …", " "]}  ->  two vectors of one length
//! ```
//!
//! A vector that is missing, of another length, or not made of numbers is an error: an index with one such vector would be
//! wrong without anyone seeing it. One request runs at a time; an endpoint that is asked too often says how long to wait.

use async_openai::error::OpenAIError;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::retry::Retry;
use super::{Llm, LlmError};

/// Most texts of one request, and most bytes of all of them.
const BATCH: usize = 64;
const BATCH_BYTES: usize = 256 << 10;

/// Most bytes of one text; models read no more than the first 8,000 tokens or fewer.
const TEXT_BYTES: usize = 24 << 10;

impl Llm {
    /// One vector a text, in order.
    pub async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, LlmError> {
        let model = self.embedding_model.clone().ok_or(LlmError::NoEmbeddingModel)?;
        let mut vectors = Vec::with_capacity(texts.len());
        let mut rest = texts;
        while !rest.is_empty() {
            let (batch, behind) = rest.split_at(batch(rest));
            rest = behind;
            let input: Vec<&str> = batch.iter().map(|text| cut(text)).collect();
            let mut retry = Retry::new(self.wire.bulk_patience);
            let body = json!({"model": &*model, "input": input});
            let value = loop {
                let asked = timeout(self.wire.timeout, self.asked(&body)).await;
                let url = || self.wire.url().to_owned();
                let late = |_| LlmError::Timeout {
                    url: url(),
                    after: self.wire.timeout,
                };
                match asked.map_err(late).and_then(|outcome| outcome) {
                    Ok(value) => break value,
                    Err(error) => retry.wait(error).await?,
                }
            };
            let read = read(&value, batch.len()).and_then(|batch| self.same_length(batch));
            vectors.extend(read.map_err(|why| self.wire.bad_reply(why))?);
        }
        Ok(vectors)
    }

    async fn asked(&self, body: &Value) -> Result<Value, LlmError> {
        let client = self.wire.client(None);
        let sent: Result<Value, OpenAIError> = client.embeddings().create_byot(body).await;
        let value = sent.map_err(|error| self.wire.error(error, 0, None))?;
        self.wire.told(&value).map_or(Ok(value), Err)
    }

    /// The vectors, if they are as long as all before them.
    fn same_length(&self, vectors: Vec<Vec<f32>>) -> Result<Vec<Vec<f32>>, String> {
        for vector in &vectors {
            let first = *self.dimension.get_or_init(|| vector.len());
            if vector.len() != first {
                return Err(format!("a vector of {} numbers after one of {first}", vector.len()));
            }
        }
        Ok(vectors)
    }
}

/// Number of texts for the next request, at least one.
fn batch(texts: &[String]) -> usize {
    let mut bytes = 0;
    let fits = |text: &&String| {
        bytes += cut(text).len();
        bytes <= BATCH_BYTES
    };
    texts.iter().take(BATCH).take_while(fits).count().max(1)
}

/// A text as it is sent: endpoints refuse empty ones.
fn cut(text: &str) -> &str {
    let mut end = text.len().min(TEXT_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    if text.trim().is_empty() { " " } else { &text[..end] }
}

/// The vectors of an answer, in the order of the texts.
fn read(value: &Value, count: usize) -> Result<Vec<Vec<f32>>, String> {
    let data = value["data"].as_array().ok_or("it holds no list `data`")?;
    if data.len() != count {
        return Err(format!("{} vectors for {count} texts", data.len()));
    }
    let mut vectors: Vec<Vec<f32>> = vec![Vec::new(); count];
    for (position, entry) in data.iter().enumerate() {
        let place = entry["index"].as_u64().map_or(position, |index| index as usize);
        let free = vectors.get_mut(place).filter(|vector| vector.is_empty());
        let vector = free.ok_or_else(|| format!("vector {place} comes twice or is not asked for"))?;
        *vector = numbers(&entry["embedding"]).ok_or_else(|| format!("vector {place} is not made of numbers"))?;
    }
    Ok(vectors)
}

/// Finite numbers, at least one of which is not zero.
fn numbers(value: &Value) -> Option<Vec<f32>> {
    let numbers = value
        .as_array()?
        .iter()
        .map(|number| number.as_f64().map(|number| number as f32));
    let vector: Vec<f32> = numbers.collect::<Option<_>>()?;
    let is_sound = vector.iter().all(|number| number.is_finite()) && vector.iter().any(|number| *number != 0.0);
    is_sound.then_some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_in_the_order_of_the_texts() {
        let value = json!({"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1.5, 0]}]});
        assert_eq!(read(&value, 2), Ok(vec![vec![1.5, 0.0], vec![0.0, 1.0]]));
        let value = json!({"data": [{"embedding": [1]}, {"embedding": [2]}]});
        assert_eq!(read(&value, 2), Ok(vec![vec![1.0], vec![2.0]]));
    }

    #[test]
    fn vectors_that_would_spoil_an_index() {
        for (data, count) in [
            (json!(null), 1),
            (json!([]), 1),
            (json!([{"embedding": [1]}, {"embedding": [1]}]), 1),
            (
                json!([{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]),
                2,
            ),
            (json!([{"index": 7, "embedding": [1]}]), 1),
            (json!([{"embedding": []}]), 1),
            (json!([{"embedding": [0, 0]}]), 1),
            (json!([{"embedding": [1, null]}]), 1),
            (json!([{"embedding": [1, "NaN"]}]), 1),
            (json!([{"embedding": [1e300]}]), 1),
            (json!([{"embedding": "AAAA"}]), 1),
        ] {
            assert!(read(&json!({"data": data}), count).is_err(), "{data}");
        }
    }

    #[test]
    fn batches() {
        let texts = |count: usize, size: usize| vec!["x".repeat(size); count];
        assert_eq!(batch(&texts(1000, 10)), BATCH);
        assert_eq!(batch(&texts(1000, TEXT_BYTES * 10)), BATCH_BYTES / TEXT_BYTES);
        assert_eq!(cut("\n"), " ");
        assert_eq!(cut(&"ü".repeat(TEXT_BYTES)).len(), TEXT_BYTES);
    }
}
