//! The table of operations: name, what it answers, what it takes, its Cypher, and the function that runs it.
//!
//! `callers` takes a `target` and, if wanted, a `depth`; asked with a `direction` it says so instead of leaving it unheard.

use crate::Error;
use crate::view::{OperationView, Operations, ParameterView, Parameters};

use super::{Found, Room, calls, explain, relations, value};

/// One operation.
pub struct Operation {
    /// Its name, the same at every door.
    pub name: &'static str,
    /// What it answers.
    pub summary: &'static str,
    /// A question that it answers.
    pub example: &'static str,
    /// Names of the parameters it takes; the first ones, up to `required`, it asks for.
    pub parameters: &'static [&'static str],
    /// How many of the parameters it asks for.
    pub required: usize,
    /// Steps it goes when it is not told.
    pub depth: u32,
    /// Cypher that finds the same: `{label}` and `$id` stand for a seed.
    pub cypher: &'static str,
    pub(super) run: fn(&Room<'_>, &Parameters) -> Result<Found, Error>,
}

const WALK: &[&str] = &[
    "target",
    "direction",
    "depth",
    "limit",
    "min_confidence",
    "tests",
    "tag",
    "package",
];
const IMPACT: &[&str] = &[
    "target",
    "direction",
    "depth",
    "limit",
    "min_confidence",
    "ground",
    "tests",
    "tag",
    "package",
];
const NEAR: &[&str] = &["target", "depth", "limit", "min_confidence", "tests", "tag", "package"];
const BETWEEN: &[&str] = &["from", "to", "depth", "limit", "min_confidence", "tests"];

/// All operations, in the order in which they are shown.
pub const TABLE: &[Operation] = &[
    Operation {
        name: "impact",
        summary: "What changes when this value, field, key or function changes: along values, tests of values, and calls",
        example: "If a client stops sending us the field `email`, which features change?",
        parameters: IMPACT,
        required: 1,
        depth: 30,
        cypher: include_str!("cypher/impact.cypher"),
        run: value::impact,
    },
    Operation {
        name: "flows",
        summary: "Where a value goes, or with direction `up` where it comes from, place by place",
        example: "Where does `create_order.request` go?",
        parameters: WALK,
        required: 1,
        depth: 30,
        cypher: include_str!("cypher/flows.cypher"),
        run: value::flows,
    },
    Operation {
        name: "path",
        summary: "The shortest way by which one thing comes to another: as a value, or else by calls",
        example: "How does `key:email` get to `email_domain`?",
        parameters: BETWEEN,
        required: 2,
        depth: 40,
        cypher: include_str!("cypher/path.cypher"),
        run: value::path,
    },
    Operation {
        name: "callers",
        summary: "Who calls this function or constructs this type; with a depth, their callers too",
        example: "Who calls `Model.save`?",
        parameters: NEAR,
        required: 1,
        depth: 1,
        cypher: include_str!("cypher/callers.cypher"),
        run: calls::callers,
    },
    Operation {
        name: "callees",
        summary: "What this function calls, libraries and unresolved calls included; with a depth, what those call too",
        example: "What does `Console.print` call?",
        parameters: NEAR,
        required: 1,
        depth: 1,
        cypher: include_str!("cypher/callees.cypher"),
        run: calls::callees,
    },
    Operation {
        name: "readers_writers",
        summary: "Which functions read or write this field or global, or which fields and globals this function reads and writes",
        example: "Who writes `QuerySet._result_cache`?",
        parameters: NEAR,
        required: 1,
        depth: 1,
        cypher: include_str!("cypher/readers_writers.cypher"),
        run: relations::readers_writers,
    },
    Operation {
        name: "implementations",
        summary: "Which types implement this interface or derive from this class, or which methods take this method's place",
        example: "What implements `Renderable`?",
        parameters: NEAR,
        required: 1,
        depth: 20,
        cypher: include_str!("cypher/implementations.cypher"),
        run: relations::implementations,
    },
    Operation {
        name: "hierarchy",
        summary: "Bases and interfaces above this type, and types below it",
        example: "What is above and below `BaseForm`?",
        parameters: NEAR,
        required: 1,
        depth: 20,
        cypher: include_str!("cypher/hierarchy.cypher"),
        run: relations::hierarchy,
    },
    Operation {
        name: "uses_of_key",
        summary: "Which functions name this wire key, which fields are called by it, and where its value is read and written",
        example: "Who uses `key:email`?",
        parameters: NEAR,
        required: 1,
        depth: 1,
        cypher: include_str!("cypher/uses_of_key.cypher"),
        run: relations::uses_of_key,
    },
    Operation {
        name: "tests_for",
        summary: "Which tests run this function, field or type, nearest first",
        example: "Which tests run `Command.Find`?",
        parameters: &["target", "depth", "limit", "min_confidence"],
        required: 1,
        depth: 10,
        cypher: include_str!("cypher/tests_for.cypher"),
        run: calls::tests_for,
    },
    Operation {
        name: "explain",
        summary: "One node: its declaration, its source, and everything that touches it",
        example: "What is `Server.Create`?",
        parameters: &["target", "limit", "tests"],
        required: 1,
        depth: 1,
        cypher: include_str!("cypher/explain.cypher"),
        run: explain::explain,
    },
];

