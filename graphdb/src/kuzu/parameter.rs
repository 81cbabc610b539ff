//! Parameters: JSON in, the engine's values out, or an error that names the parameter.
//!
//! `{"ids": [1, 2], "name": "total"}` becomes an `INT64[]` and a `STRING`. JSON does not tell what an empty list holds, nor
//! does it mind a list of mixed kinds; the engine does. Integers beside floats become floats; everything else mixed is refused.

use std::collections::BTreeMap;

use kuzu::{LogicalType, Value as Theirs};
use serde_json::Value as Json;

use crate::Error;
use crate::guard::Checked;

/// The value of each parameter that the text names. A parameter too many is as much an error as one that is missing.
pub(super) fn bind(checked: &Checked, given: &BTreeMap<String, Json>) -> Result<Vec<(String, Theirs)>, Error> {
    let error = |name: &str, message: String| Error::Parameter {
        name: name.into(),
        message,
    };
    if let Some(name) = given.keys().find(|name| !checked.parameters.contains(name)) {
        return Err(error(name, "is not used in the query".into()));
    }
    let value = |name: &String| {
        let json = given
            .get(name)
            .ok_or_else(|| error(name, "is used in the query and not given".into()))?;
        let value = convert(json).map_err(|message| error(name, message))?;
        Ok((name.clone(), value))
    };
    checked.parameters.iter().map(value).collect()
}

fn convert(json: &Json) -> Result<Theirs, String> {
    match json {
        Json::Null => Ok(Theirs::Null(LogicalType::Any)),
        Json::Bool(value) => Ok(Theirs::Bool(*value)),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => Ok(Theirs::Int64(integer)),
            (None, Some(float)) if number.is_f64() => Ok(Theirs::Double(float)),
            _ => Err(format!("{number} does not fit a 64-bit integer")),
        },
        Json::String(text) if text.contains('\0') => Err("text may not contain a null character".into()),
        Json::String(text) => Ok(Theirs::String(text.clone())),
        Json::Array(items) => list(items),
        Json::Object(entries) if entries.is_empty() => Err("an empty map has no type; leave the parameter out".into()),
        Json::Object(entries) => {
            let fields = entries.iter().map(|(name, value)| Ok((name.clone(), convert(value)?)));
            fields.collect::<Result<_, String>>().map(Theirs::Struct)
        }
    }
}

fn list(items: &[Json]) -> Result<Theirs, String> {
    let values: Vec<Theirs> = items.iter().map(convert).collect::<Result<_, _>>()?;
    let mut common = LogicalType::Any;
    for value in &values {
        let own = LogicalType::from(value);
        common = join(&common, &own)
            .ok_or_else(|| format!("a list must hold values of one kind; {common:?} and {own:?} do not go together"))?;
    }
    Ok(Theirs::List(
        common.clone(),
        values.into_iter().map(|value| cast(value, &common)).collect(),
    ))
}

/// The type that holds values of both types.
fn join(a: &LogicalType, b: &LogicalType) -> Option<LogicalType> {
    use LogicalType::{Any, Double, Int64, List, Struct};
    match (a, b) {
        _ if a == b => Some(a.clone()),
        (Any, other) | (other, Any) => Some(other.clone()),
        (Int64, Double) | (Double, Int64) => Some(Double),
        (List { child_type: a }, List { child_type: b }) => Some(List {
            child_type: Box::new(join(a, b)?),
        }),
        (Struct { fields: a }, Struct { fields: b }) if a.len() == b.len() => {
            let fields = a.iter().zip(b).map(|((name, a), (other, b))| {
                (name == other)
                    .then(|| join(a, b))
                    .flatten()
                    .map(|joined| (name.clone(), joined))
            });
            fields.collect::<Option<_>>().map(|fields| Struct { fields })
        }
        _ => None,
    }
}

/// The value as one of the joined type.
fn cast(value: Theirs, to: &LogicalType) -> Theirs {
    match (value, to) {
        (Theirs::Null(_), _) => Theirs::Null(to.clone()),
        (Theirs::Int64(integer), LogicalType::Double) => Theirs::Double(integer as f64),
        (Theirs::List(_, items), LogicalType::List { child_type }) => Theirs::List(
            (**child_type).clone(),
            items.into_iter().map(|item| cast(item, child_type)).collect(),
        ),
        (Theirs::Struct(entries), LogicalType::Struct { fields }) => {
            let cast = entries
                .into_iter()
                .zip(fields)
                .map(|((name, value), (_, to))| (name, cast(value, to)));
            Theirs::Struct(cast.collect())
        }
        (value, _) => value,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(json: Json, expected: Result<Theirs, &str>) {
        assert_eq!(convert(&json), expected.map_err(str::to_owned), "{json}");
    }

    #[test]
    fn json_becomes_typed_values() {
        check(json!(null), Ok(Theirs::Null(LogicalType::Any)));
        check(json!(7), Ok(Theirs::Int64(7)));
        check(json!(7.5), Ok(Theirs::Double(7.5)));
        check(json!("é"), Ok(Theirs::String("é".into())));
        check(json!([]), Ok(Theirs::List(LogicalType::Any, vec![])));
        check(
            json!([1, 2.5]),
            Ok(Theirs::List(
                LogicalType::Double,
                vec![Theirs::Double(1.0), Theirs::Double(2.5)],
            )),
        );
        check(
            json!([1, null]),
            Ok(Theirs::List(
                LogicalType::Int64,
                vec![Theirs::Int64(1), Theirs::Null(LogicalType::Int64)],
            )),
        );
        check(
            json!({"a": true}),
            Ok(Theirs::Struct(vec![("a".into(), Theirs::Bool(true))])),
        );
        let integers = LogicalType::List {
            child_type: Box::new(LogicalType::Int64),
        };
        let empty = Theirs::List(LogicalType::Int64, vec![]);
        check(
            json!([[1], []]),
            Ok(Theirs::List(
                integers,
                vec![Theirs::List(LogicalType::Int64, vec![Theirs::Int64(1)]), empty],
            )),
        );
    }

    #[test]
    fn what_has_no_type_is_refused() {
        check(
            json!([1, "a"]),
            Err("a list must hold values of one kind; Int64 and String do not go together"),
        );
        check(
            json!(u64::MAX),
            Err("18446744073709551615 does not fit a 64-bit integer"),
        );
        check(json!({}), Err("an empty map has no type; leave the parameter out"));
    }

    #[test]
    fn names_must_agree_with_the_text() -> Result<(), Box<dyn std::error::Error>> {
        let checked = crate::guard::check("RETURN $a")?;
        let told = |given: &[(&str, Json)]| {
            let given = given
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone()))
                .collect();
            bind(&checked, &given).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(told(&[("a", json!(1))]), Ok(()));
        assert_eq!(
            told(&[]),
            Err("parameter $a: is used in the query and not given".into())
        );
        assert_eq!(
            told(&[("a", json!(1)), ("b", json!(1))]),
            Err("parameter $b: is not used in the query".into())
        );
        Ok(())
    }
}
