//! Objects of one class kept apart: which object a function means, and what it does to the objects that it is given.
//!
//! The engine knows a field by its class: whatever goes into `Box.value` comes out of every `Box`. Here each function gets its
//! own view of the objects it handles:
//!
//! - A **root** is an object as one function sees it: one that it makes, one that a call gives it, one that a parameter brings,
//!   or one that lies in a cell of another.
//! - A **cell** is a field or part of a root: `left.value` and `right.value` are two. Cells are named by paths of at most
//!   [`DEPTH_LIMIT`] steps (k-limited access paths), where a field and the part of the container in it count as one.
//! - A root **escapes** when code that is not followed may get hold of it: it lies in a global or a captured variable, or was
//!   handed to a library. The fields of an escaped object are those of its class, the parts of an escaped container those of all
//!   that are made where it is.
//!
//! ```python
//! class Box:
//!     def __init__(self, value): self.value = value      # cell self.value of the parameter self, written
//!     def get(self): return self.value                   # cell self.value, read
//! left, right = Box(secret), Box("plain")                # roots left and right
//! right.get()                                            # the cell right.value goes in, and nothing of left.value
//! ```
//!
//! A cell of a parameter is one more argument and one more result of every call (Horwitz, Reps and Binkley 1990): the caller's cell
//! is `PASSES_TO` the callee's, which is `RETURNS_TO` the caller's. What is in a cell is also in the field of the class, which is
//! where a reader looks who doesn't know the object.
//!
//! Structures of Go are values: a copy is an object of its own, whose cells begin with what is in the cells of the original when it is
//! made ([`values`]). A variable whose address is taken is an object with one cell ([`boxes`]).
//!
//! Within a function a cell has *versions*, one for each write that may change it: [`versions`]. Where all that is done to a list or a
//! dict is known, in order, so is what each of its parts holds: [`tracked`], with [`contents`] for what an edit makes of it, and [`windows`] for lists that are
//! cut out of others.
//!
//! What lies too deep to have cells is all of one thing: [`deep`].
//!
//! An exception that leaves a function is one more object that its calls give: [`raised`].
//!
//! [`lay_out`] says what each function does, [`local`] finds the roots and cells of one, callees telling their callers, and [`follow`] goes from function to function until
//! nothing changes; [`cells`] says which of them are worth a place of their own, and gives the edges.

mod begun;
mod bodies;
mod bound;
mod boxes;
mod carried;
mod cells;
mod changed;
mod class_members;
mod closures;
mod contents;
mod deep;
mod edits;
mod entered;
mod factories;
mod fields;
mod folded;
mod follow;
mod found;
mod gathered;
mod globals;
mod grown;
mod handed;
mod held_back;
mod in_order;
pub(super) mod keys;
mod lay_out;
mod layers;
mod library;
mod live;
mod local;
mod looked_up;
mod one_of;
mod outside;
mod pairs;
mod points;
mod promoted;
mod raised;
mod remembered;
mod singletons;
mod spread;
mod stand_in;
mod timeline;
mod tracked;
mod values;
mod versions;
mod windows;
mod wire;

pub(crate) use closures::written_name;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::edges::ValueEdge;
use crate::facts::Position;
use crate::facts::order::Point;
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Step, Symbol};

/// Most steps from a variable to a cell.
const DEPTH_LIMIT: u8 = 3;

/// Most cells of one root: a class with more fields than that in use is one object.
const CELL_LIMIT: usize = 32;

/// Most roots of one place.
const ROOT_LIMIT: usize = 12;

/// A root, as an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct RootId(u32);

/// A few roots.
type Roots = SmallVec<[RootId; 4]>;

/// A few fields or parts.
type Fields = SmallVec<[PlaceIndex; 4]>;

/// An object of which nothing is known.
const UNKNOWN: RootId = RootId(0);

/// No object at all: what is read where nothing was put.
const NOTHING: RootId = RootId(1);

