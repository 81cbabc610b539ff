//! Answers and questions as plain data: the only shapes that are written out or read in, the same for every door.
//! (The shape of Neo4j's Query API is a translation of these and lives beside its route.)
//!
//! `RETURN 1 AS one` is answered by
//!
//! ```json
//! {"columns": ["one"], "types": ["INT64"], "rows": [[1]], "truncated": false, "elapsed_ms": 0.4}
//! ```
//!
//! and `RETURN` alone by
//!
//! ```json
//! {"error": {"code": "query_error", "message": "…", "hint": "…"}}
//! ```

mod answer;
mod ask;
mod change;
mod community;
mod generations;
mod node;
mod operation;
mod report;
mod schema;
mod search;
mod status;

pub use answer::{Answer, Failure, FailureDetail, Header, Question, Span, Trailer};
pub use ask::{
    AskAnswer, AskEvent, AskRequest, ChatRole, ChatTurn, Citation, CypherText, SeedView, TraceStep, Usage, Way,
};
pub use change::{ChangeKind, Changed, Commit, History, ImpactReport, ImpactRequest};
pub use community::{Communities, CommunityView, Examples, LinkView};
pub use generations::{GenerationView, Generations, Running};
pub use node::{EdgeView, Excerpt, NodeView, Reason, Verdict, VerdictLevel};
pub use operation::{
    Direction, Finding, Ground, Grounds, Group, OperationAnswer, OperationView, Operations, ParameterView, Parameters,
    PathView,
};
pub use report::{IndexReport, StageTime};
pub use schema::{Join, Named, PropertyView, RelationshipType, RuleView, Schema};
pub use search::{
    FaqHit, Feedback, FeedbackStored, FoundBy, Hit, SearchAnswer, SearchRequest, Source, StructurePattern,
};
pub use status::{CallsView, FilesView, Health, RootView, Status, Trouble, WorkTree};
