//! Cypher text to tokens, as the engine's own lexer sees it, or a refusal.
//!
//! `RETURN 'a;b' /* c */ AS x;` is the tokens `RETURN`, `'a;b'`, `AS`, `x`, `;`. The rules follow the engine's published
//! grammar. Where that grammar is loose or surprising (an escape it does not know ends no string, `**` inside a comment
//! swallows the slash after it, a bare carriage return ends no line comment, `a$b` is one name) this lexer either does
//! the same or refuses: it never guesses.

use std::ops::Range;

use super::Refusal;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A bare word: keyword or name.
    Word,
    /// A name in backticks.
    Quoted,
    /// Text in quotes of either sort.
    Text,
    /// A number.
    Number,
    /// `$name`.
    Parameter,
    /// One character of punctuation; `..` is two.
    Symbol(char),
}

/// A token and where it stands, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
}

/// The tokens of a text, without blanks and comments.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, Refusal> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Result<Option<Token>, Refusal> {
        self.skip_blanks()?;
        let start = self.at;
        let Some(first) = self.peek() else {
            return Ok(None);
        };
        let kind = match first {
            '\'' | '"' => self.string(first)?,
            '`' => self.quoted_name()?,
            '0'..='9' => self.number(),
            '.' if self.peek_second().is_some_and(|c| c.is_ascii_digit()) => self.number(),
            '$' => {
                self.bump();
                if !self.peek().is_some_and(is_name) {
                    return Err(self.refuse("a parameter needs a name", start..self.at));
                }
                self.take_while(is_name);
                Kind::Parameter
            }
            _ if starts_name(first) => {
                self.take_while(is_name);
                Kind::Word
            }
            _ if is_punctuation(first) => {
                self.bump();
                Kind::Symbol(first)
            }
            _ => {
                self.bump();
                return Err(self.refuse("this character has no place in Cypher", start..self.at));
            }
        };
        Ok(Some(Token {
            kind,
            span: start..self.at,
        }))
    }

    fn skip_blanks(&mut self) -> Result<(), Refusal> {
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                self.block_comment()?;
            } else if rest.starts_with("//") {
                self.line_comment()?;
            } else if self.peek().is_some_and(is_blank) {
                self.bump();
            } else {
                return Ok(());
            }
        }
    }

    fn block_comment(&mut self) -> Result<(), Refusal> {
        let start = self.at;
        self.at += 2;
        let Some(length) = self.rest().find("*/") else {
            return Err(self
                .refuse("this comment has no end", start..self.text.len())
                .malformed());
        };
        // The engine reads `**` as one, so that `**/` ends no comment.
        if self.rest()[..length + 1].contains("**") {
            return Err(self.refuse("`**` inside a comment is ambiguous", start..self.at + length + 2));
        }
        self.at += length + 2;
        Ok(())
    }

    fn line_comment(&mut self) -> Result<(), Refusal> {
        let start = self.at;
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        let line = &self.rest()[..length];
        if line.strip_suffix('\r').unwrap_or(line).contains('\r') {
            return Err(self.refuse("a carriage return inside a comment is ambiguous", start..start + length));
        }
        self.at += length;
        Ok(())
    }

    fn string(&mut self, quote: char) -> Result<Kind, Refusal> {
        let start = self.at;
        self.bump();
        loop {
            let at = self.at;
            match self.bump() {
                None => {
                    return Err(self
                        .refuse("this text has no closing quote", start..self.text.len())
                        .malformed());
                }
                Some(c) if c == quote => return Ok(Kind::Text),
                Some('\\') => self.escape(at)?,
                Some(_) => {}
            }
        }
    }

    fn escape(&mut self, start: usize) -> Result<(), Refusal> {
        match self.bump() {
            Some('\\' | '\'' | '"' | 'b' | 'B' | 'f' | 'F' | 'n' | 'N' | 'r' | 'R' | 't' | 'T') => Ok(()),
            Some('u' | 'U') if self.rest().chars().take(4).filter(char::is_ascii_hexdigit).count() == 4 => {
                self.at += 4;
                Ok(())
            }
            _ => Err(self.refuse(
                "the engine does not know this escape; double the backslash",
                start..self.at,
            )),
        }
    }

    fn quoted_name(&mut self) -> Result<Kind, Refusal> {
        let start = self.at;
        // Neighbours join: `a``b` is one name.
        while self.peek() == Some('`') {
            self.bump();
            let Some(length) = self.rest().find('`') else {
                return Err(self
                    .refuse("this name has no closing backtick", start..self.text.len())
                    .malformed());
            };
            self.at += length + 1;
        }
        Ok(Kind::Quoted)
    }

    fn number(&mut self) -> Kind {
        self.take_while(|c| c.is_ascii_digit());
        if self.peek() == Some('.') && self.peek_second().is_some_and(|c| c.is_ascii_digit()) {
            self.bump();
            self.take_while(|c| c.is_ascii_digit());
        }
        let exponent = self.rest().strip_prefix(['e', 'E']);
        let digits = exponent.map(|rest| rest.strip_prefix('-').unwrap_or(rest));
        if let Some(digits) = digits.filter(|digits| digits.starts_with(|c: char| c.is_ascii_digit())) {
            self.at = self.text.len() - digits.len();
            self.take_while(|c| c.is_ascii_digit());
        }
        Kind::Number
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn peek_second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
    }

    fn refuse(&self, reason: &str, span: Range<usize>) -> Refusal {
        super::refusal(self.text, reason, span)
    }
}

/// Letters of any script; a letter that the engine does not take makes an error there, never another token.
fn starts_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn is_name(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphanumeric()
}

fn is_punctuation(c: char) -> bool {
    "()[]{}<>=+-*/%^|&!~,.:;".contains(c)
}

/// The engine's list of blanks.
fn is_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{1c}'..='\u{1f}' | '\u{a0}' | '\u{1680}' | '\u{180e}'
            | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}