/// A cell, as an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CellId(u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum RootKind {
    Unknown,
    Nothing,
    /// What a parameter brings.
    Parameter(PlaceIndex),
    /// Made in this function, or given to it by a call, at this place.
    Made(PlaceIndex),
    /// What lay in a cell before the function wrote to it.
    Inside(CellId),
    /// What lies in an object that is too deep for cells: nothing is known of it but where it is.
    Beyond(RootId),
}

#[derive(Debug)]
struct Root {
    kind: RootKind,
    depth: u8,
    escaped: bool,
    /// Cells of their own are worth it, see [`cells`].
    live: bool,
    /// Library code made it, and may have put something in.
    foreign: bool,
    /// Too deep for a cell where something is written into it.
    changed: bool,
    /// When it last became another, by [`Heap::clock`].
    changed_at: u32,
    /// Which singleton it is, or lies in; [`singletons::NONE`] for most.
    singleton: u32,
    cells: SmallVec<[CellId; 4]>,
    /// The steps to them, in the same order.
    steps: SmallVec<[Step; 2]>,
}

#[derive(Debug)]
struct Cell {
    root: RootId,
    step: Step,
    holds: Roots,
    read: bool,
    written: bool,
    /// By something else than the parts of another container.
    put: bool,
    /// By library code.
    by_library: bool,
    /// Library code takes out what it put in.
    emptied: bool,
    /// The fields of classes, or the parts of containers, that it may be.
    fields: Fields,
    site: (FileIndex, Position),
    function: FunctionIndex,
    /// What lay there at first has a root.
    opened: bool,
    /// Callees put objects in that only they know.
    stocked: bool,
    /// Other objects than lists that are made where there is none yet.
    stocked_by_others: bool,
    /// A list that lies there is made longer, or made where there is none yet.
    grown: bool,
    /// What lies there is taken away, and nothing put in its place.
    left_empty: bool,
    /// A structure lies there, which is no other object than what is copied into it.
    copied: bool,
    /// Of which not all is known to them either: no container that they made.
    stocked_openly: bool,
    /// What a call started reads or writes it, now or at any time later.
    late: bool,
    /// That goes on with it when its function has ended, and callers have the object as well.
    outlives: bool,
    place: Option<PlaceIndex>,
}

