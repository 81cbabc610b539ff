//! Words of names and prose: what full text and vectors are made of.
//!
//! `HTTPServer.getUser_name2` holds the words `http`, `server`, `get`, `user`, `name2` and, as whole identifiers, `httpserver`
//! and `getusername2`: so `get_user_name2`, written in another style, is the same whole.

/// A run of letters, digits and underscores, by its parts.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    let mut offset = 0;
    std::iter::from_fn(move || {
        let start = rest.find(is_part)?;
        let tail = &rest[start..];
        let length = tail.find(|c| !is_part(c)).unwrap_or(tail.len());
        let found = (offset + start, &tail[..length]);
        offset += start + length;
        rest = &tail[length..];
        Some(found)
    })
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The parts of an identifier: at underscores, where lower case meets upper case (`getUser`), and before the last capital of a
/// run that lower case follows (`HTTPServer`). Digits stay with the letters before them.
pub(crate) fn parts(identifier: &str) -> impl Iterator<Item = &str> {
    identifier.split('_').filter(|piece| !piece.is_empty()).flat_map(humps)
}

fn humps(piece: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let mut chars = piece[start..].char_indices().peekable();
        let mut before: Option<char> = None;
        while let Some((index, c)) = chars.next() {
            let after = chars.peek().map(|(_, next)| *next);
            let ends = match before {
                Some(b) if c.is_uppercase() => !b.is_uppercase() || after.is_some_and(|next| next.is_lowercase()),
                _ => false,
            };
            if ends {
                let found = &piece[start..start + index];
                start += index;
                return Some(found);
            }
            before = Some(c);
        }
        done = true;
        Some(&piece[start..])
    })
}

/// A text as the embedding model wants it: words in lower case, one blank between. A word is a run of letters or a run of digits; a run of
/// letters is cut between lower and upper case (`parseBody`, but not `gRPC`) and before the last capital of several that lower case follows
/// (`HTTPServer`, but neither `OAuth` nor `URLs`). The model was trained on texts of this form (`model/words.py`).
pub(crate) fn spoken(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut run: Vec<char> = Vec::new();
    let mut letters = false;
    let mut close = |run: &mut Vec<char>, letters: bool| {
        let mut start = 0;
        let mut push = |part: &[char]| {
            if !out.is_empty() {
                out.push(' ');
            }
            for c in part {
                match c.is_ascii() {
                    true => out.push(c.to_ascii_lowercase()),
                    false => out.extend(c.to_lowercase()),
                }
            }
        };
        for at in 1..run.len() {
            let (before, here) = (run[at - 1], run[at]);
            if !letters || !here.is_uppercase() {
                continue;
            }
            let following = run.get(at + 1).copied();
            let cut = if before.is_lowercase() {
                !(at - start == 1 && following.is_some_and(char::is_uppercase))
            } else {
                let plural = following == Some('s') && run.get(at + 2).is_none_or(|c| c.is_uppercase());
                before.is_uppercase() && following.is_some_and(char::is_lowercase) && at - start >= 2 && !plural
            };
            if cut {
                push(&run[start..at]);
                start = at;
            }
        }
        if start < run.len() {
            push(&run[start..]);
        }
        run.clear();
    };
    for c in text.chars() {
        let (is_letter, is_digit) = (c.is_alphabetic(), c.is_numeric());
        if !(is_letter || is_digit) || is_letter != letters {
            close(&mut run, letters);
        }
        if is_letter || is_digit {
            letters = is_letter;
            run.push(c);
        }
    }
    close(&mut run, letters);
    out
}

/// What an abbreviation stands for, where that is hardly ever something else in code.
pub(crate) fn long_form(word: &str) -> Option<&'static str> {
    LONG_FORMS
        .binary_search_by(|(short, _)| short.cmp(&word))
        .ok()
        .and_then(|index| LONG_FORMS.get(index))
        .map(|(_, long)| *long)
}

