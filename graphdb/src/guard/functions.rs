//! Functions that may not be called, or only with arguments that are known to be harmless.
//!
//! Nearly every function of the engine reads its arguments and nothing else. Found by trying, the others are:
//!
//! - `nextval`, `currval`: they use sequences, which belong to the database.
//! - `range`: its list lies outside the memory that the engine limits and counts, and with constant arguments it is made while the
//!   query is planned, where no clock is looked at: `range(1, 1000000000)` takes all memory there is. So its bounds must be
//!   numbers (or `length(…)` of a path, which is short), and all of a text together may make [`MAX_RANGE`] elements.
//! - `string_split` and the like cut between bytes when the separator is empty. Text that is no longer UTF-8 ends the
//!   process when it gets into a message. So the separator must be a text that is written out and not empty.

use std::ops::Range;

use super::token::Kind;
use super::{Refusal, Statement};

/// Most elements that the `range` of a text may make, one multiplied with the other.
pub const MAX_RANGE: u64 = 1_000_000;

/// What `length(…)` counts for as a bound: no path is longer by default.
const LENGTH: i64 = 30;

const SEQUENCE: &[&str] = &["CURRVAL", "NEXTVAL"];
const SPLIT: &[&str] = &[
    "REGEXP_SPLIT_TO_ARRAY",
    "SPLIT_PART",
    "STRING_SPLIT",
    "STRING_TO_ARRAY",
    "STR_SPLIT",
];

impl Statement<'_> {
    /// No call touches more than its arguments, or more memory than there is.
    pub(super) fn harmless_calls(&self) -> Result<(), Refusal> {
        let mut elements = 1_u64;
        for index in (0..self.tokens.len()).filter(|&index| self.symbol(index + 1, '(')) {
            let name = self.function(index);
            if SEQUENCE.contains(&name.as_str()) {
                return Err(self.refuse("functions of sequences are not allowed", &self.tokens[index]));
            }
            if SPLIT.contains(&name.as_str())
                && !self
                    .arguments(index + 1)
                    .get(1)
                    .is_some_and(|argument| self.is_filled_text(argument))
            {
                return Err(self.refuse(
                    "the separator must be a text in quotes, and not empty",
                    &self.tokens[index],
                ));
            }
            if name == "RANGE" {
                let bounds = self
                    .arguments(index + 1)
                    .iter()
                    .map(|argument| self.bound(argument))
                    .collect::<Option<Vec<i64>>>();
                let Some(size) = bounds.as_deref().and_then(range_size) else {
                    return Err(self.refuse("the bounds of range must be numbers, or length(…)", &self.tokens[index]));
                };
                elements = elements.saturating_mul(size.max(1));
                if elements > MAX_RANGE {
                    return Err(self.refuse(
                        &format!("range may make {MAX_RANGE} elements at most"),
                        &self.tokens[index],
                    ));
                }
            }
        }
        Ok(())
    }

    /// Name of the function that may be called there, in upper case; backticks do not hide it.
    fn function(&self, index: usize) -> String {
        let token = &self.tokens[index];
        match token.kind {
            Kind::Word | Kind::Quoted => self.text[token.span.clone()].trim_matches('`').to_ascii_uppercase(),
            _ => String::new(),
        }
    }

    /// The tokens of each argument, for the bracket that opens there.
    fn arguments(&self, open: usize) -> Vec<Range<usize>> {
        let mut depth = 0_usize;
        let mut start = open + 1;
        let mut arguments = Vec::new();
        for index in open..self.tokens.len() {
            match self.tokens[index].kind {
                Kind::Symbol('(' | '[' | '{') => depth += 1,
                Kind::Symbol(')' | ']' | '}') if depth == 1 => {
                    arguments.push(start..index);
                    break;
                }
                Kind::Symbol(')' | ']' | '}') => depth = depth.saturating_sub(1),
                Kind::Symbol(',') if depth == 1 => {
                    arguments.push(start..index);
                    start = index + 1;
                }
                _ => {}
            }
        }
        arguments
    }

    fn is_filled_text(&self, argument: &Range<usize>) -> bool {
        let token = &self.tokens[argument.start];
        argument.len() == 1 && token.kind == Kind::Text && token.span.len() > 2
    }

    /// `7`, `-7`, `length(p)`, `length(p) - 1`.
    fn bound(&self, argument: &Range<usize>) -> Option<i64> {
        if self.is(argument.start, "length") && self.symbol(argument.start + 1, '(') {
            let inner = self.arguments(argument.start + 1).last()?.end;
            let rest = inner + 1..argument.end;
            return if rest.is_empty() {
                Some(LENGTH)
            } else {
                LENGTH.checked_add(self.signed(&rest)?)
            };
        }
        self.signed(argument)
    }

    fn signed(&self, tokens: &Range<usize>) -> Option<i64> {
        let number = |index: usize| {
            let token = self.tokens.get(index).filter(|token| token.kind == Kind::Number)?;
            self.text[token.span.clone()].parse::<i64>().ok()
        };
        match tokens.len() {
            1 => number(tokens.start),
            2 if self.symbol(tokens.start, '-') => number(tokens.start + 1).map(|value| -value),
            2 if self.symbol(tokens.start, '+') => number(tokens.start + 1),
            _ => None,
        }
    }
}

fn range_size(bounds: &[i64]) -> Option<u64> {
    let (start, end, step) = match *bounds {
        [start, end] => (start, end, 1),
        [start, end, step] => (start, end, step),
        _ => return None,
    };
    let step = step.unsigned_abs().max(1);
    Some(start.abs_diff(end) / step + 1)
}