/// A call of a function or class, with what goes where.
#[derive(Debug)]
struct Site {
    call: u32,
    /// Which of its caller's it is.
    number: u32,
    /// The function that calls, and where.
    caller: FunctionIndex,
    at: (FileIndex, Position),
    when: When,
    /// What is called runs beside the caller from then on: `go f(x)`.
    is_started: bool,
    /// The value of the call.
    value: Option<PlaceIndex>,
    callee: Callee,
    /// (parameter, argument)
    given: Vec<(PlaceIndex, PlaceIndex)>,
    /// (value of the call, result of the callee)
    results: Vec<(PlaceIndex, PlaceIndex)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Callee {
    /// A function; whether it makes the object that it is called on.
    Function { function: FunctionIndex, constructs: bool },
    /// A class without a constructor: `given` has its fields.
    Class,
    /// What comes out is not followed.
    Unknown,
}

/// When a read, write or call happens.
#[derive(Debug, Clone, Copy)]
struct When {
    point: Point,
    /// It happens once, whenever control comes there, and by itself: not inside of library code.
    is_certain: bool,
}

impl When {
    fn certain(point: Point) -> Self {
        Self {
            point,
            is_certain: true,
        }
    }
}

/// A read or write of a field or part.
#[derive(Debug, Clone)]
struct Access {
    base: PlaceIndex,
    step: Step,
    /// Where the value goes, or comes from.
    value: Option<PlaceIndex>,
    fields: Vec<PlaceIndex>,
    at: (FileIndex, Position),
    when: When,
    function: FunctionIndex,
}

/// A value that is copied: what is written into the copy is not in the original.
#[derive(Debug, Clone, Copy)]
struct ValueCopy {
    /// The original; the same as `to` for what a parameter brings.
    from: PlaceIndex,
    to: PlaceIndex,
    at: (FileIndex, Position),
    /// When, if that is known.
    point: Option<Point>,
    function: FunctionIndex,
    /// What lies in it is copied, too: `deepcopy(order)`.
    is_deep: bool,
}

/// A structure that is copied into a field, or a part of a container: of what is in `copy.to`.
#[derive(Debug, Clone)]
struct Filling {
    copy: ValueCopy,
    step: Step,
    fields: Vec<PlaceIndex>,
}

/// What one function does with objects.
#[derive(Debug, Default)]
struct Local {
    copies: Vec<(PlaceIndex, PlaceIndex)>,
    /// Lists that are made where there is none yet: (what is made, what for), with a number for how that is written.
    grown: Vec<((PlaceIndex, PlaceIndex), u32)>,
    reads: Vec<Access>,
    writes: Vec<Access>,
    sites: Vec<Site>,
    values: Vec<ValueCopy>,
    fillings: Vec<Filling>,
    moves: Vec<gathered::Move>,
    /// Structures that are written over by others.
    overwritten: Vec<ValueCopy>,
    /// What library code writes into.
    library: Vec<PlaceIndex>,
    /// What library code takes all out of that it put in.
    emptied: Vec<PlaceIndex>,
    /// What is of a type goes on: (from, to).
    asserted: Vec<(PlaceIndex, PlaceIndex)>,
    /// What these hold escapes.
    escapes: Vec<PlaceIndex>,
    /// What these hold is not known.
    unknown: Vec<PlaceIndex>,
    callers: Vec<FunctionIndex>,
}

impl Local {
    /// What a call hands to a function that came to it by several ways, and gets back, is often the same for each.
    fn add_site(&mut self, site: Site) {
        let mut of_call = self.sites.iter().rev().take_while(|other| other.call == site.call);
        let is_same =
            |other: &Site| other.callee == site.callee && other.given == site.given && other.results == site.results;
        if of_call.any(is_same) {
            return;
        }
        let number = self.sites.len() as u32;
        self.sites.push(Site { number, ..site });
    }
}

/// See the module's documentation.
#[derive(Debug)]
pub(super) struct Heap {
    locals: Vec<Local>,
    /// An order of the functions, callees before their callers: see [`super::ranks`].
    ranks: Vec<u32>,
    roots: Vec<Root>,
    /// Moved on by each change of a root or its cells.
    clock: u32,
    /// The roots of the caller that calls were followed to, see [`follow`].
    asked: Vec<RootId>,
    cells: Vec<Cell>,
    /// Roots that stand for all that lies below them, with the cells that lead back to them.
    folded: FxHashMap<RootId, Vec<CellId>>,
    classes: folded::Classes,
    made: FxHashMap<PlaceIndex, RootId>,
    /// The receivers of methods that are called away from their objects, by call.
    receivers: FxHashMap<(u32, FunctionIndex), PlaceIndex>,
    /// The steps from methods to what they were taken from.
    to_receivers: FxHashSet<Step>,
    /// What partial applications hold back.
    held_back: held_back::HeldBack,
    /// Parts of arguments that go into fields, by call, argument and field.
    taken_by_class: spread::Taken,
    /// The place in each closure that stands for what it keeps.
    kept: FxHashMap<FunctionIndex, PlaceIndex>,
    /// Variables that closures keep, or assign: by (variable, in the closure), or the other way round.
    captures: FxHashMap<(PlaceIndex, PlaceIndex), closures::Capture>,
    /// The places on the way of a variable through functions that only make the closure which keeps it, by its ends.
    passed_on: FxHashMap<(PlaceIndex, PlaceIndex), Vec<PlaceIndex>>,
    /// Objects that a call gave in several places at once: by the call, and what they are to the callee.
    aliases: FxHashMap<(u32, RootId), RootId>,
    /// Closures whose variables others assign at times that are not known.
    assigned_inside: FxHashSet<FunctionIndex>,
    /// Functions that tell types apart.
    asserting: FxHashSet<FunctionIndex>,
    /// What methods are called on that change it.
    changed_by_methods: FxHashSet<PlaceIndex>,
    /// What lies in objects that are too deep for cells.
    beyond: FxHashMap<RootId, RootId>,
    /// What callees call our objects.
    pairs: pairs::Pairs,
    /// The copies of values.
    copied: FxHashMap<PlaceIndex, RootId>,
    /// What is in containers of which all edits are known.
    tracked: tracked::Tracked,
    /// Which writes reach which reads.
    versions: versions::Versions,
    /// Functions that leave something running that has objects of their callers.
    lasting: FxHashSet<FunctionIndex>,
    /// Functions of which callers were found to put something into what they left running.
    outlived: Vec<FunctionIndex>,
    /// Ways on which calls cannot go.
    decided: super::decided::Decided,
    /// Members that hold something from the start: what a class body put there, or a structure.
    initial: FxHashSet<PlaceIndex>,
    /// Members of classes whose bodies put a container there, which all instances share.
    shared: FxHashSet<PlaceIndex>,
    /// Fields of structures.
    of_structures: FxHashSet<PlaceIndex>,
    /// Lists of structures, which are there without being put in.
    of_values: FxHashSet<RootId>,
    /// Fields that a text of their object shows, and parameters of which a text is made.
    shown: FxHashSet<PlaceIndex>,
    printed: FxHashSet<PlaceIndex>,
    /// The steps to members that are fields of structures, by what holds them.
    steps: FxHashMap<(PlaceIndex, Symbol), SmallVec<[Step; 2]>>,
    /// Fields that are structures themselves, no pointers to them.
    structured: FxHashSet<PlaceIndex>,
    /// Structures that are stored by copy, by where they are; whether they were just made, so that nobody else has them.
    by_value: FxHashMap<PlaceIndex, bool>,
    /// The names of embedded fields.
    embedded: FxHashSet<Symbol>,
    /// Functions whose generators `with` enters.
    entered: FxHashMap<FunctionIndex, entered::Entered>,
    /// The fields of the structures that are copied, by the place of the copy.
    structures: FxHashMap<PlaceIndex, Vec<(Symbol, PlaceIndex)>>,
    /// Their fields that lead to objects, which a copy has in common with what it was made of.
    leading: FxHashSet<PlaceIndex>,
    /// Embedded parts.
    promoted: promoted::Promoted,
    /// What goes into cells by no statement: arguments that are gathered, what library code writes.
    puts: Vec<gathered::Put>,
    /// Fields of structures that are values of library types.
    of_library: FxHashSet<PlaceIndex>,
    /// Those of them that keep their parts in a container, which is empty at first.
    tables_held: FxHashSet<PlaceIndex>,
    /// What classes of library code make.
    made_outside: Vec<RootId>,
    /// The fields of which a place holds what lies there, where that is a value of a library type.
    library_fields: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// What library code puts into what lies in such fields.
    puts_in_fields: Vec<(PlaceIndex, PlaceIndex, (FileIndex, Position))>,
    /// What calls gather, by the container.
    gathered: FxHashMap<PlaceIndex, Vec<(Part, PlaceIndex)>>,
    /// Variables that have boxes.
    boxed: FxHashSet<PlaceIndex>,
    /// How they are written and read, by the ends of the flow.
    boxes: FxHashMap<(PlaceIndex, PlaceIndex), boxes::BoxUse>,
    /// Such variables, and the pointers to them.
    addresses: FxHashSet<(PlaceIndex, PlaceIndex)>,
    /// Members that a copy is given in place of those of the original, by the place of the copy.
    replaced: FxHashSet<(PlaceIndex, Symbol)>,
    /// Parameters of which what they bring is put into something.
    put_by: FxHashSet<PlaceIndex>,
    /// A place that holds what nothing is known of.
    nowhere: PlaceIndex,
    /// A place for what library code looks into.
    taken_apart: PlaceIndex,
    /// What library code takes out of them.
    taken: Vec<gathered::Put>,
    /// The place in each function that stands for the module whose globals it hands along.
    modules: FxHashMap<FunctionIndex, PlaceIndex>,
    /// Uses of globals: the module, which global, when.
    globals: FxHashMap<PlaceIndex, (PlaceIndex, PlaceIndex, Point)>,
    /// What is assigned to globals, and when: the module, which global.
    globals_written: FxHashMap<(PlaceIndex, Point), (PlaceIndex, PlaceIndex)>,
    /// What globals hold where the one function begins that leads to them.
    begins_with: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// Containers that library code makes, with nothing in them.
    made_empty: FxHashSet<PlaceIndex>,
    /// Mappings that library code makes of another one and a part: the call, and what it gives.
    layers: Vec<layers::Layered>,
    /// What cells hold where calls are entered, where that is less than they ever hold.
    held_at: FxHashMap<(CellId, Point), Roots>,
    /// Objects that are the same to all functions.
    singletons: singletons::Singletons,
    /// What is in the containers that are there.
    begun: FxHashMap<PlaceIndex, begun::Begun>,
    /// Attributes of classes.
    class_members: class_members::ClassMembers,
    /// What is in a global when the program begins, by the module of the function that it begins with.
    first: FxHashMap<(PlaceIndex, PlaceIndex), Vec<PlaceIndex>>,
    /// Objects that functions make and put into what they were given.
    left_to: FxHashSet<RootId>,
    /// Containers in which nobody puts anything.
    untouched: FxHashSet<RootId>,
    /// What is made where a parameter brings nothing.
    stand_ins: FxHashMap<RootId, PlaceIndex>,
    /// Parameters that hold objects where nothing is handed over.
    with_default: FxHashSet<PlaceIndex>,
    /// Parameters that are keys.
    keys: FxHashSet<PlaceIndex>,
    /// Fields of parameters that are keys.
    kept_keys: keys::Kept,
    /// Sets of such keys.
    key_sets: one_of::KeySets,
    /// Keys are waited for that objects keep which are not found yet; and whether any was.
    waits: bool,
    has_waited: bool,
    /// The constants that calls hand over as such.
    constants: FxHashMap<(u32, PlaceIndex), Part>,
    /// Parameters.
    brought: FxHashSet<PlaceIndex>,
    /// Where the parts of many containers meet, by the place that these are in.
    joined: FxHashMap<(PlaceIndex, Part), PlaceIndex>,
    /// Cells of parts of which not all edges are told.
    pub(super) incomplete: FxHashSet<PlaceIndex>,
    /// Those that more parts may come to than are told one by one.
    untold: FxHashSet<PlaceIndex>,
    /// The roots that a place may hold.
    points: points::Points,
    /// What goes between cells, and from cells into fields.
    pub(super) edges: Vec<ValueEdge>,
    /// Containers that were read from fields and parts, and are handed on.
    loaded: FxHashSet<PlaceIndex>,
    /// What lies in containers that calls hand over as wholes, to the parameters: see [`handed`].
    pub(super) handed: Vec<ValueEdge>,
}

impl Root {
    /// An object of which nothing is known.
    fn unknown() -> Self {
        Self {
            kind: RootKind::Unknown,
            depth: 0,
            escaped: true,
            live: false,
            foreign: true,
            changed: false,
            changed_at: 0,
            singleton: singletons::NONE,
            cells: SmallVec::new_const(),
            steps: SmallVec::new_const(),
        }
    }

