//! The engine's values and types in our words.
//!
//! A `RECURSIVE_REL` becomes a [`Value::Path`], a `STRUCT` and a `MAP` both become a [`Value::Map`]; kinds that we do not have
//! become text (see [`crate::value`](Value)).

use std::fmt::Write as _;

use kuzu::{InternalID, LogicalType, NodeVal, RelVal, Value as Theirs};

use crate::{NodeValue, RelationshipValue, Value};

/// One value.
pub(super) fn ours(value: Theirs) -> Value {
    match value {
        Theirs::Null(_) => Value::Null,
        Theirs::Bool(value) => Value::Bool(value),
        Theirs::Int64(value) => Value::Int(value),
        Theirs::Int32(value) => Value::Int(value.into()),
        Theirs::Int16(value) => Value::Int(value.into()),
        Theirs::Int8(value) => Value::Int(value.into()),
        Theirs::UInt64(value) => integer(value.into()),
        Theirs::UInt32(value) => Value::Int(value.into()),
        Theirs::UInt16(value) => Value::Int(value.into()),
        Theirs::UInt8(value) => Value::Int(value.into()),
        Theirs::Int128(value) => integer(value),
        Theirs::Double(value) => Value::Float(value),
        Theirs::Float(value) => Value::Float(value.into()),
        Theirs::Date(value) => Value::Text(value.to_string()),
        Theirs::Interval(value) => Value::Text(duration(value.whole_seconds(), value.subsec_microseconds())),
        Theirs::Timestamp(value)
        | Theirs::TimestampTz(value)
        | Theirs::TimestampNs(value)
        | Theirs::TimestampMs(value)
        | Theirs::TimestampSec(value) => {
            let (hour, minute, second, nanosecond) = value.to_hms_nano();
            Value::Text(format!(
                "{}T{hour:02}:{minute:02}:{second:02}{}Z",
                value.date(),
                fraction(nanosecond)
            ))
        }
        Theirs::InternalID(value) => Value::Text(id(&value)),
        Theirs::String(value) => Value::Text(value),
        Theirs::Blob(bytes) => Value::Text(bytes.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })),
        Theirs::List(_, values) | Theirs::Array(_, values) => Value::List(values.into_iter().map(ours).collect()),
        Theirs::Struct(fields) => Value::Map(fields.into_iter().map(|(name, value)| (name, ours(value))).collect()),
        Theirs::Map(_, entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, value)| (key.to_string(), ours(value)))
                .collect(),
        ),
        Theirs::Node(value) => Value::Node(node(&value)),
        Theirs::Rel(value) => Value::Relationship(relationship(&value)),
        Theirs::RecursiveRel { nodes, rels } => Value::Path {
            nodes: nodes.iter().map(node).collect(),
            relationships: rels.iter().map(relationship).collect(),
        },
        Theirs::Union { value, .. } => ours(*value),
        Theirs::UUID(value) => Value::Text(value.to_string()),
        Theirs::Decimal(value) => Value::Text(value.to_string()),
    }
}

/// The engine's name of a type, as its own `typeof` writes it.
pub(super) fn type_name(logical: &LogicalType) -> String {
    let fields = |fields: &[(String, LogicalType)]| {
        let fields: Vec<String> = fields
            .iter()
            .map(|(name, logical)| format!("{name} {}", type_name(logical)))
            .collect();
        fields.join(", ")
    };
    match logical {
        LogicalType::Any => "ANY".into(),
        LogicalType::Bool => "BOOL".into(),
        LogicalType::Serial => "SERIAL".into(),
        LogicalType::Int64 => "INT64".into(),
        LogicalType::Int32 => "INT32".into(),
        LogicalType::Int16 => "INT16".into(),
        LogicalType::Int8 => "INT8".into(),
        LogicalType::UInt64 => "UINT64".into(),
        LogicalType::UInt32 => "UINT32".into(),
        LogicalType::UInt16 => "UINT16".into(),
        LogicalType::UInt8 => "UINT8".into(),
        LogicalType::Int128 => "INT128".into(),
        LogicalType::Double => "DOUBLE".into(),
        LogicalType::Float => "FLOAT".into(),
        LogicalType::Date => "DATE".into(),
        LogicalType::Interval => "INTERVAL".into(),
        LogicalType::Timestamp => "TIMESTAMP".into(),
        LogicalType::TimestampTz => "TIMESTAMP_TZ".into(),
        LogicalType::TimestampNs => "TIMESTAMP_NS".into(),
        LogicalType::TimestampMs => "TIMESTAMP_MS".into(),
        LogicalType::TimestampSec => "TIMESTAMP_SEC".into(),
        LogicalType::InternalID => "INTERNAL_ID".into(),
        LogicalType::String => "STRING".into(),
        LogicalType::Blob => "BLOB".into(),
        LogicalType::List { child_type } => format!("{}[]", type_name(child_type)),
        LogicalType::Array {
            child_type,
            num_elements,
        } => format!("{}[{num_elements}]", type_name(child_type)),
        LogicalType::Struct { fields: inner } => format!("STRUCT({})", fields(inner)),
        LogicalType::Node => "NODE".into(),
        LogicalType::Rel => "REL".into(),
        LogicalType::RecursiveRel => "RECURSIVE_REL".into(),
        LogicalType::Map { key_type, value_type } => format!("MAP({}, {})", type_name(key_type), type_name(value_type)),
        LogicalType::Union { types } => format!("UNION({})", fields(types)),
        LogicalType::UUID => "UUID".into(),
        LogicalType::Decimal { precision, scale } => format!("DECIMAL({precision}, {scale})"),
    }
}

