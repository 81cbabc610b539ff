//! Searches with other models than the one that ships: a transformer in a folder, as embedder and as re-ranker; an endpoint that embeds; a language model
//! that judges hits, and one that imagines an answer.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::program::{Run, ripple, run};
use crate::scripted_llm::ScriptedLlm;
use crate::search::{names, search, shop};
use crate::support::folder_of;

/// A transformer of the BERT family: five words, four dimensions, one layer that changes nothing. With a head it scores pairs.
fn tiny_transformer(folder: &Path, with_head: bool) {
    let config = json!({
        "vocab_size": 5, "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 4, "hidden_act": "gelu",
        "hidden_dropout_prob": 0.0, "max_position_embeddings": 32, "type_vocab_size": 2, "initializer_range": 0.02,
        "layer_norm_eps": 1e-12, "pad_token_id": 0, "position_embedding_type": "absolute", "use_cache": true, "model_type": "bert",
    });
    let tokenizer = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
        "model": {
            "type": "WordLevel", "unk_token": "[UNK]",
            "vocab": {"[PAD]": 0, "[UNK]": 1, "total": 2, "order": 3, "sum": 4},
        },
    });
    let words = vec![
        0.0, 0.0, 0.0, 0.0, 0.1, 0.2, 0.1, 0.3, 1.0, 0.0, 0.0, 0.2, 0.0, 1.0, 0.1, 0.0, 0.9, 0.1, 0.0, 0.3,
    ];
    let attention = "encoder.layer.0.attention";
    let mut tensors: Vec<(String, Vec<usize>, Vec<f32>)> = vec![
        ("embeddings.word_embeddings.weight".into(), vec![5, 4], words),
        (
            "embeddings.position_embeddings.weight".into(),
            vec![32, 4],
            vec![0.0; 128],
        ),
        (
            "embeddings.token_type_embeddings.weight".into(),
            vec![2, 4],
            vec![0.0; 8],
        ),
    ];
    for linear in ["self.query", "self.key", "self.value", "output.dense"].map(|name| format!("{attention}.{name}")) {
        tensors.push((format!("{linear}.weight"), vec![4, 4], vec![0.0; 16]));
        tensors.push((format!("{linear}.bias"), vec![4], vec![0.0; 4]));
    }
    for linear in ["intermediate.dense", "output.dense"] {
        tensors.push((format!("encoder.layer.0.{linear}.weight"), vec![4, 4], vec![0.0; 16]));
        tensors.push((format!("encoder.layer.0.{linear}.bias"), vec![4], vec![0.0; 4]));
    }
    for norm in [
        "embeddings",
        "encoder.layer.0.attention.output",
        "encoder.layer.0.output",
    ] {
        tensors.push((format!("{norm}.LayerNorm.weight"), vec![4], vec![1.0; 4]));
        tensors.push((format!("{norm}.LayerNorm.bias"), vec![4], vec![0.0; 4]));
    }
    if with_head {
        tensors.push(("classifier.weight".into(), vec![1, 4], vec![1.0, -1.0, 0.0, 0.0]));
        tensors.push(("classifier.bias".into(), vec![1], vec![0.0]));
    }
    let (mut head, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, shape, numbers) in tensors {
        let start = data.len();
        data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        head.insert(
            name,
            json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]}),
        );
    }
    let head = Value::Object(head).to_string();
    let model = [&(head.len() as u64).to_le_bytes()[..], head.as_bytes(), &data].concat();
    fs::create_dir_all(folder).expect("it can be made");
    fs::write(folder.join("config.json"), config.to_string()).expect("it can be written");
    fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).expect("it can be written");
    fs::write(folder.join("model.safetensors"), model).expect("it can be written");
}

