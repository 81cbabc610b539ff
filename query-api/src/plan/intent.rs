//! Intents: which operation a question wants, by rules on its words.
//!
//! ```
//! use ripple_query_api::plan::intent::intent;
//! assert_eq!(intent("Who calls Model.save?").operation, Some("callers"));
//! assert_eq!(intent("What breaks if we rename `email`?").operation, Some("impact"));
//! assert_eq!(intent("Where does `total` come from?").up, true);
//! assert_eq!(intent("How does the retry loop work?").operation, None);
//! ```
//!
//! The first rule that fits wins; more special ones stand first. A question that no rule fits is about how something works: it is answered from
//! the source around what it names.

/// What a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intent {
    /// The operation; nothing where the question is about how something works.
    pub operation: Option<&'static str>,
    /// From effect to cause.
    pub up: bool,
    /// About the code as a whole.
    pub global: bool,
    /// Steps, where the question asks for all of them or for the nearest.
    pub depth: Option<u32>,
    /// What is asked of goes away, or gets another name: that is about who names it.
    pub goes: bool,
    /// A relation that was not asked for: `reads it`, where only writers are.
    pub without: Option<&'static str>,
}

struct Rule {
    /// Any of these makes the rule fit. ` * ` stands for anything in between.
    phrases: &'static [&'static str],
    operation: Option<&'static str>,
    up: bool,
    global: bool,
}

