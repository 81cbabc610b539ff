//! Transformers of the BERT family in Hugging Face layout, run on the processor: an embedder (mean of the last layer), a
//! cross-encoder (question and passage together to one score), and token vectors for late interaction.
//!
//! A folder holds `config.json`, `tokenizer.json` and `model.safetensors`; a cross-encoder's weights have a `classifier` too.

use std::path::Path;

use candle_core::{DType, Device, IndexOp as _, Tensor};
use candle_nn::{Linear, Module as _, VarBuilder};
use candle_transformers::models::bert::{BertModel, Config};
use tokenizers::{EncodeInput, PaddingParams, PaddingStrategy, Tokenizer, TruncationParams, TruncationStrategy};

use super::embed::{self, Embedder, ModelId, Purpose};
use crate::Error;

/// Longest text, in tokens: the cost grows with its square.
const TOKENS: usize = 128;

/// A transformer, its tokenizer, and a head if its weights have one.
pub struct Transformer {
    place: String,
    model: BertModel,
    tokenizer: Tokenizer,
    classifier: Option<(Option<Linear>, Linear)>,
    hash: u64,
    dimensions: usize,
}

/// Mean of the last layer's vectors.
pub struct TransformerEmbedder {
    id: ModelId,
    inner: Transformer,
}

impl Transformer {
    /// Reads a folder.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let place = folder.display().to_string();
        let wrong = |file: &str, error: &dyn std::fmt::Display| Error::Model {
            place: place.clone(),
            message: format!("{file}: {error}"),
        };
        let settings = embed::read(folder, "config.json")?;
        let words = embed::read(folder, "tokenizer.json")?;
        let weights = embed::read(folder, "model.safetensors")?;
        let hash = embed::hash(&[&settings, &words, &weights]);
        let config: Config = serde_json::from_slice(&settings).map_err(|error| wrong("config.json", &error))?;
        let mut tokenizer = Tokenizer::from_bytes(&words).map_err(|error| wrong("tokenizer.json", &error))?;
        tokenizer
            .with_truncation(Some(TruncationParams {
                max_length: TOKENS.min(config.max_position_embeddings),
                strategy: TruncationStrategy::LongestFirst,
                ..Default::default()
            }))
            .map_err(|error| wrong("tokenizer.json", &error))?;
        tokenizer.with_padding(Some(PaddingParams {
            strategy: PaddingStrategy::BatchLongest,
            ..Default::default()
        }));
        let variables = VarBuilder::from_buffered_safetensors(weights, DType::F32, &Device::Cpu)
            .map_err(|error| wrong("model.safetensors", &error))?;
        let model = BertModel::load(variables.clone(), &config).map_err(|error| wrong("model.safetensors", &error))?;
        let linear = |name: &str, out: usize| candle_nn::linear(config.hidden_size, out, variables.pp(name)).ok();
        let pooler =
            linear("bert.pooler.dense", config.hidden_size).or_else(|| linear("pooler.dense", config.hidden_size));
        let classifier = linear("classifier", 1).map(|head| (pooler, head));
        Ok(Self {
            place,
            model,
            tokenizer,
            classifier,
            hash,
            dimensions: config.hidden_size,
        })
    }

    /// Whether it scores pairs.
    pub fn is_cross_encoder(&self) -> bool {
        self.classifier.is_some()
    }

    /// How well each passage answers the question, by a cross-encoder.
    pub fn scores(&self, question: &str, passages: &[String]) -> Result<Vec<f32>, Error> {
        let Some((pooler, head)) = &self.classifier else {
            return Err(self.wrong(&"its weights have no `classifier`: it does not score pairs"));
        };
        let mut scores = Vec::with_capacity(passages.len());
        for batch in passages.chunks(16) {
            let pairs: Vec<EncodeInput<'_>> = batch.iter().map(|text| (question, text.as_str()).into()).collect();
            let run = || -> candle_core::Result<Vec<f32>> {
                let (layer, _) = self.forward(pairs)?;
                let first = layer.i((.., 0))?.contiguous()?;
                let first = match pooler {
                    Some(pooler) => pooler.forward(&first)?.tanh()?,
                    None => first,
                };
                head.forward(&first)?.squeeze(1)?.to_vec1()
            };
            scores.extend(run().map_err(|error| self.wrong(&error))?);
        }
        Ok(scores)
    }

    /// The vectors of each text's tokens, each of length 1, for late interaction.
    pub fn token_vectors(&self, texts: &[String]) -> Result<Vec<Vec<Vec<f32>>>, Error> {
        let mut all = Vec::with_capacity(texts.len());
        for batch in texts.chunks(16) {
            let run = || -> candle_core::Result<Vec<Vec<Vec<f32>>>> {
                let inputs = batch.iter().map(|text| text.as_str().into()).collect();
                let (layer, mask) = self.forward(inputs)?;
                let lengths = layer.sqr()?.sum_keepdim(2)?.sqrt()?.maximum(1e-9)?;
                let vectors: Vec<Vec<Vec<f32>>> = layer.broadcast_div(&lengths)?.to_vec3()?;
                let masks: Vec<Vec<f32>> = mask.to_vec2()?;
                let kept = vectors.into_iter().zip(masks).map(|(tokens, mask)| {
                    let tokens = tokens.into_iter().zip(mask).filter(|(_, kept)| *kept > 0.0);
                    tokens.map(|(vector, _)| vector).collect()
                });
                Ok(kept.collect())
            };
            all.extend(run().map_err(|error| self.wrong(&error))?);
        }
        Ok(all)
    }

    /// The last layer (text, token, dimension) and which tokens count.
    fn forward(&self, inputs: Vec<EncodeInput<'_>>) -> candle_core::Result<(Tensor, Tensor)> {
        let encoded = self
            .tokenizer
            .encode_batch(inputs, true)
            .map_err(|error| candle_core::Error::Msg(error.to_string()))?;
        let stack = |of: &dyn Fn(&tokenizers::Encoding) -> Vec<u32>| -> candle_core::Result<Tensor> {
            let rows = encoded.iter().map(|text| Tensor::new(of(text), &Device::Cpu));
            Tensor::stack(&rows.collect::<candle_core::Result<Vec<_>>>()?, 0)
        };
        let ids = stack(&|text| text.get_ids().to_vec())?;
        let types = stack(&|text| text.get_type_ids().to_vec())?;
        let mask = stack(&|text| text.get_attention_mask().to_vec())?;
        let layer = self.model.forward(&ids, &types, Some(&mask))?;
        Ok((layer, mask.to_dtype(DType::F32)?))
    }

    fn wrong(&self, error: &dyn std::fmt::Display) -> Error {
        Error::Model {
            place: self.place.clone(),
            message: error.to_string(),
        }
    }
}