#[test]
fn a_transformer_in_a_folder_embeds_and_re_ranks() {
    let folder = folder_of([(
        "a.py",
        "def total(order): pass\n\n\ndef sum(order): pass\n\n\ndef other(x): pass\n",
    )]);
    let (embedder, pairs) = (
        folder.path().join("models/embedder"),
        folder.path().join("models/pairs"),
    );
    tiny_transformer(&embedder, false);
    tiny_transformer(&pairs, true);
    run(folder.path(), &["index", "--embedder", "models/embedder"]).ok();
    let answer = search(folder.path(), &["total order"]);
    assert_eq!(answer["notes"], json!([]), "{answer:#}");
    assert!(
        answer["hits"][0]["sources"].to_string().contains("\"vector\""),
        "{answer:#}"
    );
    let mut before = names(&answer);
    before.sort();
    for reranker in ["models/pairs", "models/embedder"] {
        let answer = search(folder.path(), &["total order", "--reranker", reranker]);
        assert_eq!(answer["notes"], json!([]), "{reranker}: {answer:#}");
        let mut after = names(&answer);
        after.sort();
        assert_eq!(after, before, "{reranker}");
    }
    // Longer than the model has places for.
    let long = "total order ".repeat(500);
    assert!(!names(&search(folder.path(), &[&long])).is_empty());
    let model = embedder.join("model.safetensors");
    let whole = fs::read(&model).expect("it is there");
    fs::write(&model, &whole[..whole.len() - 8]).expect("it can be written");
    run(folder.path(), &["index", "--embedder", "models/embedder"]).ended(9, "model.safetensors");
    let config = fs::read_to_string(pairs.join("config.json")).expect("it is there");
    fs::write(
        pairs.join("config.json"),
        config.replace("\"vocab_size\":5", "\"vocab_size\":7"),
    )
    .expect("it can be written");
    run(folder.path(), &["index", "--embedder", "models/pairs"]).ended(9, "model.safetensors");
    // The index from before is as it was, though its model is not.
    let answer = search(folder.path(), &["total"]);
    assert_eq!(names(&answer).first().map(String::as_str), Some("a.total"));
    assert!(
        answer["notes"].to_string().contains("vectors were not searched"),
        "{answer:#}"
    );
}

#[test]
fn an_endpoint_embeds_and_without_it_full_text_answers() {
    let folder = folder_of([("a.py", "def total(order): pass\n\n\ndef other(x): pass\n")]);
    let at = |replies: Value, arguments: &[&str]| {
        let model = ScriptedLlm::start(&replies);
        let mut command = ripple(folder.path(), arguments);
        command
            .envs(model.environment())
            .env("RIPPLE_EMBEDDING_MODEL", "vectors");
        Run::of(&mut command)
    };
    let vectors = |dimension: u32| json!([{"path": "embeddings", "dimension": dimension, "times": 0}]);
    let search = ["search", "total", "--format", "json"];
    at(vectors(8), &["index", "--embedder", "endpoint"]).ok();
    let answer = at(vectors(8), &search).ok().json();
    assert_eq!(answer["notes"], json!([]), "{answer:#}");
    assert!(answer.to_string().contains("\"vector\""), "{answer:#}");
    for replies in [
        vectors(4),
        json!([{"path": "embeddings", "status": 400, "body": "no", "times": 0}]),
        json!([{"path": "embeddings", "vectors": [[1, null]], "times": 0}]),
        json!([{"path": "embeddings", "body": "<html>", "times": 0}]),
    ] {
        let answer = at(replies.clone(), &search).ok().json();
        assert!(
            answer["notes"].to_string().contains("vectors were not searched"),
            "{replies}: {answer:#}"
        );
        assert_eq!(names(&answer).first().map(String::as_str), Some("a.total"), "{replies}");
        if replies != vectors(4) {
            let outcome = at(replies.clone(), &["index", "--embedder", "endpoint"]);
            assert_ne!(outcome.code, Some(0), "{replies}");
        }
    }
    let answer = at(vectors(8), &search).ok().json();
    assert_eq!(
        answer["notes"],
        json!([]),
        "the index from before is as it was: {answer:#}"
    );
}

