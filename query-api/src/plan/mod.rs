//! From a question in words to rows: what it names, what it wants, and the query or operation that answers it.
//!
//! First, some terminology:
//!
//! - **mention**: a word of the question that reads like a name in code: `email`, `Model.save`, "the field email" ([`mention`]).
//! - **intent**: what is wanted of it: its impact, its callers, where it comes from ([`intent`]); rules on words tell, no model is asked.
//! - **template**: the operation that the intent picks, with the seeds as its target. It always runs: it takes milliseconds, gives the picture
//!   and the verdict, and it is the answer wherever a model's query fails.
//! - **Text2Cypher**: a query that a model writes from the schema, the seeds and examples ([`text2cypher`], [`writing`]).
//!
//! "If a client stops sending us `email`, which ML features change?" mentions `email`, a key; its intent is impact; `ML features` is a tag of the
//! index; so the template is `impact {target: "key:email", tag: "ml-feature"}`.

pub mod intent;
pub mod mention;
pub mod template;
pub mod text2cypher;
pub mod writing;
