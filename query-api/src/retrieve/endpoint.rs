//! Models behind an address: an embedder that speaks the OpenAI shape, and a re-ranker in the shape that Cohere, Jina and Text
//! Embeddings Inference share.
//!
//! ```text
//! POST {url}/embeddings  {"model", "input": […]}                     -> vectors
//! POST {rerank url}      {"model", "query", "documents", "top_n"}    -> {"results": [{"index": 3, "relevance_score": 0.9}, …]}
//! ```
//!
//! Waiting, repeating and refusing are the client's ([`crate::llm`]); vectors are kept by the hash of their text as they come, so that a build
//! that was stopped goes on where it was.

use std::future::Future;
use std::time::Duration;

use ripple_graphdb::nodes::embed::checked;
use ripple_graphdb::nodes::{Embedder, ModelId, Purpose};
use serde_json::{Value, json};

use super::rerank::Reranker;
use crate::Error;
use crate::llm::{Llm, LlmSettings};

/// What `--embedder` says to embed at the endpoint.
pub const ENDPOINT: &str = "endpoint";

/// An embedding model at an endpoint.
pub struct EndpointEmbedder {
    id: ModelId,
    llm: Llm,
}

impl EndpointEmbedder {
    /// The model that `RIPPLE_EMBEDDING_MODEL` names, at the endpoint of the environment; one text is embedded to learn the length.
    pub fn open(settings: LlmSettings) -> Result<Self, Error> {
        let Some(name) = settings.embedding_model.clone() else {
            return Err(Error::Usage(
                "no embedding model is set: RIPPLE_EMBEDDING_MODEL names it, OPENAI_BASE_URL and OPENAI_API_KEY its endpoint".into(),
            ));
        };
        let settings = LlmSettings {
            model: settings.model.or_else(|| Some(name.clone())),
            ..settings
        };
        let Some(llm) = Llm::from_settings(&settings)? else {
            return Err(Error::Usage(settings.missing().unwrap_or("no endpoint is set").into()));
        };
        let first = wait(llm.embed(&["length".to_owned()]))??;
        let dimensions = first.first().map_or(0, Vec::len);
        let id = ModelId {
            hash: xxhash_rust::xxh3::xxh3_64(name.as_bytes()),
            name,
            place: ENDPOINT.into(),
            dimensions,
        };
        Ok(Self { id, llm })
    }
}

impl Embedder for EndpointEmbedder {
    fn model(&self) -> &ModelId {
        &self.id
    }

    fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<f32>, ripple_graphdb::Error> {
        let wrong = |message: String| ripple_graphdb::Error::Model {
            place: format!("{} at the endpoint", self.id.name),
            message,
        };
        let vectors = wait(self.llm.embed(texts))
            .map_err(|error| wrong(error.to_string()))?
            .map_err(|error| wrong(error.to_string()))?;
        checked(&self.id, texts.len(), vectors.into_iter().flatten().collect())
    }

    fn batch(&self) -> usize {
        64
    }
}

/// A re-ranker at an address.
pub struct EndpointReranker {
    url: String,
    key: Option<String>,
    model: Option<String>,
    client: reqwest::Client,
}

/// Longest time for one answer.
const PATIENCE: Duration = Duration::from_secs(20);

impl EndpointReranker {
    /// `RIPPLE_RERANK_URL`, and if they are set `RIPPLE_RERANK_MODEL` and `RIPPLE_RERANK_KEY`.
    pub fn from_environment() -> Result<Option<Self>, Error> {
        let read = |name: &str| std::env::var(name).ok().filter(|text| !text.trim().is_empty());
        let Some(url) = read("RIPPLE_RERANK_URL") else {
            return Ok(None);
        };
        Self::new(url, read("RIPPLE_RERANK_MODEL"), read("RIPPLE_RERANK_KEY")).map(Some)
    }

    /// A re-ranker at this address.
    pub fn new(url: String, model: Option<String>, key: Option<String>) -> Result<Self, Error> {
        let wrong = |why: String| Error::Usage(format!("RIPPLE_RERANK_URL cannot be used: {why}"));
        let parsed = reqwest::Url::parse(&url).map_err(|error| wrong(error.to_string()))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(wrong("it begins with neither http:// nor https://".into()));
        }
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .build()
            .map_err(|error| wrong(error.to_string()))?;
        Ok(Self {
            url,
            key,
            model,
            client,
        })
    }

    async fn asked(&self, body: Value) -> Result<Value, String> {
        let mut request = self
            .client
            .post(&self.url)
            .header("content-type", "application/json")
            .body(body.to_string());
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        let reply = request.send().await.map_err(|error| error.without_url().to_string())?;
        let status = reply.status();
        let text = reply.text().await.map_err(|error| error.without_url().to_string())?;
        if !status.is_success() {
            return Err(format!("it answered {status}"));
        }
        serde_json::from_str(&text).map_err(|error| format!("its answer is no JSON: {error}"))
    }
}

impl Reranker for EndpointReranker {
    fn rate(&self, question: &str, passages: &[String]) -> Result<Vec<f32>, Error> {
        let body = json!({
            "model": self.model, "query": question, "documents": passages, "texts": passages, "top_n": passages.len(),
            "return_documents": false,
        });
        let failed = |message: String| {
            Error::Store(ripple_graphdb::Error::Model {
                place: "RIPPLE_RERANK_URL".into(),
                message,
            })
        };
        let value = wait(self.asked(body))?.map_err(failed)?;
        scores(&value, passages.len()).map_err(failed)
    }
}

/// One score a passage: a list of results, in whatever order, below `results` or alone.
fn scores(value: &Value, count: usize) -> Result<Vec<f32>, String> {
    let results = value["results"]
        .as_array()
        .or(value.as_array())
        .ok_or("it holds no list `results`")?;
    let mut scores = vec![f32::NAN; count];
    for result in results {
        let index = result["index"].as_u64().map(|index| index as usize);
        let score = result["relevance_score"].as_f64().or(result["score"].as_f64());
        match (index.and_then(|index| scores.get_mut(index)), score) {
            (Some(place), Some(score)) if score.is_finite() => *place = score as f32,
            _ => return Err("a result has no index of a passage, or no score".into()),
        }
    }
    if scores.iter().any(|score| score.is_nan()) {
        return Err(format!("{} results for {count} passages", results.len()));
    }
    Ok(scores)
}

/// Waits for a future on a thread of its own: the caller may be inside another runtime.
pub(super) fn wait<T: Send>(future: impl Future<Output = T> + Send) -> Result<T, Error> {
    let gone = || Error::Internal("the thread that asks an endpoint ended early".into());
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map(|runtime| runtime.block_on(future))
        });
        asked
            .join()
            .map_err(|_| gone())?
            .map_err(crate::error::io("cannot start a thread for an endpoint"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_put_into_the_order_of_the_passages() {
        let value = json!({"results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]});
        assert_eq!(scores(&value, 2), Ok(vec![0.1, 0.9]));
        assert_eq!(scores(&json!([{"index": 0, "score": 2.0}]), 1), Ok(vec![2.0]));
        for (wrong, count) in [
            (json!({}), 1),
            (json!({"results": []}), 1),
            (json!({"results": [{"index": 5, "relevance_score": 1.0}]}), 1),
            (json!({"results": [{"index": 0, "relevance_score": "high"}]}), 1),
        ] {
            assert!(scores(&wrong, count).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_address_has_to_be_one() {
        for url in ["", "rerank", "ftp://host/x"] {
            assert!(EndpointReranker::new(url.into(), None, None).is_err(), "{url}");
        }
    }
}
