//! Texts of declarations, tidied for people.
//!
//! `one_line("def f(\n    a,\n)")` is `def f( a, )`.

/// A documentation text: outer blanks and common indentation removed, cut to what a node keeps.
pub fn tidy_doc(text: &str) -> String {
    let indent = text
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut tidy = String::new();
    for (index, line) in text.trim().lines().enumerate() {
        if index > 0 {
            tidy.push('\n');
        }
        let line = if index == 0 {
            line
        } else {
            line.get(indent..).unwrap_or(line.trim_start())
        };
        tidy.push_str(line.trim_end());
    }
    cut(&mut tidy, ripple_schema::Node::DOC_LIMIT);
    tidy
}

/// A declaration on one line: white space folded, cut to 400 bytes.
pub fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&mut line, 400);
    line
}

fn cut(text: &mut String, limit: usize) {
    if text.len() > limit {
        let mut end = limit;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
}
