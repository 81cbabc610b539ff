//! Mentions: the words of a question that name something in code, as targets that operations understand.
//!
//! ```
//! use ripple_query_api::plan::mention::mentions;
//! assert_eq!(mentions("If a client stops sending the field `email`, what changes?")[0].target, "email");
//! assert_eq!(mentions("who calls Model.save in base.py:12?").len(), 2);
//! assert!(mentions("how is this code organised?").is_empty());
//! ```

/// A word that names something in code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// As operations take it.
    pub target: String,
    /// What kind of thing the question says it is: `field`, `function`, `key`, …
    pub said: Option<&'static str>,
    /// What the question says that it belongs to: "the `theme` argument of main", "`width` in ForceWidth", "main's `theme`".
    pub of: Option<String>,
    /// In quotes or backticks, with a dot, an underscore or capitals inside: surely a name.
    pub certain: bool,
    /// Where it stands in the question, in bytes.
    pub at: usize,
}

/// The mentions of a question, in its order.
pub fn mentions(question: &str) -> Vec<Mention> {
    let words = words(question);
    let mut mentions: Vec<Mention> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = at
            .checked_sub(1)
            .and_then(|at| words.get(at))
            .map(|word| word.text.to_lowercase());
        let after = words.get(at + 1).map(|word| word.text.to_lowercase());
        let after = after.filter(|_| !word.ends_sentence);
        let said = before.as_deref().and_then(kind_word);
        let said = said.or_else(|| {
            after
                .as_deref()
                .filter(|_| word.quoted || looks_like_code(word.text))
                .and_then(kind_word)
        });
        let certain = word.quoted || looks_like_code(word.text);
        // "how does it reach the Console": a capital within a sentence may be a type's name.
        let capital =
            at > 0 && words.get(at - 1).is_some_and(|before| !before.ends_sentence) && is_capitalised(word.text);
        // "the field email" names `email` without any sign of code; "the field is" does not.
        let told = said.is_some() && before.as_deref().and_then(kind_word).is_some() && !is_common(word.text);
        if (certain || told || capital) && !mentions.iter().any(|mention| mention.target == word.text) {
            mentions.push(Mention {
                target: word.text.to_owned(),
                said: said.or_else(|| (capital && !certain && !told).then_some("type")),
                of: owner(&words, at),
                certain,
                at: word.start,
            });
        }
    }
    mentions
}

/// Words of a question that may be names though nothing marks them as code: all that say more than grammar does, longest first.
pub fn plain_words(question: &str) -> Vec<String> {
    let mut words: Vec<String> = words(question)
        .into_iter()
        .map(|word| word.text.to_lowercase())
        .filter(|word| word.len() > 2 && word.chars().all(|c| c.is_alphanumeric() || c == '_') && !is_common(word))
        .collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.dedup();
    words
}

/// What a word is said to belong to.
fn owner(words: &[Word<'_>], at: usize) -> Option<String> {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    if let Some(before) = before.filter(|before| before.owns && !is_common(before.text)) {
        return Some(before.text.to_owned());
    }
    if words[at].ends_sentence {
        return None;
    }
    let lower = |word: &Word<'_>| word.text.to_lowercase();
    let mut after = words[at + 1..].iter().peekable();
    while after
        .next_if(|word| !word.quoted && kind_word(&lower(word)).is_some())
        .is_some()
    {}
    after.next_if(|word| matches!(lower(word).as_str(), "of" | "in" | "inside" | "within"))?;
    let skipped = |word: &&Word<'_>| {
        !word.quoted
            && (kind_word(&lower(word)).is_some() || matches!(lower(word).as_str(), "the" | "a" | "an" | "its"))
    };
    while after.next_if(|word| skipped(word)).is_some() {}
    let owner = after.next()?;
    (owner.quoted || !is_common(owner.text)).then(|| owner.text.to_owned())
}

struct Word<'q> {
    text: &'q str,
    start: usize,
    quoted: bool,
    /// It ends with `'s`.
    owns: bool,
    ends_sentence: bool,
}

fn words(question: &str) -> Vec<Word<'_>> {
    /// Words of a question that are looked at.
    const MOST: usize = 2_000;
    let mut words = Vec::new();
    let mut rest = 0;
    while let Some(offset) = question
        .get(rest..)
        .and_then(|text| text.find(|c: char| !c.is_whitespace()))
    {
        let start = rest + offset;
        let text = &question[start..];
        let quote = text.chars().next().filter(|c| matches!(c, '`' | '"' | '\'' | '“'));
        let quoted = quote.and_then(|quote| {
            let close = if quote == '“' { '”' } else { quote };
            let inner = &text[quote.len_utf8()..];
            let end = inner.find(close).filter(|end| (1..=200).contains(end))?;
            (!inner[..end].contains(char::is_whitespace)).then(|| (quote.len_utf8(), end, close.len_utf8()))
        });
        if let Some((open, length, close)) = quoted {
            let end = start + open + length + close;
            let owns = question[end..].starts_with("'s");
            words.push(Word {
                text: question[start + open..start + open + length].trim_end_matches("()"),
                start,
                quoted: true,
                owns,
                ends_sentence: question[end..].starts_with(['.', '?', '!', ',']),
            });
            rest = if owns { end + 2 } else { end };
        } else {
            let end = text
                .find(char::is_whitespace)
                .map_or(question.len(), |length| start + length);
            let whole = &question[start..end];
            let plain = whole.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_' || c == '/' || c == '@'));
            let owns = plain.ends_with("'s");
            let plain = plain.trim_end_matches("'s");
            if !plain.is_empty() && !plain.starts_with('@') {
                words.push(Word {
                    text: plain,
                    start,
                    quoted: false,
                    owns,
                    ends_sentence: whole.ends_with(['.', '?', '!', ',']),
                });
            }
            rest = end;
        }
        if words.len() >= MOST {
            break;
        }
    }
    words
}

