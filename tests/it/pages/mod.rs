//! The specification pages: `tests/pages/<language>/*.md`, each a text that a user could read.
//!
//! A section is a small program; a comment line with a caret says what must hold at the place above the caret:
//!
//! ```python
//! def greet(name):
//! #         ^ source who
//!     out = name.title()
//! #   ^ sees who
//!     print(out)
//! #   ^ calls builtin print
//! ```
//!
//! What is expected is the truth about the program. Where today's answer differs, the line says so behind `today`, and the test
//! holds it to that: a loss that is mended has to be taken off the page. `UPDATE_PAGES=1` rewrites these marks.

mod graph;
mod page;

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::support;
use graph::View;
use page::Expectation;
pub use page::{Page, Section};

#[test]
fn python_pages_hold() {
    check("python");
}

#[test]
fn go_pages_hold() {
    check("go");
}

/// What today's graph says to one expectation.
pub struct Answer {
    /// In the form of the page.
    pub actual: Result<String, String>,
    /// It is the truth.
    pub is_expected: bool,
    /// It is what the page says of today: the truth, where there is no mark.
    pub is_known: bool,
}

/// Asks the graph of a section for each of its expectations, in order.
pub fn answers(section: &Section) -> Vec<Answer> {
    let files = section.files.iter();
    let folder = support::folder_of(files.map(|file| (file.path.as_str(), file.text.as_str())));
    let extraction = support::extract_folder(folder.path());
    let view = View::new(&extraction.graph, section);
    let answer = |expectation: &Expectation| {
        let actual = view.answer(expectation);
        let is = |wanted: &str| {
            actual
                .as_ref()
                .is_ok_and(|actual| view.same(expectation, actual, wanted))
        };
        let is_expected = is(&expectation.expected);
        let is_known = expectation.today.as_deref().map_or(is_expected, is);
        Answer {
            actual,
            is_expected,
            is_known,
        }
    };
    section.expectations.iter().map(answer).collect()
}

/// What became of one expectation.
struct Outcome {
    line: usize,
    expected: String,
    actual: Result<String, String>,
}

/// Checks every page of a language.
fn check(language: &str) {
    let folder = support::tests_folder().join("pages").join(language);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the pages are there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 20, "{} pages in {}", paths.len(), folder.display());
    let results: Vec<(usize, usize, Vec<String>)> = paths.par_iter().map(|path| check_page(path)).collect();
    let total: usize = results.iter().map(|(total, _, _)| total).sum();
    let losses: usize = results.iter().map(|(_, losses, _)| losses).sum();
    println!(
        "{language}: {total} expectations on {} pages, {losses} known losses",
        paths.len()
    );
    let failures: Vec<String> = results.into_iter().flat_map(|(_, _, failures)| failures).collect();
    assert!(
        failures.is_empty(),
        "{} of {total} differ from the page:\n{}",
        failures.len(),
        failures.join("\n")
    );
    if std::env::var_os("UPDATE_PAGES").is_none() {
        readme_says(language, total, losses);
    }
}

/// The README counts the pages; it has to count right.
fn readme_says(language: &str, total: usize, losses: usize) {
    let readme = std::fs::read_to_string(support::tests_folder().join("../README.md")).expect("the README is there");
    let thousands = |number: usize| match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    };
    let name = if language == "go" { "Go" } else { "Python" };
    let row = format!(
        "| {name} | {} | {} | {losses} |",
        thousands(total),
        thousands(total - losses)
    );
    assert!(readme.contains(&row), "the README's row should be {row}");
}

/// Number of expectations, of known losses, and what differs.
fn check_page(path: &Path) -> (usize, usize, Vec<String>) {
    let text = std::fs::read_to_string(path).expect("the page can be read");
    let page = Page::parse(&text);
    let mut failures = Vec::new();
    let mut outcomes = Vec::new();
    let (mut total, mut losses) = (0, 0);
    for section in &page.sections {
        for (expectation, answer) in section.expectations.iter().zip(answers(section)) {
            total += 1;
            losses += usize::from(expectation.today.is_some());
            if !answer.is_known {
                let got = answer.actual.clone().unwrap_or_else(|error| format!("error: {error}"));
                failures.push(format!(
                    "{}:{}: {} {}\n    today: {got}{}",
                    path.display(),
                    expectation.line,
                    expectation.verb,
                    expectation.expected,
                    if expectation.today.is_some() {
                        " (the page's mark is out of date)"
                    } else {
                        ""
                    }
                ));
            }
            let expected = if answer.is_expected {
                String::new()
            } else {
                expectation.expected.clone()
            };
            outcomes.push(Outcome {
                line: expectation.line,
                expected,
                actual: answer.actual,
            });
        }
    }
    if std::env::var_os("UPDATE_PAGES").is_some() {
        update(path, &text, &outcomes, &page.all());
        return (total, losses, Vec::new());
    }
    (total, losses, failures)
}

/// Rewrites the marks of known losses.
fn update(path: &Path, text: &str, outcomes: &[Outcome], expectations: &[&Expectation]) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (outcome, expectation) in outcomes.iter().zip(expectations) {
        let line = &mut lines[outcome.line - 1];
        if let Some(start) = line.find(page::TODAY) {
            line.truncate(start);
        }
        if !outcome.expected.is_empty() && expectation.verb != "source" {
            let today = outcome.actual.clone().unwrap_or_else(|_| "no answer".to_owned());
            line.push_str(&format!("{}{today}", page::TODAY));
        }
    }
    std::fs::write(path, lines.join("\n") + "\n").expect("the page can be written");
}
