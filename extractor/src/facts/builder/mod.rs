//! Builds [`FileFacts`] while a language's walker goes through the source: scopes, definitions, uses, captures, loops, paths.
//!
//! The walker opens functions and blocks, declares names, defines and uses them, and says where control branches; what
//! place a use means is decided here, the same for every language:
//!
//! ```text
//! open_function(f); declare("x"); let p = define("x", …);      def f(): x = …
//! let q = use_name("x", …);                                        use(x)      q is p
//! close_function();
//! ```
//!
//! A use that several definitions reach is a place of its own, which all of them flow into.
//!
//! A name that no open function binds is a [`super::NameUse`]: it is looked up later, across files.

mod boxed;
mod choices;
mod closures;
mod control;
mod feasible;
mod finish;
mod paths;
mod plain;
mod scopes;
mod seen_early;
mod shapes;
mod statements;
mod steps;
mod text;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::order::Point;
pub use crate::facts::reaching::State as Control;
use crate::facts::reaching::{Slot, State, Webs};
use crate::facts::steps::Counts;
use crate::facts::{ConditionId, Constant, FileFacts, FunctionId, GuardId, Name, PlaceId, Position};
pub use choices::Tests;
pub use control::{Rounds, Whose};
pub use shapes::{Part, Shape};
pub use text::{one_line, tidy_doc};

/// Nesting deeper than this is not followed: the walkers recurse, and no person writes it.
pub const DEPTH_LIMIT: u32 = 400;

/// See the module's documentation.
#[derive(Debug)]
pub struct Builder {
    /// What was found so far.
    pub facts: FileFacts,
    /// Nesting of the walker, see [`DEPTH_LIMIT`].
    pub depth: u32,
    names: FxHashMap<String, Name>,
    unseen: usize,
    parents: Vec<u32>,
    scopes: Vec<Scope>,
    next_runs: Option<Runs>,
    /// File-level names that functions assign.
    pub assigned_inside: FxHashSet<Name>,
    /// Calls stand in the source, all of them: nothing else lets other code run.
    pub calls_are_written: bool,
    /// A list may be cut out of another, so that one part has two positions.
    pub lists_share_parts: bool,
    shapes: shapes::Shapes,
    /// File-level names that the body of the file was seen to read.
    body_reads: FxHashSet<PlaceId>,
    /// What functions decide by, whether they fail, and what stands for their calls: of each function one, by its name.
    own_places: FxHashMap<(FunctionId, &'static str), PlaceId>,
    seen_early: seen_early::SeenEarly,
    /// What the function that was closed last leaves changed in the one around it, if it runs at that one's end.
    replaced: Vec<Slot>,
    /// Variables that a closure assigns on all ways, by the place that holds it.
    left_by: FxHashMap<PlaceId, Vec<Slot>>,
    /// Definitions that hold a parameter as it came.
    held: FxHashMap<PlaceId, PlaceId>,
    /// What values of loops over pairs are where a test says of which key, by what they are else.
    chosen_by_key: FxHashMap<PlaceId, PlaceId>,
    /// Definitions of variables, no parameters, that conditions ask for while their function is walked.
    lasting: FxHashSet<PlaceId>,
    /// Definitions that are constants, of variables of which that tells the way.
    flags: FxHashMap<PlaceId, Constant>,
    /// Texts that were read as SQL, and what they are called if they are.
    statements: FxHashMap<String, Option<Name>>,
}

#[derive(Debug)]
struct Scope {
    function: FunctionId,
    webs: Webs,
    blocks: Vec<Block>,
    loops: Vec<Loop>,
    /// Where the loops around this begin that may come here again.
    turns: Vec<Point>,
    /// Names that this function writes at file level (`global x`).
    globals: FxHashSet<Name>,
    name_uses: FxHashMap<Name, PlaceId>,
    captured: FxHashMap<Name, Captured>,
    captures: Vec<Capture>,
    /// The slots that they see.
    captured_slots: FxHashSet<Slot>,
    /// When variables were defined that inner functions see already.
    defined_at: FxHashMap<PlaceId, Point>,
    /// Uses that several definitions reach, by these and the conditions under which they do.
    meetings: FxHashMap<(Vec<PlaceId>, Vec<ConditionId>), PlaceId>,
    paths: paths::Paths,
    /// Who catches what is raised here.
    guard: Option<GuardId>,
    /// Slots whose address is taken: all their definitions are one web.
    shared: FxHashSet<Slot>,
    /// The boxes of variables whose address is taken, and that no inner function sees.
    boxed: FxHashMap<Slot, PlaceId>,
    /// What was written into fields whose address is taken, with their boxes.
    boxed_parts: FxHashMap<PlaceId, PlaceId>,
    /// What was tested by the conditions around this point.
    tests: Vec<PlaceId>,
    /// When this function runs, as far as its maker knows.
    runs: Runs,
    inner: closures::InnerWrites,
    /// Calls that run where this function ends, by their index.
    deferred: Vec<usize>,
    /// What holds wherever something is deferred.
    deferred_under: Option<ConditionId>,
    /// What the file had when this function began.
    began: Happened,
}

/// How much was seen to happen that may change a field: assignments, calls, loops around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Happened {
    /// Assignments to fields.
    pub assigned: usize,
    /// Calls.
    pub calls: usize,
    /// Loops around it.
    pub turns: usize,
    /// Moments at which another goroutine may have run, and writes of whole structures through pointers.
    pub unseen: usize,
}