fn node(value: &NodeVal) -> NodeValue {
    NodeValue {
        id: id(value.get_node_id()),
        labels: vec![value.get_label_name().clone()],
        properties: properties(value.get_properties()),
    }
}

fn relationship(value: &RelVal) -> RelationshipValue {
    let own_id = value.get_properties().iter().find_map(|(name, value)| match value {
        Theirs::InternalID(own) if name == "_ID" => Some(id(own)),
        _ => None,
    });
    RelationshipValue {
        id: own_id,
        kind: value.get_label_name().clone(),
        start: id(value.get_src_node()),
        end: id(value.get_dst_node()),
        properties: properties(value.get_properties()),
    }
}

/// Properties without the engine's own, which begin with an underscore.
fn properties(properties: &[(String, Theirs)]) -> Vec<(String, Value)> {
    let declared = properties.iter().filter(|(name, _)| !name.starts_with('_'));
    declared
        .map(|(name, value)| (name.clone(), ours(value.clone())))
        .collect()
}

fn id(id: &InternalID) -> String {
    format!("{}:{}", id.table_id, id.offset)
}

fn integer(value: i128) -> Value {
    i64::try_from(value).map_or_else(|_| Value::Text(value.to_string()), Value::Int)
}

/// ISO 8601: `P1DT2H3.5S`; `PT0S` for none. The binding gives months as 30 days.
fn duration(seconds: i64, microseconds: i32) -> String {
    let sign = if seconds < 0 || microseconds < 0 { "-" } else { "" };
    let (seconds, microseconds) = (seconds.unsigned_abs(), microseconds.unsigned_abs());
    let part = |amount: u64, unit: &str| {
        if amount > 0 {
            format!("{amount}{unit}")
        } else {
            String::new()
        }
    };
    let days = part(seconds / 86_400, "D");
    let mut time = part(seconds / 3_600 % 24, "H") + &part(seconds / 60 % 60, "M");
    if seconds % 60 > 0 || microseconds > 0 {
        let _ = write!(time, "{}{}S", seconds % 60, fraction(microseconds * 1_000));
    }
    match (days.as_str(), time.as_str()) {
        ("", "") => "PT0S".into(),
        (_, "") => format!("{sign}P{days}"),
        _ => format!("{sign}P{days}T{time}"),
    }
}

/// `.25`, or nothing for a whole second.
fn fraction(nanoseconds: u32) -> String {
    match nanoseconds {
        0 => String::new(),
        _ => format!(".{nanoseconds:09}").trim_end_matches('0').into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_time_read_as_iso_8601() {
        for (seconds, microseconds, expected) in [
            (0, 0, "PT0S"),
            (86_400, 0, "P1D"),
            (93_600, 0, "P1DT2H"),
            (3, 500_000, "PT3.5S"),
            (3_661, 1, "PT1H1M1.000001S"),
            (-60, 0, "-PT1M"),
        ] {
            assert_eq!(duration(seconds, microseconds), expected);
        }
    }

    #[test]
    fn large_integers_become_text() {
        assert_eq!(
            ours(Theirs::UInt64(u64::MAX)),
            Value::Text("18446744073709551615".into())
        );
        assert_eq!(ours(Theirs::Int128(-5)), Value::Int(-5));
    }

    #[test]
    fn types_are_named_in_the_engines_words() {
        let list = LogicalType::List {
            child_type: Box::new(LogicalType::Int64),
        };
        assert_eq!(type_name(&list), "INT64[]");
        let fields = vec![("a".into(), list), ("b".into(), LogicalType::String)];
        assert_eq!(
            type_name(&LogicalType::Struct { fields }),
            "STRUCT(a INT64[], b STRING)"
        );
    }
}