    /// The cells whose steps are such.
    fn cells_by(&self, is_such: impl Fn(Step) -> bool) -> impl Iterator<Item = CellId> {
        let cells = self.steps.iter().zip(&self.cells);
        cells.filter(move |(step, _)| is_such(**step)).map(|(_, cell)| *cell)
    }
}

impl Heap {
    fn root(&mut self, kind: RootKind, depth: u8) -> RootId {
        let singleton = match kind {
            RootKind::Inside(cell) => self.get(self.cell(cell).root).singleton,
            _ => singletons::NONE,
        };
        self.roots.push(Root {
            singleton,
            kind,
            depth,
            escaped: false,
            live: false,
            foreign: false,
            changed: false,
            changed_at: 0,
            cells: SmallVec::new_const(),
            steps: SmallVec::new_const(),
        });
        RootId(self.roots.len() as u32 - 1)
    }

    fn get(&self, root: RootId) -> &Root {
        &self.roots[root.0 as usize]
    }

    fn cell(&self, cell: CellId) -> &Cell {
        &self.cells[cell.0 as usize]
    }

    /// The cell of a root, if it has one. There are few.
    fn cell_of(&self, root: RootId, step: Step) -> Option<CellId> {
        self.get(root).cells_by(|own| own == step).next()
    }

