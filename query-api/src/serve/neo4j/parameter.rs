//! [`untyped`]: parameters that were sent with their types.
//!
//! `{"n": {"$type": "Integer", "_value": "42"}}` becomes `{"n": 42}`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::Error;

/// Parameters with types as plain JSON.
pub fn untyped(parameters: BTreeMap<String, Value>) -> Result<BTreeMap<String, Value>, Error> {
    let one = |(name, value): (String, Value)| match plain(&value) {
        Ok(value) => Ok((name, value)),
        Err(message) => Err(Error::Parameter { name, message }),
    };
    parameters.into_iter().map(one).collect()
}

fn plain(value: &Value) -> Result<Value, String> {
    let shape = || "write {\"$type\": …, \"_value\": …}, as the content type says".to_owned();
    let kind = value.get("$type").and_then(Value::as_str).ok_or_else(shape)?;
    let value = value.get("_value").ok_or_else(shape)?;
    let wrong = || format!("this is no value of type {kind}: {value}");
    match kind {
        "Null" => Ok(Value::Null),
        "Boolean" => value.as_bool().map(Value::from).ok_or_else(wrong),
        "String" => value.as_str().map(Value::from).ok_or_else(wrong),
        "Integer" => value
            .as_str()
            .and_then(|text| text.parse::<i64>().ok())
            .map(Value::from)
            .ok_or_else(wrong),
        "Float" => {
            let number = value
                .as_str()
                .and_then(|text| text.parse::<f64>().ok())
                .filter(|number| number.is_finite());
            number.map(|number| json!(number)).ok_or_else(wrong)
        }
        "List" => value.as_array().ok_or_else(wrong)?.iter().map(plain).collect(),
        "Map" => {
            let entries = value.as_object().ok_or_else(wrong)?;
            let entries = entries
                .iter()
                .map(|(name, value)| plain(value).map(|value| (name.clone(), value)));
            entries.collect::<Result<Map<_, _>, _>>().map(Value::Object)
        }
        other => Err(format!(
            "values of type {other} do not occur in this graph; pass a String or an Integer"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_parameters_become_plain() {
        let check = |value: Value, expected: Option<Value>| assert_eq!(plain(&value).ok(), expected, "{value}");
        check(json!({"$type": "Integer", "_value": "42"}), Some(json!(42)));
        check(json!({"$type": "Float", "_value": "1.5"}), Some(json!(1.5)));
        check(
            json!({"$type": "List", "_value": [{"$type": "String", "_value": "a"}]}),
            Some(json!(["a"])),
        );
        check(
            json!({"$type": "Map", "_value": {"a": {"$type": "Null", "_value": null}}}),
            Some(json!({"a": null})),
        );
        check(json!({"$type": "Integer", "_value": 42}), None);
        check(json!({"$type": "Integer", "_value": "4e2"}), None);
        check(json!({"$type": "Float", "_value": "NaN"}), None);
        check(json!({"$type": "Date", "_value": "2024-01-01"}), None);
        check(json!("a"), None);
    }
}
