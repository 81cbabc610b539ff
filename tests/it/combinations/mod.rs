//! Ways by which a value gets from one place to another, each with all that a value is handed over in, as programs that are run and asked.
//!
//! `combinations/<language>.toml` has the ways and the hand-overs:
//!
//! ```toml
//! [called]
//! "by keyword" = '{o} = work(p={x})'
//!
//! [[hand_over]]
//! name = "list"
//! value = '["x", {v}]'
//! read = 'p[1]'
//! ```
//!
//! These two make the program `called / by keyword / list`. It has two sides, and only one of them is handed the secret; what else it
//! mentions, here `work`, comes from `combinations/<language>-definitions.toml`:
//!
//! ```python
//! def work(p):
//!     return p[1]
//!
//!
//! def main():
//!     secret = input()
//! #   ^ source secret
//!     one = work(p=["x", secret])
//!     two = work(p=["x", "clean"])
//!     print(one)
//! #         ^ sees secret
//!     print(two)
//! #         ^ sees nothing
//!
//!
//! main()
//! ```
//!
//! That the carets tell the truth is not believed: every program is run, and has to print the secret first and then something else. The
//! programs for which today's graph says otherwise stand in `combinations/<language>-losses.toml`, and those alone may:
//! `UPDATE_PAGES=1` rewrites these files.

mod table;
mod truth;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rayon::prelude::*;
use serde::Deserialize;

use crate::pages::{Answer, Page, answers};
use table::{Program, path, programs, read, wanted};

#[test]
fn python_combinations_hold() {
    hold("python");
}

#[test]
fn go_combinations_hold() {
    hold("go");
}

/// Asks today's graph about every program, and compares its losses with those that are known.
fn hold(language: &str) {
    let programs = programs(language);
    let answers: Vec<[Answer; 2]> = programs.par_iter().map(|program| ask(program, language)).collect();
    if let Some(wanted) = wanted() {
        println!("{language}: {} programs of `{wanted}`", programs.len());
        for (program, [first, second]) in programs.iter().zip(&answers) {
            println!("\n{}", program.section(language));
            println!("today: {:?}, then {:?}", first.actual, second.actual);
        }
        return;
    }
    let mut today = Losses::default();
    for (program, [first, second]) in programs.iter().zip(&answers) {
        for (answer, losses) in [(first, &mut today.lost), (second, &mut today.too_much)] {
            if !answer.is_expected {
                let of_way = losses.entry(program.way.clone()).or_default();
                of_way.push(program.hand_over.clone());
            }
        }
    }
    println!(
        "{language}: {} programs, {} lost, {} see too much",
        programs.len(),
        pairs(&today.lost).len(),
        pairs(&today.too_much).len()
    );
    if std::env::var_os("UPDATE_PAGES").is_some() {
        fs::write(path(language, "-losses"), today.render(language)).expect("the losses can be written");
        return;
    }
    let known: Losses = read(language, "-losses");
    let mut differs = Vec::new();
    for (what, known, today) in [
        ("lost", &known.lost, &today.lost),
        ("too_much", &known.too_much, &today.too_much),
    ] {
        let (known, today) = (pairs(known), pairs(today));
        let told = |(way, hand_over): &(&str, &str)| format!("{way} / {hand_over}");
        differs.extend(today.difference(&known).map(|pair| format!("{}: {what}", told(pair))));
        differs.extend(
            known
                .difference(&today)
                .map(|pair| format!("{}: no longer {what}, take it off", told(pair))),
        );
    }
    assert!(
        differs.is_empty(),
        "{} differ from {language}-losses.toml (RIPPLE_COMBINATION=\"way / hand-over\" prints a program):\n{}",
        differs.len(),
        differs.join("\n")
    );
}

/// What the graph says at the two prints of a program.
fn ask(program: &Program, language: &str) -> [Answer; 2] {
    let page = Page::parse(&program.section(language));
    let mut answers = answers(&page.sections[0]).into_iter();
    match (answers.next(), answers.next(), answers.next()) {
        (Some(source), Some(first), Some(second)) if source.is_expected => [first, second],
        _ => panic!("{}: the secret has no place in the graph", program.title()),
    }
}

/// The programs for which today's graph is wrong.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Losses {
    /// The secret does not arrive where it is handed.
    lost: ByWay,
    /// It arrives where it is not handed, too.
    too_much: ByWay,
}

/// Names of hand-overs, by way.
type ByWay = BTreeMap<String, Vec<String>>;

impl Losses {
    fn render(&self, language: &str) -> String {
        let mut text = format!(
            "# What today's graph gets wrong of the programs of `{language}.toml`, by way: for which hand-overs. `UPDATE_PAGES=1` rewrites \
            this file.\n"
        );
        for (what, losses) in [("lost", &self.lost), ("too_much", &self.too_much)] {
            text += &format!("\n[{what}]\n");
            for (way, hand_overs) in losses {
                text += &format!("{way:?} = {hand_overs:?}\n");
            }
        }
        text
    }
}

fn pairs(losses: &ByWay) -> BTreeSet<(&str, &str)> {
    losses
        .iter()
        .flat_map(|(way, hand_overs)| hand_overs.iter().map(|name| (way.as_str(), name.as_str())))
        .collect()
}
