//! [`Vocabulary`]: the words of many texts that say something, by number.
//!
//! `def total(items): return total_of(items)` holds `def`, `total`, `items` and `return`, each once, in this order. Source repeats itself: an
//! identifier is taken apart where it is met first, and looked up after that.

use rustc_hash::FxHashMap;

use super::words::{identifiers, is_stop_word, spoken};

/// Most identifiers that are remembered.
const MOST: usize = 200_000;

/// Words by number, and the words of identifiers met before.
#[derive(Default)]
pub(super) struct Vocabulary {
    words: Vec<Word>,
    numbers: FxHashMap<Box<str>, u32>,
    identifiers: FxHashMap<Box<str>, Box<[u32]>>,
    /// How many texts there were.
    texts: u64,
}

struct Word {
    text: Box<str>,
    says_something: bool,
    /// The text that it was met in last.
    met: u64,
}

impl Vocabulary {
    /// The first words of a text that say something, each once, at most so many. The text may come in parts.
    pub(super) fn content<'t>(&mut self, parts: impl IntoIterator<Item = &'t str>, most: usize) -> Vec<u32> {
        self.texts += 1;
        let mut kept = Vec::new();
        for part in parts {
            for (_, identifier) in identifiers(part) {
                if !self.identifiers.contains_key(identifier) {
                    self.take_apart(identifier);
                }
                for &number in self.identifiers.get(identifier).into_iter().flatten() {
                    if kept.len() >= most {
                        return kept;
                    }
                    let Some(word) = self.words.get_mut(number as usize) else {
                        continue;
                    };
                    if word.says_something && word.met != self.texts {
                        word.met = self.texts;
                        kept.push(number);
                    }
                }
            }
        }
        kept
    }

    /// A word by its number.
    pub(super) fn text(&self, number: u32) -> &str {
        self.words.get(number as usize).map_or("", |word| &word.text)
    }

    fn take_apart(&mut self, identifier: &str) {
        let spoken = spoken(identifier);
        let words = spoken.split(' ').filter(|word| !word.is_empty());
        let numbers = words.map(|word| self.number(word)).collect();
        if self.identifiers.len() > MOST {
            self.identifiers.clear();
        }
        self.identifiers.insert(identifier.into(), numbers);
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let length = word.chars().count();
        let number = self.words.len() as u32;
        self.words.push(Word {
            text: word.into(),
            says_something: (2..=24).contains(&length) && word.chars().all(char::is_alphabetic) && !is_stop_word(word),
            met: 0,
        });
        self.numbers.insert(word.into(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_that_says_something_once_and_not_too_many() {
        let mut vocabulary = Vocabulary::default();
        let mut check = |parts: &[&str], most: usize, expected: &[&str]| {
            let numbers = vocabulary.content(parts.iter().copied(), most);
            let words: Vec<&str> = numbers.iter().map(|number| vocabulary.text(*number)).collect();
            assert_eq!(words, expected, "{parts:?}");
        };
        let source = "def total(items): return total_of(items, 2)";
        check(&[source], 9, &["def", "total", "items", "return"]);
        check(&[source], 3, &["def", "total", "items"]);
        check(&["total", "TotalOf the items x"], 9, &["total", "items"]);
        check(
            &["", "utf8_decode(größeÄndern)"],
            9,
            &["utf", "decode", "größe", "ändern"],
        );
        check(&[], 9, &[]);
        check(&["total"], 0, &[]);
    }
}