/// A dot or underscore between letters, a capital after a small letter, `file.py:12`, `key:email`.
fn looks_like_code(word: &str) -> bool {
    let abbreviation = matches!(word.to_lowercase().as_str(), "e.g" | "i.e" | "etc" | "vs");
    let chars: Vec<char> = word.chars().collect();
    let pair = |test: fn(char, char) -> bool| chars.windows(2).any(|pair| test(pair[0], pair[1]));
    let joined = chars.windows(3).any(|three| {
        (three[0].is_alphanumeric() || three[0] == '_' || three[0] == ')')
            && matches!(three[1], '.' | ':')
            && (three[2].is_alphanumeric() || three[2] == '_')
    });
    let named = chars.iter().any(|c| c.is_alphabetic());
    let version = chars.iter().all(|c| c.is_ascii_digit() || *c == '.');
    let snake = word.contains('_') && chars.iter().any(|c| c.is_alphanumeric());
    let camel = pair(|a, b| a.is_lowercase() && b.is_uppercase()) && !word.ends_with("Apps");
    named && !abbreviation && !version && (joined || snake || camel || word.starts_with("__"))
}

/// `Console`, `Writer`; not `API`.
fn is_capitalised(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase)
        && chars.all(|c| c.is_lowercase() || c.is_ascii_digit())
        && word.len() > 3
}

/// The label or kind that a word of a question stands for.
fn kind_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "field" | "attribute" | "column" | "property" => "field",
        "function" | "func" | "method" | "handler" | "endpoint" | "feature" => "function",
        "class" | "type" | "struct" | "interface" | "model" => "type",
        "key" | "header" | "json" | "tag" => "key",
        "package" | "module" => "package",
        "file" => "file",
        "variable" | "global" | "constant" => "variable",
        "parameter" | "argument" | "option" => "parameter",
        _ => return None,
    })
}

/// Words of questions that name nothing.
fn is_common(word: &str) -> bool {
    const WORDS: &str = " a about affect affected affects after all an and answer any anything api app application are argument as at attribute be because \
        been before being between break breaks but by call called caller callers calls can cannot change changed changes class client code column come comes \
        constant could data database decide decided decides defined depend depends did different do does doing done each else end endpoint even every \
        exactly exist explain feature features field fields file files find first flow flows for from func function functions get gets give given go goes \
        handle handled handler handles happen happens has have header how if impact impacted implement implementation implemented implements in inside into interface is it its json \
        just keep key keys kind know last let like list look made make makes many may mean means method methods model module more most much must name named \
        names need needs never new no not nothing now of off old on once one only option or order other our out over package part parts path place places possible \
        property read reader readers reads reach reaches remove removed rename repository request response result results return returns run runs safe same see send \
        sends sending sent service set sets should show side so some something stop stops struct such tell test tests than that the their them then there \
        these they thing things this those through time to tool two type types under until up us use used user uses using value values variable variables \
        very via want was way we were what when where whether which while who whose why will with within without work works would write writer writers writes written you \
        your ";
    let word = word.to_lowercase();
    WORDS.split_whitespace().any(|common| common == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, expected: &[&str]) {
        let found: Vec<String> = mentions(question).into_iter().map(|mention| mention.target).collect();
        assert_eq!(found, expected, "{question}");
    }

    #[test]
    fn names_are_told_from_words() {
        check(
            "If a client stops sending us the field email, which ML features change?",
            &["email"],
        );
        check("Who calls `save()`?", &["save"]);
        check(
            "who calls Model.save and base_user.AbstractUser.save?",
            &["Model.save", "base_user.AbstractUser.save"],
        );
        check(
            "What does getUserName do, e.g. in shop/orders.py:12?",
            &["getUserName", "shop/orders.py:12"],
        );
        check("Where is the retry limit decided?", &[]);
        check("is version 1.8.0 fine?", &[]);
        check("the function is slow", &[]);
        check("\"email\" and 'user_id'", &["email", "user_id"]);
        check("", &[]);
        check("`", &[]);
        check("@codebase who uses key:email", &["key:email"]);
        check("谁调用 `save`?", &["save"]);
        check("How does `width` get to the Console?", &["width", "Console"]);
        check("Which API calls are slow? Nothing here.", &[]);
    }

    #[test]
    fn what_it_belongs_to() {
        let check = |question: &str, owner: Option<&str>| {
            assert_eq!(mentions(question)[0].of.as_deref(), owner, "{question}");
        };
        check("Where does the `theme` argument of main go?", Some("main"));
        check("Who reads `width` in the class ForceWidth?", Some("ForceWidth"));
        check("Does main's `theme` matter?", Some("main"));
        assert_eq!(
            mentions("Is `PagerApp`'s `content` read?")[1].of.as_deref(),
            Some("PagerApp")
        );
        check("Who reads `width`? Of all, tell one.", None);
        check("Who reads `width` of all things?", None);
        check("How does `email` get to `email_domain`?", None);
    }

    #[test]
    fn what_kind_of_thing_is_said() {
        assert_eq!(mentions("the field email")[0].said, Some("field"));
        assert_eq!(mentions("the `email` header")[0].said, Some("key"));
        assert_eq!(mentions("`email`, the header")[0].said, None);
        assert_eq!(mentions("the `theme` argument")[0].said, Some("parameter"));
        assert_eq!(mentions("who implements Writer?")[0].said, Some("type"));
    }
}