    /// A root or one of its cells is another than before.
    fn changed(&mut self, root: RootId) {
        self.clock += 1;
        self.roots[root.0 as usize].changed_at = self.clock;
        self.note_changed(root);
    }

    /// Says something of a cell; whether that is new.
    fn mark(&mut self, cell: CellId, flag: impl FnOnce(&mut Cell) -> &mut bool) -> bool {
        let row = &mut self.cells[cell.0 as usize];
        let root = row.root;
        let is_new = !std::mem::replace(flag(row), true);
        if is_new {
            self.changed(root);
        }
        is_new
    }

    /// Whether nothing is known of the object.
    fn is_lost(&self, root: RootId) -> bool {
        root == UNKNOWN || self.get(root).escaped
    }

    /// The cells that a read by this step sees: under a constant key also what was put in under an unknown one, and under an
    /// unknown key everything.
    fn seen_by(&self, root: RootId, step: Step) -> SmallVec<[CellId; 4]> {
        if !matches!(step, Step::Part(_)) {
            return self.cell_of(root, step).into_iter().collect();
        }
        let sees = |own: Step| match (step, own) {
            (Step::Part(wanted @ (Part::Any | Part::Last(_))), Step::Part(part)) => {
                let is_part = matches!(
                    part,
                    Part::Text(_) | Part::Index(_) | Part::Any | Part::From(_) | Part::Under(_) | Part::OneOf(_)
                );
                is_part || wanted == part
            }
            (Step::Part(Part::Text(_) | Part::Index(_)), Step::Part(Part::Any | Part::Under(_) | Part::OneOf(_))) => {
                true
            }
            (Step::Part(Part::Under(_) | Part::OneOf(_)), Step::Part(part)) => {
                matches!(
                    part,
                    Part::Text(_) | Part::Index(_) | Part::Any | Part::Under(_) | Part::OneOf(_)
                )
            }
            (Step::Part(Part::Index(index)), Step::Part(Part::From(least))) => least <= index,
            (wanted, own) => wanted == own,
        };
        self.get(root).cells_by(sees).collect()
    }

