//! [`underline`]: shows where in a text something is meant.
//!
//! ```text
//! 1 | MATCH (n) DELETE n
//!   |           ^^^^^^
//! ```

use std::ops::Range;

/// The line of `text` where `span` begins, with carets under the span.
///
/// ```
/// let text = "MATCH (n)\nDELETE n";
/// assert_eq!(ripple_query_api::caret::underline(text, &(10..16)), "2 | DELETE n\n  | ^^^^^^");
/// ```
pub fn underline(text: &str, span: &Range<usize>) -> String {
    let start = floor(text, span.start);
    let end = floor(text, span.end).max(start);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let number = (text[..start].matches('\n').count() + 1).to_string();
    let line = text[line_start..line_end].trim_end_matches('\r');
    // Tabs stay tabs, so that the carets stand where the terminal puts the text.
    let indent: String = text[line_start..start]
        .chars()
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let carets = "^".repeat(text[start..end.min(line_end)].chars().count().max(1));
    format!("{number} | {line}\n{} | {indent}{carets}", " ".repeat(number.len()))
}

/// The nearest character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_stand_under_the_span() {
        let check = |text: &str, span: Range<usize>, expected: &str| assert_eq!(underline(text, &span), expected);
        check("", 0..0, "1 | \n  | ^");
        check("RETURN 1", 7..8, "1 | RETURN 1\n  |        ^");
        check("é MATCH", 3..8, "1 | é MATCH\n  |   ^^^^^");
        check("é", 1..99, "1 | é\n  | ^");
        check("a\nbb\nccc", 5..8, "3 | ccc\n  | ^^^");
        check("a\nbb", 0..4, "1 | a\n  | ^");
    }
}
