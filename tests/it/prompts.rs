//! Every example that a language model is shown runs on the sample shop, and finds something.

use std::collections::BTreeMap;

use ripple_graphdb::Limits;

use crate::reach::open_shop;
use crate::support::tests_folder;

#[test]
fn examples_of_the_dialect_card_run() {
    let folder = tests_folder().join("../prompts");
    let (reader, _folder) = open_shop();
    let mut examples = 0;
    for entry in std::fs::read_dir(&folder).expect("the prompts are there") {
        let path = entry.expect("the folder can be read").path();
        let text = std::fs::read_to_string(&path).expect("a prompt can be read");
        for block in text.split("```cypher\n").skip(1) {
            let query = block.split("```").next().unwrap_or("");
            let rows = reader.query(query, &BTreeMap::new(), &Limits::default());
            let rows = rows.unwrap_or_else(|error| panic!("{}: {error}\n{query}", path.display()));
            assert!(!rows.rows.is_empty(), "{}: nothing found by\n{query}", path.display());
            examples += 1;
        }
    }
    assert!(examples >= 6, "{examples} examples");
}

#[test]
fn the_readme_shows_what_its_question_gives() {
    let text = std::fs::read_to_string(tests_folder().join("../README.md")).expect("the README is there");
    let query = text
        .split("```cypher\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("a question");
    let shown = text
        .split("```text\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("an answer");
    let (reader, _folder) = open_shop();
    let rows = reader
        .query(query, &BTreeMap::new(), &Limits::default())
        .expect("the question runs");
    let found: Vec<String> = rows
        .rows
        .iter()
        .map(|row| serde_json::to_value(&row[0]).unwrap().as_str().unwrap().to_owned())
        .collect();
    let listed: Vec<&str> = shown
        .lines()
        .filter(|line| line.starts_with("│ pipeline"))
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    assert_eq!(found, listed);
}
