//! The tokenizer of every text field: identifiers by their words, words by their stems.
//!
//! `parse_args()` becomes `pars`, `arg`, `argument` (what `args` is short for, by its stem) and `parseargs` (the whole).

use rustc_hash::FxHashMap;
use tantivy::tokenizer::{Language, RawTokenizer, Stemmer, TextAnalyzer, Token, TokenStream as Stream, Tokenizer};

use super::words::{identifiers, long_form, parts};

/// Its name in the index's schema.
pub(crate) const NAME: &str = "code";

/// Longer words say nothing (hashes, encoded data) and are cut, in bytes.
const LONGEST: usize = 40;

/// Most words, and most identifiers, that are remembered.
const MOST: usize = 200_000;

/// Splits text for the index; questions go through it too.
#[derive(Clone)]
pub(crate) struct CodeTokenizer {
    stemmer: TextAnalyzer,
    /// Words met before, by their stem: source repeats itself.
    stems: FxHashMap<String, String>,
    /// Identifiers met before: their tokens end to end, and where each ends.
    known: FxHashMap<String, (Box<str>, Box<[usize]>)>,
    text: String,
    ends: Vec<usize>,
    token: Token,
}

impl Default for CodeTokenizer {
    fn default() -> Self {
        Self {
            stemmer: TextAnalyzer::builder(RawTokenizer::default())
                .filter(Stemmer::new(Language::English))
                .build(),
            stems: FxHashMap::default(),
            known: FxHashMap::default(),
            text: String::new(),
            ends: Vec::new(),
            token: Token::default(),
        }
    }
}

impl CodeTokenizer {
    /// The tokens of a text, in order.
    pub(crate) fn tokens(&mut self, text: &str) -> Vec<String> {
        self.split(text);
        let mut start = 0;
        let ends = self.ends.iter();
        ends.map(|&end| self.text[std::mem::replace(&mut start, end)..end].to_owned())
            .collect()
    }

    fn split(&mut self, text: &str) {
        self.text.clear();
        self.ends.clear();
        for (_, identifier) in identifiers(text) {
            let start = self.text.len();
            if let Some((tokens, ends)) = self.known.get(identifier) {
                self.text.push_str(tokens);
                self.ends.extend(ends.iter().map(|end| start + end));
                continue;
            }
            let first = self.ends.len();
            self.push_identifier(identifier);
            if self.known.len() > MOST {
                self.known.clear();
            }
            let ends = self.ends[first..].iter().map(|end| end - start).collect();
            self.known
                .insert(identifier.to_owned(), (self.text[start..].into(), ends));
        }
    }

    fn push_identifier(&mut self, identifier: &str) {
        let mut word = String::new();
        let mut whole = String::new();
        let mut count = 0;
        for part in parts(identifier) {
            count += 1;
            word.clear();
            word.extend(part.chars().flat_map(char::to_lowercase));
            whole.push_str(&word);
            cut(&mut word);
            self.push_stem(&word);
            for long in long_form(&word).into_iter().flat_map(|long| long.split(' ')) {
                self.push_stem(long);
            }
            let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
            if letters.len() < word.len() && letters.len() > 1 {
                let letters = letters.to_owned();
                self.push_stem(&letters);
            }
        }
        if count > 1 && whole.len() <= 2 * LONGEST {
            self.text.push_str(&whole);
            self.ends.push(self.text.len());
        }
    }

    fn push_stem(&mut self, word: &str) {
        if let Some(stem) = self.stems.get(word) {
            self.text.push_str(stem);
        } else {
            let stem = {
                let mut stream = self.stemmer.token_stream(word);
                if stream.advance() {
                    stream.token().text.clone()
                } else {
                    word.to_owned()
                }
            };
            self.text.push_str(&stem);
            if self.stems.len() > MOST {
                self.stems.clear();
            }
            self.stems.insert(word.to_owned(), stem);
        }
        self.ends.push(self.text.len());
    }
}

fn cut(word: &mut String) {
    if word.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|&end| word.is_char_boundary(end)).unwrap_or(0);
        word.truncate(end);
    }
}

impl Tokenizer for CodeTokenizer {
    type TokenStream<'a> = TokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TokenStream<'a> {
        self.split(text);
        self.token.reset();
        TokenStream {
            text: &self.text,
            ends: &self.ends,
            token: &mut self.token,
            next: 0,
            start: 0,
        }
    }
}

/// The tokens of one text.
pub(crate) struct TokenStream<'a> {
    text: &'a str,
    ends: &'a [usize],
    token: &'a mut Token,
    next: usize,
    start: usize,
}

impl Stream for TokenStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(&end) = self.ends.get(self.next) else {
            return false;
        };
        self.token.text.clear();
        self.token.text.push_str(&self.text[self.start..end]);
        self.token.offset_from = self.start;
        self.token.offset_to = end;
        self.token.position = self.next;
        self.token.position_length = 1;
        self.start = end;
        self.next += 1;
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stems_long_forms_and_wholes() {
        let mut tokenizer = CodeTokenizer::default();
        assert_eq!(
            tokenizer.tokens("parse_args()"),
            ["pars", "arg", "argument", "parseargs"]
        );
        assert_eq!(tokenizer.tokens("parseArgs"), tokenizer.clone().tokens("parse_args"));
        assert_eq!(tokenizer.tokens("decides"), tokenizer.clone().tokens("decide"));
        assert_eq!(tokenizer.tokens("sha256"), ["sha256", "sha"]);
        assert_eq!(tokenizer.tokens(" ,.: "), [""; 0]);
        assert!(tokenizer.tokens(&"x".repeat(100_000))[0].len() <= LONGEST);
        assert_eq!(tokenizer.tokens("где почта").len(), 2);
    }
}