impl TransformerEmbedder {
    /// Reads a folder, and tries the model on one text: weights of the wrong size show here.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let inner = Transformer::open(folder)?;
        let name = folder
            .file_name()
            .unwrap_or(folder.as_os_str())
            .to_string_lossy()
            .into_owned();
        let id = ModelId {
            name,
            place: inner.place.clone(),
            dimensions: inner.dimensions,
            hash: inner.hash,
        };
        let embedder = Self { id, inner };
        embedder.embed(&["try".to_owned()], Purpose::Question)?;
        Ok(embedder)
    }
}

impl Embedder for TransformerEmbedder {
    fn model(&self) -> &ModelId {
        &self.id
    }

    fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<f32>, Error> {
        // Texts of like length together: a batch is as long as its longest.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&text| texts[text].len());
        let dimensions = self.inner.dimensions;
        let mut all = vec![0.0; texts.len() * dimensions];
        for batch in order.chunks(32) {
            let run = || -> candle_core::Result<Vec<f32>> {
                let inputs = batch.iter().map(|&text| texts[text].as_str().into()).collect();
                let (layer, mask) = self.inner.forward(inputs)?;
                let mask = mask.unsqueeze(2)?;
                let sum = layer.broadcast_mul(&mask)?.sum(1)?;
                sum.broadcast_div(&mask.sum(1)?.maximum(1.0)?)?.flatten_all()?.to_vec1()
            };
            let vectors = run().map_err(|error| self.inner.wrong(&error))?;
            for (&text, vector) in batch.iter().zip(vectors.chunks(dimensions)) {
                all[text * dimensions..(text + 1) * dimensions].copy_from_slice(vector);
            }
        }
        embed::checked(&self.id, texts.len(), all)
    }

    fn batch(&self) -> usize {
        256
    }
}