    /// The cells that a write by this step changes: where all parts are taken out, each of them.
    fn changed_by(&self, root: RootId, step: Step) -> SmallVec<[CellId; 4]> {
        if step != Step::Part(Part::All) {
            return self.cell_of(root, step).into_iter().collect();
        }
        let is_part = |step: Step| {
            matches!(
                step,
                Step::Part(Part::Text(_) | Part::Index(_) | Part::Any | Part::Under(_) | Part::OneOf(_) | Part::All)
            )
        };
        self.get(root).cells_by(is_part).collect()
    }

    /// As [`Heap::changed_by`], where there is something to change: of a container that is made here, what stands for parts under unknown
    /// keys may have been read alone.
    fn written_by(&self, root: RootId, step: Step) -> SmallVec<[CellId; 4]> {
        let mut cells = self.changed_by(root, step);
        if step == Step::Part(Part::All) && matches!(self.get(root).kind, RootKind::Made(_)) && !self.get(root).foreign
        {
            cells.retain(|cell| self.cell(*cell).step != Step::Part(Part::Any) || self.cell(*cell).written);
        }
        cells
    }

    fn points_mut(&mut self, place: PlaceIndex) -> &mut Roots {
        self.points.list(place)
    }

    fn points_of(&self, place: PlaceIndex) -> &[RootId] {
        self.points.of(place)
    }
}