/// The operation of that name.
pub fn find(name: &str) -> Result<&'static Operation, Error> {
    // On the command line they are written with hyphens.
    let written = name.replace('-', "_");
    TABLE.iter().find(|operation| operation.name == written).ok_or_else(|| {
        let names: Vec<&str> = TABLE.iter().map(|operation| operation.name).collect();
        Error::NotFound(format!(
            "there is no operation `{name}`; there are {}",
            names.join(", ")
        ))
    })
}

/// The table, for whoever wants to show it.
pub fn list() -> Operations {
    let view = |operation: &Operation| OperationView {
        name: operation.name.into(),
        summary: operation.summary.into(),
        parameters: operation
            .parameters
            .iter()
            .enumerate()
            .map(|(at, name)| operation.parameter(at, name))
            .collect(),
        cypher: operation.cypher.into(),
        example: operation.example.into(),
    };
    Operations {
        operations: TABLE.iter().map(view).collect(),
    }
}

impl Operation {
    /// How far to go.
    pub(super) fn steps(&self, parameters: &Parameters) -> u32 {
        parameters.depth.unwrap_or(self.depth)
    }

    /// Refuses what the operation does not take, what it lacks, and what is out of bounds.
    pub(super) fn check(&self, parameters: &Parameters) -> Result<(), Error> {
        let wrong = |name: &str, message: String| {
            Err(Error::Parameter {
                name: name.into(),
                message,
            })
        };
        let given = [
            ("target", parameters.target.is_some()),
            ("from", parameters.from.is_some()),
            ("to", parameters.to.is_some()),
            ("direction", parameters.direction.is_some()),
            ("depth", parameters.depth.is_some()),
            ("limit", parameters.limit.is_some()),
            ("min_confidence", parameters.min_confidence.is_some()),
            ("ground", parameters.ground.is_some()),
            ("tests", parameters.tests.is_some()),
            ("tag", parameters.tag.is_some()),
            ("package", parameters.package.is_some()),
        ];
        for (name, given) in given {
            let taken = self.parameters.iter().position(|other| *other == name);
            match taken {
                None if given => {
                    let takes = self.parameters.join(", ");
                    return wrong(name, format!("`{}` does not take it; it takes {takes}", self.name));
                }
                Some(at) if at < self.required && !given => {
                    return wrong(name, format!("`{}` needs it: {}", self.name, doc(name)));
                }
                _ => {}
            }
        }
        if parameters.depth.is_some_and(|depth| !(1..=50).contains(&depth)) {
            return wrong("depth", "it is from 1 to 50".into());
        }
        if parameters.limit.is_some_and(|limit| !(1..=10_000).contains(&limit)) {
            return wrong("limit", "it is from 1 to 10000".into());
        }
        if parameters
            .min_confidence
            .is_some_and(|least| !(0.0..=1.0).contains(&least))
        {
            return wrong("min_confidence", "it is from 0 to 1".into());
        }
        Ok(())
    }

    /// One of its parameters, for whoever wants to show it.
    pub fn parameter(&self, at: usize, name: &str) -> ParameterView {
        let (type_text, default) = match name {
            "direction" => ("`down` or `up`", Some("down".into())),
            "depth" => ("number", Some(self.depth.into())),
            "limit" => ("number", Some(LIMIT.into())),
            "min_confidence" => ("number", Some(0.into())),
            "ground" => ("`flow`, `decision` or `may`", Some("may".into())),
            "tests" => ("boolean", Some(false.into())),
            _ => ("text", None),
        };
        ParameterView {
            name: name.into(),
            type_text: type_text.into(),
            required: at < self.required,
            default,
            doc: doc(name).into(),
        }
    }
}

/// Results when nothing else is said.
pub(super) const LIMIT: usize = 100;

fn doc(parameter: &str) -> &'static str {
    match parameter {
        "target" => {
            "what it is about: an id, a qualified name or its tail (`Model.save`), `key:email`, `field:email`, `function:save`, or `file.py:12`"
        }
        "from" => "where it starts, named like a target",
        "to" => "where it ends, named like a target",
        "direction" => "`down`: what follows from it; `up`: what it comes from",
        "depth" => "most steps, 1 to 50",
        "limit" => "most results, 1 to 10000",
        "min_confidence" => "leave out ways that are less sure than this, 0 to 1",
        "ground" => {
            "only what is reached on this ground or a stronger one: values that move, what is decided by them, what may meet by a name, a field of any object, or unknown code"
        }
        "tests" => "show test code among the results",
        "tag" => "only results with this tag",
        "package" => "only results whose qualified name begins with this package",
        _ => "",
    }
}