const fn rule(operation: &'static str, phrases: &'static [&'static str]) -> Rule {
    Rule {
        phrases,
        operation: Some(operation),
        up: false,
        global: false,
    }
}

/// Code that names something breaks where that is gone, whatever its value was.
const GOES: &[&str] = &[
    "safe to delete",
    "safe to remove",
    "safe to rename",
    "can i delete",
    "can we delete",
    "can i remove",
    "can we remove",
    "can i rename",
    "can we rename",
    "if * rename",
];

const RULES: &[Rule] = &[
    Rule {
        phrases: &[
            "how is this code * organi",
            "how is the code * organi",
            "code base organi",
            "codebase organi",
            "architecture",
            "overview of",
            "main parts",
            "main components",
            "main modules",
            "big picture",
            "overall structure",
            "how is this project structured",
            "how is this repository",
            "structure of this",
            "structure of the code",
            "what is this project",
            "what does this project",
            "what does this repo",
            "main packages",
        ],
        operation: None,
        up: false,
        global: true,
    },
    rule(
        "tests_for",
        &[
            "which tests",
            "what tests",
            "tests for",
            "tests cover",
            "tested by",
            "covered by",
            "is * tested",
            "tests run",
            "tests to run",
            "unit tests of",
            "tests exercise",
        ],
    ),
    rule(
        "path",
        &[
            "path from",
            "path between",
            "way from",
            "way between",
            "route from",
            "connect * to",
            "how does * get to",
            "how does * reach",
            "how do * reach",
            "how do * get to",
            "how is * passed to",
            "how * is passed to",
            "how does * come to",
            "how does * end up in",
            "how can * reach",
            "how does * flow to",
            "how does * flow into",
            "how does * affect",
        ],
    ),
    rule("callees", &["functions * does * call", "functions does * call"]),
    rule(
        "callers",
        &[
            "who calls",
            "who in * calls",
            "which features call",
            "which methods call",
            "functions that * call",
            "functions of * call",
            "what calls",
            "which functions call",
            "which code calls",
            "what code calls",
            "callers of",
            "call sites",
            "called by",
            "called from",
            "is called",
            "who invokes",
            "what invokes",
            "where is * called",
            "calls to",
            "who constructs",
            "who creates",
            "where is * instantiated",
            "who instantiates",
            "is it safe to delete the function",
            "anyone call",
        ],
    ),
    rule(
        "callees",
        &[
            "what does * call",
            "callees",
            "calls what",
            "which functions does * call",
            "which functions are called by",
            "does * call",
        ],
    ),
    rule(
        "implementations",
        &[
            "implementations of",
            "what implements",
            "which types implement",
            "which classes implement",
            "who implements",
            "implementers",
            "subclasses of",
            "which classes extend",
            "what extends",
            "derived from class",
            "overrides",
            "overridden",
            "which classes inherit",
            "which classes are derived",
            "which types embed",
            "which type embed",
            "what embeds",
            "what inherits",
            "subclasses has",
            "subclass ",
        ],
    ),
    rule(
        "hierarchy",
        &[
            "hierarchy",
            "base classes",
            "base class of",
            "superclass",
            "parents of",
            "inherit from",
            "inherits from",
            "ancestors of",
        ],
    ),
    rule(
        "readers_writers",
        &[
            "who writes",
            "what writes",
            "which functions write",
            "who sets",
            "what sets",
            "which functions set",
            "where is * set",
            "where is * written",
            "where is * assigned",
            "who assigns",
            "who modifies",
            "what modifies",
            "who mutates",
            "who updates",
            "anyone read",
            "anything read",
            "anyone write",
            "anything write",
            "anyone set",
            "anything set",
            "is * read",
            "is * written",
            "is * ever set",
            "read by",
            "written by",
            "set by anyone",
            "who reads",
            "what reads",
            "which functions read",
            "where is * read",
            "readers of",
            "writers of",
            "where is * modified",
            "where is * updated",
            "where * gets set",
            "where * is written",
            "where * is set",
        ],
    ),
    rule(
        "uses_of_key",
        &[
            "uses of the key",
            "uses of key",
            "who uses the key",
            "uses the key",
            "name the key",
            "use the key",
            "uses the header",
            "read the header",
            "reads the header",
            "which fields are called",
            "wire name",
            "serialized as",
            "serialised as",
            "json name",
        ],
    ),
    Rule {
        phrases: &[
            "come from",
            "comes from",
            "came from",
            "origin of",
            "source of the value",
            "what feeds",
            "feeds into",
            "goes into",
            "what determines",
            "what influences",
            "depends on what",
            "what does * depend on",
            "derived from",
            "computed from",
            "calculated from",
            "where do we get",
            "how is * computed",
            "how is * calculated",
            "inputs of",
            "which inputs",
            "traced back",
            "what decides",
            "who decides",
            "where is * decided",
            "what does * result from",
            "what is * made of",
            "what is * built from",
        ],
        operation: Some("impact"),
        up: true,
        global: false,
    },
    rule(
        "impact",
        &[
            "affect",
            "impact",
            "break",
            "stops sending",
            "stop sending",
            "no longer sen",
            "missing from the request",
            "is missing",
            "goes missing",
            "if we remove",
            "if i remove",
            "if we rename",
            "if i rename",
            "if we change",
            "if i change",
            "if we delete",
            "if i delete",
            "if * change",
            "if * is removed",
            "if * is switched",
            "if * is left out",
            "if * is not",
            "if * stop",
            "if * returns",
            "if * returned",
            "if * passes",
            "if * gives",
            "would be different",
            "behave differently",
            "no longer set",
            "no longer pass",
            "no longer given",
            "no longer there",
            "what would happen if",
            "what happens if",
            "what happens when",
            "what else changes",
            "has to change",
            "have to change",
            "see the change",
            "notice",
            "if * is renamed",
            "if * disappears",
            "if * were",
            "what changes",
            "which * change",
            "what depends on",
            "who depends on",
            "which * depend",
            "ripple",
            "safe to change",
            "blast radius",
            "downstream",
            "consequences",
            "side effects of",
            "what happens when we change",
            "what uses",
            "who uses",
            "where is * used",
            "used by",
            "uses of",
            "which * use",
            "rely on",
            "relies on",
        ],
    ),
    rule("impact", GOES),
    rule(
        "flows",
        &[
            "where does * go",
            "where do * go",
            "where is * sent",
            "flow of",
            "flows to",
            "where does * flow",
            "where does * end up",
            "ends up",
            "travel",
            "which * receive",
            "which * see",
            "which * get",
            "what happens to",
            "what is * passed to",
            "where is * passed",
            "what becomes of",
            "who gets",
            "who receives",
            "what is done with",
            "leak",
            "reach",
        ],
    ),
    rule(
        "explain",
        &[
            "explain `",
            "what is `",
            "show me `",
            "tell me about `",
            "describe `",
            "look up `",
            "what is the type of",
            "definition of",
            "where is * defined",
            "where is * declared",
        ],
    ),
];

/// What a question wants.
pub fn intent(question: &str) -> Intent {
    // A question is at most a page; what is pasted behind it says nothing of what is wanted.
    const MOST: usize = 2_000;
    let mut text: String = question.chars().take(MOST).flat_map(char::to_lowercase).collect();
    text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let found = RULES
        .iter()
        .find(|rule| rule.phrases.iter().any(|phrase| fits(&text, phrase)));
    let deep = [
        "transitive",
        "indirect",
        "directly or",
        "all the way",
        "whole chain",
        "recursively",
    ];
    let shallow = text.contains("directly") && !text.contains("indirectly");
    let says = |words: &[&str]| words.iter().any(|word| fits(&text, word));
    let (reads, writes) = (
        says(&["read"]),
        says(&["writ", "set", "assign", "modif", "mutat", "updat"]),
    );
    let operation = found.and_then(|rule| rule.operation);
    Intent {
        without: match (operation, reads, writes) {
            (Some("readers_writers"), true, false) => Some("writes it"),
            (Some("readers_writers"), false, true) => Some("reads it"),
            _ => None,
        },
        operation,
        goes: says(GOES),
        up: found.is_some_and(|rule| rule.up),
        global: found.is_some_and(|rule| rule.global),
        depth: match deep.iter().any(|word| text.contains(word)) {
            true => Some(20),
            false if shallow => Some(1),
            false => None,
        },
    }
}

/// Whether the parts of a phrase follow one another in a text, at the beginnings of words.
fn fits(text: &str, phrase: &str) -> bool {
    let mut rest = text;
    for part in phrase.split(" * ") {
        let at = rest.match_indices(part).find(|(at, _)| {
            let before = rest[..*at].chars().next_back();
            before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
        });
        let Some((at, _)) = at else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_want_what_they_say() {
        let check = |question: &str, operation: Option<&str>| {
            assert_eq!(intent(question).operation, operation, "{question}");
        };
        check(
            "If a client stops sending us this API field, which ML features change?",
            Some("impact"),
        );
        check("Is it safe to delete `legacy_total`?", Some("impact"));
        check("Who writes QuerySet._result_cache?", Some("readers_writers"));
        check("Where is `retries` set?", Some("readers_writers"));
        check("How does `email` get to the scoring model?", Some("path"));
        check("Which tests cover Command.Find?", Some("tests_for"));
        check("What implements Renderable?", Some("implementations"));
        check("what does Console.print call?", Some("callees"));
        check("Where does the request body go?", Some("flows"));
        check("Is `Cart.total` read anywhere?", Some("readers_writers"));
        check("Does anything read `Cart.total`?", Some("readers_writers"));
        check("What happens to `lexer` once it is chosen?", Some("flows"));
        check("If the args given to SetArgs change, what else?", Some("impact"));
        check("If `depth` were 0, what would behave differently?", Some("impact"));
        check("Which classes are derived from Base?", Some("implementations"));
        check("Which functions of shop call `total`?", Some("callers"));
        check("Which functions that are no tests call `total`?", Some("callers"));
        check("Which functions of the shop does `total` call?", Some("callees"));
        check("Which fields are called `total` on the wire?", Some("uses_of_key"));
        check("how does retrying work", None);
        check("", None);
        assert!(intent("How is this code organised?").global);
        assert!(intent("where does `score` come from").up);
        assert_eq!(intent("all transitive callers of f").depth, Some(20));
        assert_eq!(intent("who writes `Cart.total`?").without, Some("reads it"));
        assert_eq!(intent("is `Cart.total` read anywhere?").without, Some("writes it"));
        assert_eq!(intent("who reads and who writes `Cart.total`?").without, None);
    }
}