/// When a function that is made inside another runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Runs {
    /// Whenever somebody calls it.
    #[default]
    Anytime,
    /// At once, where it is made, and never again.
    AtOnce,
    /// When the function that makes it ends.
    AtEnd,
    /// When it ends, which may be at any point: the closure takes what is thrown.
    AtAnyEnd,
}

impl Runs {
    fn is_at_end(self) -> bool {
        matches!(self, Self::AtEnd | Self::AtAnyEnd)
    }
}

#[derive(Debug, Default)]
struct Block {
    names: FxHashMap<Name, Slot>,
    /// Names of a class body are not seen by the functions in it.
    class: bool,
}

/// An outer variable, as this function sees it.
#[derive(Debug, Clone, Copy)]
struct Captured {
    place: PlaceId,
    slot: Slot,
    outer_scope: usize,
    outer_slot: Slot,
}

/// An inner function sees a slot of this one: what reached it when the inner function was made, and all that is defined after.
#[derive(Debug)]
struct Capture {
    slot: Slot,
    place: PlaceId,
    reaching: Vec<PlaceId>,
    later_from: usize,
    position: Position,
    /// When the inner function was made.
    point: Point,
    /// What is there when the inner function runs; none if that may be at any point.
    there: Option<Vec<PlaceId>>,
    /// The set of definitions that was noted last.
    noted: u32,
    runs: Runs,
}

#[derive(Debug)]
struct Loop {
    label: Option<Name>,
    /// Names that the body assigns: what stands for each in a round, and the set of what it held before.
    joins: Vec<(Slot, PlaceId, u32)>,
    header: State,
    breaks: Vec<State>,
    continues: Vec<State>,
    /// Where it begins again; `switch` and `select` never do, and take `break` alone.
    repeated_from: Option<Point>,
    /// Steps of generators before it.
    counts: Option<(u32, Counts)>,
}

impl Default for Builder {
    fn default() -> Self {
        let mut builder = Self {
            facts: FileFacts::default(),
            depth: 0,
            names: FxHashMap::default(),
            unseen: 0,
            parents: Vec::new(),
            scopes: Vec::new(),
            next_runs: None,
            assigned_inside: FxHashSet::default(),
            calls_are_written: false,
            lists_share_parts: false,
            replaced: Vec::new(),
            left_by: Default::default(),
            held: Default::default(),
            chosen_by_key: Default::default(),
            lasting: Default::default(),
            flags: Default::default(),
            statements: Default::default(),
            shapes: Default::default(),
            body_reads: FxHashSet::default(),
            own_places: FxHashMap::default(),
            seen_early: Default::default(),
        };
        builder.name("");
        builder
    }
}
