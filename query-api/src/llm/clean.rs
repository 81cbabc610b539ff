//! [`Clean`]: what a model says, without what should not be shown: the key, and the thoughts that some models write first.
//!
//! Pieces go in as they arrive and come out as soon as they can no longer be the beginning of either:
//!
//! ```text
//! in    "<thi" "nk>hm</think>\n" "The " "key is sk-0123" "456789abcdef."
//! out   ""     ""                "The " "key is "        "[key]."
//! ```

use super::Secret;

/// The filter of one answer.
pub(super) struct Clean {
    secret: Option<Secret>,
    /// What arrived and is not yet given on.
    held: String,
    state: State,
}

enum State {
    /// Nothing but space so far.
    Start,
    /// Inside of the thoughts.
    Thinking,
    /// The answer itself.
    Text,
}

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

impl Clean {
    pub fn new(secret: Option<&Secret>) -> Self {
        Self {
            secret: secret.filter(|secret| secret.telling().is_some()).cloned(),
            held: String::new(),
            state: State::Start,
        }
    }

    /// A whole answer at once.
    pub fn whole(secret: Option<&Secret>, text: &str) -> String {
        let mut clean = Self::new(secret);
        let mut all = clean.push(text);
        all.push_str(&clean.end());
        all
    }

    /// The next piece; gives what can be shown by now.
    pub fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        loop {
            match self.state {
                State::Start => {
                    let text = self.held.trim_start();
                    if let Some(rest) = text.strip_prefix(OPEN) {
                        self.held = rest.to_owned();
                        self.state = State::Thinking;
                    } else if OPEN.starts_with(text) {
                        return String::new();
                    } else {
                        self.held = text.to_owned();
                        self.state = State::Text;
                    }
                }
                State::Thinking => {
                    let Some((_, rest)) = self.held.split_once(CLOSE) else {
                        // The end of the thoughts may have begun.
                        let mut keep = self.held.len().saturating_sub(CLOSE.len());
                        while !self.held.is_char_boundary(keep) {
                            keep -= 1;
                        }
                        self.held.drain(..keep);
                        return String::new();
                    };
                    self.held = rest.to_owned();
                    self.state = State::Start;
                }
                State::Text => {
                    let keep = self.secret.as_ref().map_or(0, |secret| begun(secret, &self.held));
                    let given: String = self.held.drain(..self.held.len() - keep).collect();
                    return self.scrubbed(given);
                }
            }
        }
    }

    /// What is left at the end.
    pub fn end(&mut self) -> String {
        let rest = std::mem::take(&mut self.held);
        match self.state {
            State::Thinking => String::new(),
            State::Start | State::Text => self.scrubbed(rest),
        }
    }

    fn scrubbed(&self, text: String) -> String {
        match &self.secret {
            Some(secret) => secret.scrub(&text),
            None => text,
        }
    }
}

/// Bytes at the end of the text that may be the beginning of the key.
fn begun(secret: &Secret, text: &str) -> usize {
    let key = secret.telling().unwrap_or_default();
    let longest = key.len().saturating_sub(1).min(text.len());
    (1..=longest)
        .rev()
        .find(|length| text.as_bytes().ends_with(&key.as_bytes()[..*length]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-0123456789abcdef";

    fn said(text: &str, size: usize) -> String {
        let secret = Secret::new(KEY);
        let mut clean = Clean::new(Some(&secret));
        let letters: Vec<char> = text.chars().collect();
        let mut all = String::new();
        for piece in letters.chunks(size) {
            all.push_str(&clean.push(&piece.iter().collect::<String>()));
        }
        all + &clean.end()
    }

    #[test]
    fn pieces_of_any_size_come_to_the_same() {
        for (text, wanted) in [
            ("plain: übung <think>", "plain: übung <think>"),
            ("<think>hm, ü</thin</think>\n\nyes", "yes"),
            (" <think></think>", ""),
            ("<think>never ends", ""),
            ("<thi", "<thi"),
            ("it is sk-0123456789abcdef, sk-01", "it is [key], sk-01"),
            ("", ""),
        ] {
            for size in 1..=text.chars().count().max(1) {
                assert_eq!(said(text, size), wanted, "{text:?} by {size}");
            }
        }
    }

    #[test]
    fn text_is_given_on_at_once() {
        let mut clean = Clean::new(None);
        assert_eq!(clean.push("The "), "The ");
        assert_eq!(clean.push("end"), "end");
    }
}
