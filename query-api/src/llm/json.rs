//! [`json_in`]: the JSON object in what a model says, also where the endpoint cannot be told to give nothing else.
//!
//! ```
//! use ripple_query_api::llm::json_in;
//! let said = "Sure! Here it is:\n```json\n{\"cypher\": \"RETURN 1\"}\n```\nHope that helps.";
//! assert_eq!(json_in(said).unwrap()["cypher"], "RETURN 1");
//! assert_eq!(json_in("RETURN 1"), None);
//! ```

use serde_json::Value;

/// The first whole JSON object in a text. An object that is cut off is none.
pub fn json_in(text: &str) -> Option<Value> {
    // Each attempt reads on from its brace: with a bound on them, a text of braces alone takes no longer than another.
    let starts = text.match_indices('{').take(ATTEMPTS);
    let objects = starts.filter_map(|(at, _)| {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        values.next()?.ok().filter(Value::is_object)
    });
    objects.into_iter().next()
}

/// Braces that are tried.
const ATTEMPTS: usize = 50;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_whole_object_counts() {
        let check = |text: &str, name: Option<&str>| {
            let found = json_in(text).and_then(|value| Some(value["a"].as_str()?.to_owned()));
            assert_eq!(found.as_deref(), name, "{text}");
        };
        check(r#"{"a": "x"}"#, Some("x"));
        check(
            r#"MATCH (n {name: 'x'}) or rather {"a": "}"} then {"a": "z"}"#,
            Some("}"),
        );
        check(r#"{"a": "x""#, None);
        check("", None);
        check(&"{".repeat(100_000), None);
        check(r#"[{"a": "x"}]"#, Some("x"));
    }
}