/// Sorted.
const LONG_FORMS: &[(&str, &str)] = &[
    ("abs", "absolute"),
    ("addr", "address"),
    ("alloc", "allocate"),
    ("app", "application"),
    ("arg", "argument"),
    ("args", "arguments"),
    ("argv", "arguments"),
    ("async", "asynchronous"),
    ("attr", "attribute"),
    ("attrs", "attributes"),
    ("auth", "authentication"),
    ("bool", "boolean"),
    ("btn", "button"),
    ("buf", "buffer"),
    ("calc", "calculate"),
    ("cert", "certificate"),
    ("cfg", "configuration"),
    ("char", "character"),
    ("chars", "characters"),
    ("cls", "class"),
    ("cmd", "command"),
    ("cmds", "commands"),
    ("cmp", "compare"),
    ("col", "column"),
    ("cols", "columns"),
    ("concat", "concatenate"),
    ("conf", "configuration"),
    ("config", "configuration"),
    ("conn", "connection"),
    ("ctx", "context"),
    ("cur", "current"),
    ("db", "database"),
    ("decl", "declaration"),
    ("def", "definition"),
    ("del", "delete"),
    ("desc", "description"),
    ("dest", "destination"),
    ("dict", "dictionary"),
    ("dir", "directory"),
    ("dirs", "directories"),
    ("doc", "document"),
    ("docs", "documents"),
    ("dst", "destination"),
    ("elem", "element"),
    ("env", "environment"),
    ("eq", "equal"),
    ("err", "error"),
    ("errs", "errors"),
    ("eval", "evaluate"),
    ("exc", "exception"),
    ("exec", "execute"),
    ("expr", "expression"),
    ("ext", "extension"),
    ("fmt", "format"),
    ("fn", "function"),
    ("fs", "filesystem"),
    ("func", "function"),
    ("funcs", "functions"),
    ("gen", "generate"),
    ("hdr", "header"),
    ("hex", "hexadecimal"),
    ("idx", "index"),
    ("img", "image"),
    ("impl", "implementation"),
    ("info", "information"),
    ("init", "initialize"),
    ("int", "integer"),
    ("iter", "iterate"),
    ("len", "length"),
    ("lib", "library"),
    ("loc", "location"),
    ("max", "maximum"),
    ("mem", "memory"),
    ("mgr", "manager"),
    ("min", "minimum"),
    ("msg", "message"),
    ("msgs", "messages"),
    ("num", "number"),
    ("obj", "object"),
    ("objs", "objects"),
    ("op", "operation"),
    ("ops", "operations"),
    ("opt", "option"),
    ("opts", "options"),
    ("orig", "original"),
    ("param", "parameter"),
    ("params", "parameters"),
    ("pkg", "package"),
    ("pos", "position"),
    ("prev", "previous"),
    ("proc", "process"),
    ("prop", "property"),
    ("props", "properties"),
    ("pwd", "password"),
    ("qs", "queryset"),
    ("re", "regex"),
    ("rec", "record"),
    ("recv", "receive"),
    ("ref", "reference"),
    ("refs", "references"),
    ("regex", "regular expression"),
    ("rel", "relation"),
    ("repr", "representation"),
    ("req", "request"),
    ("res", "result"),
    ("resp", "response"),
    ("ret", "return"),
    ("sep", "separator"),
    ("seq", "sequence"),
    ("sess", "session"),
    ("spec", "specification"),
    ("src", "source"),
    ("srv", "server"),
    ("stmt", "statement"),
    ("str", "string"),
    ("sync", "synchronous"),
    ("sys", "system"),
    ("tbl", "table"),
    ("tmp", "temporary"),
    ("tok", "token"),
    ("ts", "timestamp"),
    ("txt", "text"),
    ("tz", "timezone"),
    ("util", "utility"),
    ("utils", "utilities"),
    ("val", "value"),
    ("vals", "values"),
    ("var", "variable"),
    ("vars", "variables"),
];

/// Words that say nothing about what is looked for.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Sorted.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "actually",
    "after",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "both",
    "but",
    "by",
    "can",
    "cannot",
    "could",
    "did",
    "do",
    "does",
    "doing",
    "done",
    "each",
    "else",
    "ever",
    "every",
    "exactly",
    "for",
    "from",
    "get",
    "gets",
    "getting",
    "given",
    "go",
    "goes",
    "had",
    "happen",
    "happens",
    "has",
    "have",
    "having",
    "here",
    "how",
    "i",
    "if",
    "in",
    "inside",
    "into",
    "is",
    "it",
    "its",
    "just",
    "kind",
    "let",
    "like",
    "make",
    "makes",
    "many",
    "may",
    "me",
    "might",
    "more",
    "most",
    "much",
    "must",
    "my",
    "no",
    "not",
    "of",
    "off",
    "on",
    "once",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "own",
    "place",
    "place",
    "really",
    "same",
    "see",
    "should",
    "so",
    "some",
    "something",
    "still",
    "such",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "this",
    "those",
    "to",
    "too",
    "up",
    "us",
    "use",
    "used",
    "uses",
    "using",
    "very",
    "want",
    "was",
    "way",
    "we",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "whose",
    "why",
    "will",
    "with",
    "without",
    "would",
    "you",
    "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_split() {
        let check = |text: &str, expected: &[&str]| assert_eq!(parts(text).collect::<Vec<_>>(), expected, "{text}");
        check("getUserName", &["get", "User", "Name"]);
        check("HTTPServer", &["HTTP", "Server"]);
        check("parseURL", &["parse", "URL"]);
        check("__init__", &["init"]);
        check("utf8_decode", &["utf8", "decode"]);
        check("base64Encode", &["base64", "Encode"]);
        check("x", &["x"]);
        check("___", &[]);
        check("größeÄndern", &["größe", "Ändern"]);
        let spoken_is = |text: &str, expected: &str| assert_eq!(spoken(text), expected, "{text}");
        spoken_is("HTTPServer.parse_body", "http server parse body");
        spoken_is("getURLs(userID2) -> []string", "get urls user id 2 string");
        spoken_is("gRPC over OAuth2, Straße", "grpc over oauth 2 straße");
        spoken_is("a.HTTPServer.get_user(x)", "a http server get user x");
        spoken_is("  ,", "");
        assert_eq!(identifiers("a.b, c").map(|(at, _)| at).collect::<Vec<_>>(), [0, 2, 5]);
    }

    /// The cases that every writing of the model's rule has to pass.
    #[test]
    fn texts_are_as_the_model_wants_them() -> Result<(), serde_json::Error> {
        let cases: Vec<(String, String)> = serde_json::from_str(include_str!("../../model/words-cases.json"))?;
        assert!(cases.len() > 10);
        for (text, expected) in cases {
            assert_eq!(spoken(&text), expected, "{text}");
        }
        Ok(())
    }

    #[test]
    fn tables_are_sorted() {
        assert!(LONG_FORMS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(STOP_WORDS.windows(2).all(|pair| pair[0] <= pair[1]));
        assert_eq!(long_form("cmd"), Some("command"));
        assert!(is_stop_word("where") && !is_stop_word("email"));
    }
}
