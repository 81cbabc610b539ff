//! The confidences of rules to what was read: `accuracy/rules/edges.jsonl` has edges of real packages, each with whether it holds.
//!
//! Forty edges of `library-table`, of which 30 hold, are a confidence of 0.75. `accuracy/rules/rules.py` draws the sample and tells
//! what *holds* means.

use std::collections::BTreeMap;
use std::fs;

use ripple_schema::Rule;
use serde::Deserialize;

use crate::support;

/// Fewer edges than this say nothing.
const LEAST: usize = 30;

#[derive(Deserialize)]
struct Read {
    rule: String,
    holds: Option<bool>,
}

/// A rule whose edges were read has the share of them that hold; any other one is marked as an estimate.
#[test]
fn confidences_are_the_shares_that_hold() -> Result<(), Box<dyn std::error::Error>> {
    let text = fs::read_to_string(support::tests_folder().join("accuracy/rules/edges.jsonl"))?;
    let mut shares: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for line in text.lines() {
        let read: Read = serde_json::from_str(line)?;
        let Some(holds) = read.holds else { continue };
        let share = shares.entry(read.rule).or_default();
        share.0 += usize::from(holds);
        share.1 += 1;
    }
    let mut wrong = Vec::new();
    for rule in Rule::ALL {
        let measured = shares.get(rule.name()).filter(|(_, read)| *read >= LEAST);
        let share = measured.map(|(held, read)| (*held as f64 / *read as f64 * 100.0).round() / 100.0);
        let declared = rule.measured().then(|| rule.confidence());
        if share != declared {
            wrong.push(format!("{}: read {share:?}, declared {declared:?}", rule.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