#[test]
fn a_language_model_judges_hits() {
    let question = "the domain of a mail address";
    let before = names(&search(shop(), &[question, "--limit", "20"]));
    // Its name is not the beginning of another's, so that the script can tell it.
    let is_alone = |name: &&String| before.iter().filter(|other| other.starts_with(name.as_str())).count() == 1;
    let wanted = before[1..4].iter().find(is_alone).expect("there are hits");
    let words = wanted.replace(['.', '_', '/'], " ");
    let judged = |replies: Value| {
        let model = ScriptedLlm::start(&replies);
        let arguments = [
            question,
            "--limit",
            "20",
            "--format",
            "json",
            "--index",
            "index",
            "--reranker",
            "llm",
        ];
        let mut command = ripple(shop(), &["search"]);
        let answer = Run::of(command.args(arguments).envs(model.environment())).ok().json();
        (answer, model.requests())
    };
    let any = |text: &str, logprobs: Value| json!({"when": "yes or no", "text": text, "logprobs": logprobs});
    let (answer, requests) = judged(json!([
        {"when": words, "text": "Yes", "logprobs": {"Yes": -0.1, "No": -2.4}},
        any("No", json!({"No": -0.1, "Yes": -2.4})),
    ]));
    assert_eq!(names(&answer).first(), Some(wanted), "{answer:#}");
    assert_eq!(requests.len(), 20, "one call a candidate, and no more than 20");
    assert_eq!(requests[0]["body"]["logprobs"], json!(true));
    // An endpoint that refuses the field: its words count.
    let (answer, _) = judged(json!([
        {"has": "logprobs", "status": 400, "body": {"error": {"message": "logprobs is not supported"}}, "times": 0},
        {"when": words, "text": "yes."},
        any("no", json!(null)),
    ]));
    assert_eq!(names(&answer).first(), Some(wanted), "{answer:#}");
    // One that says neither: the order stays, and a note says why.
    let (answer, _) = judged(json!([any("perhaps", json!(null))]));
    assert_eq!(names(&answer), before);
    assert!(answer["notes"].to_string().contains("not re-ranked"), "{answer:#}");
    run(shop(), &["search", question, "--index", "index", "--reranker", "llm"]).ended(2, "RIPPLE_MODEL");
}

#[test]
fn a_language_model_imagines_an_answer() {
    let question = "where do junk senders get sorted out";
    let wanted = "pipeline.features.email.is_free_mail_provider";
    let asked = |replies: Value| {
        let model = ScriptedLlm::start(&replies);
        let arguments = [
            question, "--limit", "50", "--format", "json", "--index", "index", "--hyde",
        ];
        let mut command = ripple(shop(), &["search"]);
        let answer = Run::of(command.args(arguments).envs(model.environment())).ok().json();
        (answer, model.requests())
    };
    let place = |answer: &Value| {
        names(answer)
            .iter()
            .position(|name| name == wanted)
            .unwrap_or(usize::MAX)
    };
    let before = search(shop(), &[question, "--limit", "50"]);
    let (answer, requests) = asked(json!([
        {"when": "junk senders", "text": "def is_free_mail_provider(domain): whether a mail provider is free", "times": 0},
    ]));
    assert_eq!(requests.len(), 2, "one pass without context, one with it");
    assert!(!requests[0].to_string().contains("pipeline"), "{}", requests[0]);
    assert!(requests[1].to_string().contains("pipeline"), "{}", requests[1]);
    assert!(place(&answer) < 5 && place(&answer) <= place(&before), "{answer:#}");
    let (answer, _) = asked(json!([{"status": 400, "body": "no", "times": 0}]));
    assert!(
        answer["notes"].to_string().contains("no answer was imagined"),
        "{answer:#}"
    );
    assert!(!names(&answer).is_empty());
}
