//! Columns that an expression names which stands in a text: `frame.query("hours > 0")`, `frame.eval("share = won / played")`,
//! `rows.selectExpr("distance / 1000 AS km")`.
//!
//! ```text
//! share = won / played        `won` and `played` are read, and `share` is made of them
//! hours > 0 and name == "x"   `hours` and `name`
//! name.str.len() > @least     `name`: what is called is no column, nor is a variable of the program
//! ```

/// Words that are no columns.
const WORDS: &[&str] = &[
    "and", "as", "asc", "between", "case", "cast", "desc", "distinct", "double", "else", "end", "false", "from", "if",
    "in", "int", "is", "like", "none", "not", "null", "or", "string", "then", "true", "when",
];

/// A longer text is not read.
const LENGTH_LIMIT: usize = 2_000;

/// What an expression reads, and what it calls the outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    pub reads: Vec<String>,
    pub makes: Option<String>,
}

/// The expressions of a text, one a line.
pub fn expressions(text: &str) -> Vec<Expression> {
    if text.len() > LENGTH_LIMIT {
        return Vec::new();
    }
    text.lines()
        .map(expression)
        .filter(|found| !found.reads.is_empty())
        .collect()
}

fn expression(line: &str) -> Expression {
    let (made, rest) = match line.split_once('=') {
        Some((left, right)) if is_name(left.trim()) && !right.starts_with('=') => (Some(left.trim()), right),
        _ => match line.rfind(" as ").or_else(|| line.rfind(" AS ")) {
            Some(at) if is_name(line[at + 4..].trim()) => (Some(line[at + 4..].trim()), &line[..at]),
            _ => (None, line),
        },
    };
    let mut reads = Vec::new();
    let mut rest = rest;
    // What stands before a word: a variable of the program is marked, a member is asked of something.
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        if matches!(first, '\'' | '"' | '`') {
            let inside = &rest[1..];
            let length = inside.find(first).unwrap_or(inside.len());
            if first == '`' {
                reads.push(inside[..length].to_owned());
            }
            rest = inside.get(length + 1..).unwrap_or("");
            before = first;
            continue;
        }
        let length = rest.find(|letter: char| !is_of_name(letter)).unwrap_or(rest.len());
        if length == 0 {
            before = first;
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, after) = rest.split_at(length);
        let is_called = after.trim_start().starts_with('(');
        let is_asked = before == '.' && after.starts_with('.');
        let is_word = WORDS.iter().any(|known| word.eq_ignore_ascii_case(known));
        if is_name(word) && before != '@' && !is_called && !is_asked && !is_word {
            reads.push(word.to_owned());
        }
        (before, rest) = (' ', after);
    }
    reads.sort_unstable();
    reads.dedup();
    Expression {
        reads,
        makes: made.map(str::to_owned),
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || first == '_') && word.chars().all(is_of_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_told_from_other_words() {
        let cases = [
            ("hours > 0", "hours"),
            ("hours > 0 and name == \"the hours\"", "hours name"),
            ("share = won / played", "share: played won"),
            ("share == won", "share won"),
            ("name.str.len() > @least", "name"),
            ("sum(fee) / count(*) as mean_fee", "mean_fee: fee"),
            ("`net fee` > 3", "net fee"),
            ("a = b\nc = d + 1", "a: b|c: d"),
            ("v.fee > 1.5e3", "fee v"),
            ("3 > 2", ""),
            ("'", ""),
        ];
        for (text, wanted) in cases {
            let shown = expressions(text).into_iter().map(|found| {
                let makes = found.makes.map(|makes| format!("{makes}: "));
                makes.unwrap_or_default() + &found.reads.join(" ")
            });
            assert_eq!(shown.collect::<Vec<_>>().join("|"), wanted, "{text}");
        }
    }
}
