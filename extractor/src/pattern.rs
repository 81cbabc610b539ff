//! Structure patterns: code with holes, found in syntax trees (`ast-grep`).
//!
//! `json.loads($X)` finds every call of `json.loads` with one argument, however it is laid out; `$$$` stands for any number.

use ast_grep_core::Language as Syntax;
use ast_grep_core::matcher::{Pattern, PatternBuilder, PatternError, PatternNode};
use ast_grep_core::tree_sitter::{LanguageExt, StrDoc, TSLanguage};
use ripple_schema::Language;

/// A pattern, ready to be looked for.
pub struct Structure {
    grammar: Grammar,
    pattern: Pattern,
    /// A word that every place with this structure holds; empty if there is none.
    word: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Grammar(Language);

impl Structure {
    /// Reads a pattern of a language. The error says what is wrong with it.
    pub fn parse(language: Language, pattern: &str) -> Result<Self, String> {
        let word = longest_word(pattern);
        let grammar = Grammar(language);
        if language == Language::Any {
            return Err("patterns are written in a language of the index".into());
        }
        let pattern = parsed(pattern, grammar).map_err(|error| error.to_string())?;
        if pattern.has_error() {
            return Err(format!("it is no {language}, even with its holes"));
        }
        Ok(Self { grammar, pattern, word })
    }

    /// The language it is written in.
    pub fn language(&self) -> Language {
        self.grammar.0
    }

    /// First and last line of each place that has this structure, from 1, at most so many.
    pub fn find(&self, source: &str, most: usize) -> Vec<(u32, u32)> {
        // Most files do not hold it, and need no tree.
        if !source.contains(&self.word) {
            return Vec::new();
        }
        let tree = self.grammar.ast_grep(source);
        let found = tree.root();
        let found = found.find_all(&self.pattern).take(most);
        let lines = found.map(|node| (node.start_pos().line() as u32 + 1, node.end_pos().line() as u32 + 1));
        lines.collect()
    }
}

/// A call that stands alone reads like a conversion in Go, `T(x)`; within a function it is a call.
fn parsed(text: &str, grammar: Grammar) -> Result<Pattern, PatternError> {
    let pattern = Pattern::try_new(text, grammar)?;
    let conversion = grammar.kind_to_id("type_conversion_expression");
    match &pattern.node {
        PatternNode::Internal { kind_id, .. } if grammar.0 == Language::Go && *kind_id == conversion => {
            let inside = format!("func f() {{ {text} }}");
            Ok(Pattern::contextual(&inside, "call_expression", grammar).unwrap_or(pattern))
        }
        _ => Ok(pattern),
    }
}

/// The longest word of a pattern that is no hole.
fn longest_word(pattern: &str) -> String {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let words = pattern.split(|c| !is_letter(c)).filter(|word| !word.contains('$'));
    words.max_by_key(|word| word.len()).unwrap_or_default().to_owned()
}

impl Syntax for Grammar {
    fn pre_process_pattern<'q>(&self, query: &'q str) -> std::borrow::Cow<'q, str> {
        // `$` is no letter of these languages, so holes are spelled with one that is.
        let mut out = String::with_capacity(query.len());
        let mut rest = query;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            let marks = rest[at..].bytes().take_while(|byte| *byte == b'$').count();
            let after = &rest[at + marks..];
            let names = after.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
            let mark = if names || marks == 3 { self.expando_char() } else { '$' };
            out.extend(std::iter::repeat_n(mark, marks));
            rest = after;
        }
        out.push_str(rest);
        out.into()
    }

    fn expando_char(&self) -> char {
        'µ'
    }

    fn kind_to_id(&self, kind: &str) -> u16 {
        self.get_ts_language().id_for_node_kind(kind, true)
    }

    fn field_to_id(&self, field: &str) -> Option<u16> {
        self.get_ts_language().field_id_for_name(field).map(|id| id.get())
    }

    fn build_pattern(&self, builder: &PatternBuilder<'_>) -> Result<Pattern, PatternError> {
        builder.build(|source| StrDoc::try_new(source, *self))
    }
}

impl LanguageExt for Grammar {
    fn get_ts_language(&self) -> TSLanguage {
        match self.0 {
            Language::Go => tree_sitter_go::LANGUAGE.into(),
            _ => tree_sitter_python::LANGUAGE.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_stand_for_code() -> Result<(), String> {
        let check = |language, pattern: &str, source: &str, lines: &[(u32, u32)]| -> Result<(), String> {
            assert_eq!(
                Structure::parse(language, pattern)?.find(source, 10),
                lines,
                "{pattern}"
            );
            Ok(())
        };
        let python = "import json\nx = json.loads(\n    body)\ny = json.loads(a, b)\nz = json.dumps(x)\n";
        check(Language::Python, "json.loads($X)", python, &[(2, 3)])?;
        check(Language::Python, "json.loads($$$)", python, &[(2, 3), (4, 4)])?;
        check(
            Language::Python,
            "$A = json.$F($$$ARGS)",
            python,
            &[(2, 3), (4, 4), (5, 5)],
        )?;
        check(Language::Python, "pickle.loads($X)", python, &[])?;
        let go = "package a\nfunc f() {\n\tdefer mu.Unlock()\n}\n";
        check(Language::Go, "defer $M.Unlock()", go, &[(3, 3)])?;
        let go = "package a\nfunc f() {\n\tjson.Decode(b)\n\tv := json.Decode(c, d)\n\tw := []byte(v)\n}\n";
        check(Language::Go, "json.Decode($X)", go, &[(3, 3)])?;
        check(Language::Go, "json.Decode($$$)", go, &[(3, 3), (4, 4)])?;
        check(Language::Go, "[]byte($X)", go, &[(5, 5)])?;
        Ok(())
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for pattern in ["", "def (", "$X $Y $Z )("] {
            assert!(Structure::parse(Language::Python, pattern).is_err(), "{pattern:?}");
        }
        assert!(Structure::parse(Language::Any, "f($X)").is_err());
    }
}
