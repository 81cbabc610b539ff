//! The worklist: contents, constraints, and the rounds until nothing changes.
//!
//! A place's constraints are a linked list in one arena; its contents a short list of object numbers, in the place itself while there are
//! few. The work is a stack of (place, object) pairs, each handled once. What does not fit into a place is noted: see [`super::cut`].

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

pub(super) use super::constraint::Constraint;
use super::fallback::Entered;
use super::keyed::Keyed;
use super::library::Library;
pub(super) use super::moved::{DropRow, EndRow, PartCopyRow};
use super::object::{Object, ObjectId, Objects};
pub(super) use super::rows::{ArgumentRow, CallRow, ElementRow, LoadRow, RowBase, RowKey, RowSite, StoreRow, Target};
use crate::facts::{Binding, ConditionId, FileFacts, Position};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PackageIndex, Part, PlaceIndex, Program, Symbol, TypeIndex};
use ripple_schema::Language;

/// Most objects of a place up to which it takes containers: they have nothing in common that could stand for them.
pub const CONTAINERS_LIMIT: usize = 24;

/// Most containers of a place through which parts of them are written: what is lost there is lost for whoever reads them.
pub const WRITTEN_LIMIT: usize = 256;

/// Most objects that a place holds besides functions and classes. Real dispatch sites hold a handful; beyond this, what they have in common
/// says as much: see [`super::full`].
pub const CONTENTS_LIMIT: usize = 20;

/// So many instances of types of files with written types find room in a place whatever else is there.
const TYPED_ROOM: usize = 8;

/// Most functions and classes that a place holds: tables of handlers are long, and each of them is called.
pub const CALLABLES_LIMIT: usize = 256;

/// Rounds of class-hierarchy widening: each may uncover loads that only then have a receiver.
const ROUNDS: u32 = 40;

/// The round in which what declared types say has arrived.
const LATE_ROUND: u32 = 3;

/// The state of the engine. After [`Solver::solve`] it answers what every place holds and every call calls.
pub struct Solver<'p> {
    /// The program; members and elements are added while solving.
    pub program: &'p mut Program,
    /// Tables of library behaviour.
    pub libraries: &'p FxHashMap<Language, Library>,
    /// All objects.
    pub objects: Objects,
    pub(super) slots: Vec<Slot>,
    pub(super) arena: Vec<(Constraint, u32)>,
    copies: FxHashSet<(PlaceIndex, PlaceIndex)>,
    attached: FxHashSet<(PlaceIndex, Constraint)>,
    /// What is left to do: one constraint, or all that hang on the place.
    pub(super) work: Vec<(Option<Constraint>, PlaceIndex, ObjectId)>,
    pub(super) loads: Vec<LoadRow>,
    pub(super) stores: Vec<StoreRow>,
    pub(super) element_loads: Vec<ElementRow>,
    pub(super) element_stores: Vec<ElementRow>,
    /// Places through which parts are written.
    pub(super) written: FxHashSet<PlaceIndex>,
    pub(super) part_copies: Vec<PartCopyRow>,
    /// How much there was to copy when each of them was last followed.
    pub(super) part_copies_seen: Vec<(usize, usize, usize)>,
    /// How many parts it copied from a container to another.
    pub(super) parts_copied: FxHashMap<(u32, ObjectId, ObjectId), u32>,
    /// How many parts a container has where it is made.
    pub(super) lengths: FxHashMap<PlaceIndex, u32>,
    /// The keys of a map where it is made, where all are constants.
    pub(super) keyed: FxHashMap<PlaceIndex, Vec<Part>>,
    /// What is put and found under keys that callers hand in.
    pub(super) handed_keys: Keyed,
    /// Where containers of library code are made that nobody puts anything into.
    pub(super) nothing_held: Option<PlaceIndex>,
    /// Arguments that are a number and say which part is meant, by call.
    pub(super) numbers: FxHashMap<u32, i32>,
    pub(super) calls: Vec<CallRow>,
    /// How many pairs of place and object were handled, and in how many the object was a function or class.
    pub(super) taken_steps: u64,
    pub(super) callable_steps: u64,
    pub(super) made_calls: super::made_calls::MadeCalls,
    pub(super) unaccepted: super::accepted::Unaccepted,
    pub(super) hooks: super::attribute_hooks::Hooks,
    pub(super) arguments: Vec<ArgumentRow>,
    pub(super) results: Vec<PlaceIndex>,
    pub(super) elements: FxHashMap<(ObjectId, Part), PlaceIndex>,
    pub(super) parts: FxHashMap<ObjectId, Vec<(Part, PlaceIndex)>>,
    /// Containers that got a part under an unknown key: the whole stands for its parts.
    pub(super) open: FxHashSet<ObjectId>,
    /// What names that files do not bind themselves were found to mean: (use, where from).
    pub(super) name_sources: Vec<(FileIndex, u32, Vec<PlaceIndex>)>,
    pub(super) import_sources: Vec<(PlaceIndex, PlaceIndex)>,
    pub(super) name_targets: Vec<(FileIndex, u32, Vec<PlaceIndex>)>,
    /// Uses of names that nothing binds, and of names of the language.
    pub(super) unbound: FxHashMap<PlaceIndex, Symbol>,
    /// Receivers that were widened to all subtypes, by load.
    pub(super) widened: FxHashSet<(u32, ObjectId)>,
    pub(super) widened_at: super::widening::WidenedAt,
    pub(super) member_copies: FxHashSet<(PlaceIndex, u32, ObjectId)>,
    pub(super) implicit_done: FxHashSet<(bool, u32)>,
    /// What the fields hold that embed interfaces and are asked for a method: by field, and where the method goes.
    pub(super) embedded_parts: FxHashMap<(PlaceIndex, PlaceIndex), PlaceIndex>,
    /// Those of a type among what a place holds of which that is asked, by the place, the type, and where what they embed goes.
    pub(super) wholes: FxHashMap<(PlaceIndex, TypeIndex, PlaceIndex), PlaceIndex>,
    /// Reads of parts that ask for a method already.
    pub(super) elements_asked: FxHashSet<(u32, Symbol)>,
    /// Mappings whose parts are attributes, and the stores to these.
    pub(super) records: FxHashSet<ObjectId>,
    /// Those of them that are tables of a library.
    pub(super) frames: FxHashSet<ObjectId>,
    /// Containers that are instances of classes, each with its class.
    pub(super) own_containers: FxHashMap<ObjectId, TypeIndex>,
    /// Containers that nobody is seen to make.
    pub(super) supposed: FxHashSet<ObjectId>,
    /// What lies in what library code is given, by the call and what that is given.
    pub(super) looked_into: FxHashMap<(u32, PlaceIndex), PlaceIndex>,
    /// Those that were found last.
    pub(super) looked_last: Vec<(u32, PlaceIndex)>,
    /// Members that were read under names that come as data, by where they come to and who reads them.
    pub(super) named_read: FxHashSet<(PlaceIndex, Symbol, FunctionIndex)>,
    pub(super) stored_in_records: FxHashSet<(PlaceIndex, Symbol, crate::facts::order::Point)>,
    /// Members of packages that stores write.
    pub(super) set_in_packages: Vec<(PackageIndex, Symbol)>,
    /// Loads of members that nobody had then, by the member.
    pub(super) missed_loads: FxHashMap<Symbol, Vec<(u32, ObjectId)>>,
    /// Reads from the end of containers, as long as these have nothing under unknown keys.
    pub(super) reads_from_end: Vec<(u32, ObjectId)>,
    /// How members bind that hold what other functions made, and the member with what writes them.
    pub(super) member_bindings: FxHashMap<PlaceIndex, (Binding, super::properties_made::Writers)>,
    /// Functions that calls make properties of, with what writes these.
    pub(super) properties_made: FxHashMap<FunctionIndex, super::properties_made::Writers>,
    /// What class bodies put in their members; nothing for those that they only declare.
    pub(super) class_values: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// Members that are written from outside.
    pub(super) put_in: super::put_in::PutIn,
    /// Classes of classes.
    pub(super) metaclasses: FxHashMap<TypeIndex, TypeIndex>,
    /// Calls that make instances past the metaclass, with the calls of library code that they stand behind.
    pub(super) made_plainly: FxHashMap<u32, (u32, Symbol)>,
    /// Values of calls of classes that have a metaclass which is called for them; none of several.
    pub(super) made_of_class: FxHashMap<PlaceIndex, Option<TypeIndex>>,
    /// Calls of such classes: the constructor is called by the metaclass.
    pub(super) constructed_inside: FxHashSet<(u32, TypeIndex)>,
    /// Loads that turned out to read a property: their call.
    pub(super) property_calls: FxHashMap<u32, u32>,
    /// Parameters that a function gives back as they are, with the results and the tests that stand before.
    pub(super) handed_back: FxHashMap<PlaceIndex, Vec<(PlaceIndex, Vec<u32>)>>,
    /// Flows that constants of their files rule out, as long as nobody assigns these.
    pub(super) held_back: Vec<(FileIndex, ConditionId, PlaceIndex, PlaceIndex)>,
    /// What constructors put in fields that conditions ask for, once that was asked.
    pub(super) made_with: std::sync::OnceLock<std::sync::Arc<super::made_with::ByConstructors>>,
    /// Reads of fields that may be keys.
    pub(super) kept_keys: super::kept_keys::KeptKeys,
    /// Constants of other modules that conditions ask for.
    pub(super) flags: super::flags::Flags,
    /// What those of them are that a call leaves out.
    pub(super) defaults: FxHashMap<PlaceIndex, Vec<PlaceIndex>>,
    /// Dictionaries of the members of objects.
    pub(super) namespaces: Vec<super::namespace::Namespace>,
    pub(super) columns_named: super::columns_named::ColumnsNamed,
    pub(super) members_set: Vec<super::members_set::SetRow>,
    /// The calls, in order, of functions that set members to what lies in tables.
    pub(super) calls_that_set: FxHashMap<FunctionIndex, Vec<u32>>,
    pub(super) forwards: super::forwarding::Forwards,
    pub(super) by_receiver: super::by_receiver::ByReceiver,
    pub(super) by_argument: super::by_argument::ByArgument,
    /// Calls of library code by its own name.
    pub(super) named_calls: FxHashSet<u32>,
    /// What stands for the parts of the argument that is spread, of calls of library code.
    pub(super) spread_parts: FxHashMap<u32, PlaceIndex>,
    /// The tuples that library calls give, by call.
    pub(super) result_tuples: FxHashMap<u32, PlaceIndex>,
    /// Rows of tables that calls make.
    pub(super) rows_made: FxHashMap<u32, PlaceIndex>,
    /// What library calls reach from what they are given.
    pub(super) reached: FxHashMap<(u32, PlaceIndex), PlaceIndex>,
    /// What was looked into for such a place.
    pub(super) looked_within: FxHashSet<(PlaceIndex, ObjectId)>,
    /// The methods by which what is reached answers by itself.
    pub(super) answering: FxHashMap<PlaceIndex, Vec<String>>,
    /// Stores that turned out to call a setter.
    pub(super) setter_calls: Vec<(u32, FunctionIndex)>,
    /// Those that are given nothing.
    pub(super) setters_told: Vec<(u32, FunctionIndex)>,
    /// What `with` enters.
    pub(super) entered: Entered,
    pub(super) type_cache: FxHashMap<(FileIndex, u32), Vec<ObjectId>>,
    pub(super) implementers: FxHashMap<TypeIndex, Vec<TypeIndex>>,
    /// Types that instances were found to implement, sorted.
    pub(super) implementations: Vec<(TypeIndex, TypeIndex)>,
    /// Wire effects found at library calls: (call, entry's effect, callee).
    pub(super) effects_done: FxHashSet<(u32, Symbol)>,
    /// What is tested, where it goes, and the types that it is tested for.
    pub(super) narrowings: Vec<super::narrow::NarrowingRow>,
    /// Those of what stands in for members that may be missing.
    pub(super) lacking: FxHashSet<u32>,
    /// Those that wait for a call to end, by that call.
    pub(super) waiting: FxHashMap<u32, Vec<u32>>,
    /// Calls among those that may end.
    pub(super) ended: FxHashSet<u32>,
    /// Members that only code outside of a class gives to it.
    pub(super) members_added: FxHashSet<Symbol>,
    pub(super) raises: Vec<super::raise::RaiseRow>,
    pub(super) guards: Vec<super::raise::GuardRow>,
    pub(super) first_guard: Vec<u32>,
    /// The exception of a value that a function lets out.
    pub(super) raised: FxHashMap<(FunctionIndex, PlaceIndex), PlaceIndex>,
    /// Exceptions that were not followed as far as they may come.
    pub(super) raised_further: FxHashSet<PlaceIndex>,
    /// Ways of exceptions: from, to, the call that lets it through.
    pub(super) caught: Vec<(PlaceIndex, PlaceIndex, Option<u32>, FileIndex, Position)>,
    pub(super) caught_pairs: FxHashSet<(PlaceIndex, PlaceIndex, Option<u32>)>,
    /// Calls of what runs beside their caller from then on, or at any time later.
    pub(super) started: FxHashSet<u32>,
    /// What callbacks gave, and where library code puts that: (call, value, place).
    pub(super) called_back: Vec<(u32, PlaceIndex, PlaceIndex)>,
    /// Loads that turned out to ask a descriptor or `__getattr__`: (value, class that answers).
    pub(super) special_reads: FxHashSet<(PlaceIndex, TypeIndex)>,
    /// What `__getattr__` hands on to, and how often that was handed on.
    pub(super) handed_on: FxHashMap<PlaceIndex, u8>,
    /// Containers whose parts are asked, as they are compared.
    pub(super) compared: super::compared::Compared,
    /// Stores that a class answers for.
    pub(super) stores_handed: FxHashSet<(u32, TypeIndex)>,
    /// Results of decorators of classes, with the class.
    pub(super) class_decorations: FxHashMap<PlaceIndex, ObjectId>,
    pub(super) decorated_classes: FxHashSet<TypeIndex>,
    /// Functions that decorators of classes gave, until it is known whether they give the class itself; then none.
    pub(super) withheld: Option<Vec<(PlaceIndex, ObjectId)>>,
    /// Calls of what `functools.partial` gave: (call, call that made it).
    pub(super) partials: FxHashSet<(u32, u32)>,
    /// The call of a partial application for which a call stands, and all that it was held back through.
    pub(super) partial_calls: FxHashMap<u32, (u32, Vec<u32>)>,
    /// Generators that something is sent into.
    pub(super) sent_to: FxHashSet<ObjectId>,
    pub(super) taken: super::taken::Taken,
    pub(super) assertions: Vec<super::assertions::AssertionRow>,
    pub(super) loops: Vec<super::loops::LoopRow>,
    /// What loops get each time.
    pub(super) loop_values: FxHashSet<PlaceIndex>,
    /// Types with their methods, and the types that have a method of a name, as indices of the first.
    pub(super) method_sets: Vec<(TypeIndex, FxHashMap<Symbol, PlaceIndex>)>,
    pub(super) by_method: FxHashMap<Symbol, Vec<usize>>,
    /// The method behind each member that is one.
    pub(super) method_at: FxHashMap<PlaceIndex, FunctionIndex>,
    /// Types that generic functions were given.
    pub(super) bound_types: FxHashSet<(FunctionIndex, FileIndex, crate::facts::TypeExpressionId)>,
    pub(super) instantiations: super::instantiations::Instantiations,
    /// The first call of each file.
    pub(super) first_calls: Vec<u32>,
    /// Calls of the bodies of loops: (call, loop).
    pub(super) loop_calls: Vec<(u32, u32)>,
    /// The types that calls are given, by call.
    pub(super) type_arguments: FxHashMap<u32, Vec<crate::facts::TypeExpressionId>>,
    /// Steps of generators that were taken before a call that takes one.
    pub(super) steps: FxHashMap<u32, crate::facts::steps::Steps>,
    /// Parts that are taken out of containers.
    pub(super) drops: Vec<DropRow>,
    /// What is done at the ends of lists and channels.
    pub(super) end_changes: Vec<EndRow>,
    /// Containers that have another number of parts than where they were made.
    pub(super) resized: FxHashSet<ObjectId>,
    /// Lists of which parts moved up or down: what is read at a position may have been put at another.
    pub(super) shifted: FxHashSet<ObjectId>,
    /// Lists whose parts were moved about.
    pub(super) stirred: FxHashSet<ObjectId>,
    /// Types of the index that have the methods of a library's interface.
    pub(super) outside_implementers: FxHashMap<Symbol, Vec<TypeIndex>>,
    /// What callers have copies of, by function.
    pub(super) recipes: super::copies::Recipes,
    /// The places of a caller's copy, by call and function.
    pub(super) copied: FxHashMap<(u32, FunctionIndex), FxHashMap<PlaceIndex, PlaceIndex>>,
    /// Containers of copies, with those that they stand for.
    pub(super) container_copies: FxHashMap<ObjectId, ObjectId>,
    /// What declared types keep out.
    pub(super) declared: super::declared::Declared,
    /// Attributes that functions are given.
    pub(super) function_members: FxHashMap<(FunctionIndex, Symbol), PlaceIndex>,
    /// All loads by their member, once that is asked for.
    pub(super) loads_of: FxHashMap<Symbol, Vec<u32>>,
    pub(super) function_member_counts: FxHashMap<Symbol, u32>,
    pub(super) module_member_counts: FxHashMap<Symbol, u32>,
    /// Files of which types say little.
    pub(super) untyped: FxHashSet<FileIndex>,
    /// Members that were found by a part of their names, and where they go: by what is read, and the name.
    pub(super) fitting: FxHashMap<(PlaceIndex, Symbol), Vec<PlaceIndex>>,
    /// What library code reads a member of whose name is not known, where it comes to, and the call.
    pub(super) computed: Vec<(PlaceIndex, PlaceIndex, u32)>,
    /// What comes from parameters that nobody feeds.
    pub(super) outside: super::open::Open,
    pub(super) left_out: super::cut::LeftOut,
    pub(super) full: super::full::Full,
    pub(super) relations: super::model_rows::Relations,
    pub(super) rendered: super::rendered::Rendered,
}

/// What is known of a place.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub contents: SmallVec<[ObjectId; 4]>,
    /// The constraint that was hung on it last.
    pub head: u32,
    /// What its declared type takes, see [`super::declared`].
    pub declared: u32,
    /// How many of the contents are containers.
    pub containers: u16,
    /// How many of them are no functions, classes or containers.
    pub others: u16,
}

impl Slot {
    const EMPTY: Self = Self {
        contents: SmallVec::new_const(),
        head: u32::MAX,
        declared: 0,
        containers: 0,
        others: 0,
    };

    pub(super) fn holds(&self, object: ObjectId) -> bool {
        // Block by block without a branch inside: places with hundreds of functions are asked most often.
        let (blocks, rest) = self.contents.as_chunks::<16>();
        let in_block = |block: &[ObjectId; 16]| block.iter().fold(false, |found, held| found | (*held == object));
        blocks.iter().any(in_block) || rest.contains(&object)
    }
}

impl<'p> Solver<'p> {
    /// Lays out all constraints.
    pub fn new(program: &'p mut Program, libraries: &'p FxHashMap<Language, Library>) -> Self {
        let mut solver = Self {
            program,
            libraries,
            objects: Objects::default(),
            slots: Vec::new(),
            arena: Vec::new(),
            copies: FxHashSet::default(),
            attached: FxHashSet::default(),
            work: Vec::new(),
            loads: Vec::new(),
            stores: Vec::new(),
            element_loads: Vec::new(),
            element_stores: Vec::new(),
            part_copies: Vec::new(),
            part_copies_seen: Vec::new(),
            parts_copied: FxHashMap::default(),
            lengths: FxHashMap::default(),
            keyed: FxHashMap::default(),
            numbers: FxHashMap::default(),
            partials: FxHashSet::default(),
            partial_calls: FxHashMap::default(),
            special_reads: FxHashSet::default(),
            handed_on: FxHashMap::default(),
            compared: Default::default(),
            stores_handed: FxHashSet::default(),
            started: FxHashSet::default(),
            called_back: Vec::new(),
            narrowings: Vec::new(),
            lacking: FxHashSet::default(),
            waiting: FxHashMap::default(),
            ended: FxHashSet::default(),
            members_added: FxHashSet::default(),
            raises: Vec::new(),
            guards: Vec::new(),
            first_guard: Vec::new(),
            raised: FxHashMap::default(),
            raised_further: FxHashSet::default(),
            caught: Vec::new(),
            caught_pairs: FxHashSet::default(),
            class_decorations: FxHashMap::default(),
            decorated_classes: FxHashSet::default(),
            withheld: Some(Vec::new()),
            calls: Vec::new(),
            taken_steps: 0,
            callable_steps: 0,
            made_calls: Default::default(),
            unaccepted: Default::default(),
            hooks: Default::default(),
            arguments: Vec::new(),
            results: Vec::new(),
            handed_keys: Keyed::default(),
            nothing_held: None,
            elements: FxHashMap::default(),
            parts: FxHashMap::default(),
            open: FxHashSet::default(),
            name_sources: Vec::new(),
            import_sources: Vec::new(),
            name_targets: Vec::new(),
            unbound: FxHashMap::default(),
            widened: FxHashSet::default(),
            widened_at: Default::default(),
            member_copies: FxHashSet::default(),
            implicit_done: FxHashSet::default(),
            embedded_parts: FxHashMap::default(),
            wholes: FxHashMap::default(),
            elements_asked: FxHashSet::default(),
            records: FxHashSet::default(),
            frames: FxHashSet::default(),
            own_containers: FxHashMap::default(),
            supposed: FxHashSet::default(),
            looked_into: FxHashMap::default(),
            looked_last: Vec::new(),
            named_read: FxHashSet::default(),
            stored_in_records: FxHashSet::default(),
            set_in_packages: Vec::new(),
            missed_loads: FxHashMap::default(),
            reads_from_end: Vec::new(),
            member_bindings: FxHashMap::default(),
            properties_made: FxHashMap::default(),
            class_values: FxHashMap::default(),
            put_in: Default::default(),
            metaclasses: FxHashMap::default(),
            made_plainly: FxHashMap::default(),
            made_of_class: FxHashMap::default(),
            constructed_inside: FxHashSet::default(),
            property_calls: FxHashMap::default(),
            handed_back: FxHashMap::default(),
            held_back: Vec::new(),
            flags: Default::default(),
            made_with: Default::default(),
            kept_keys: Default::default(),
            defaults: FxHashMap::default(),
            namespaces: Vec::new(),
            columns_named: Default::default(),
            members_set: Vec::new(),
            calls_that_set: FxHashMap::default(),
            forwards: Default::default(),
            by_receiver: Default::default(),
            by_argument: Default::default(),
            spread_parts: FxHashMap::default(),
            named_calls: FxHashSet::default(),
            result_tuples: FxHashMap::default(),
            rows_made: FxHashMap::default(),
            reached: FxHashMap::default(),
            looked_within: FxHashSet::default(),
            answering: FxHashMap::default(),
            setter_calls: Vec::new(),
            setters_told: Vec::new(),
            entered: Entered::default(),
            type_cache: FxHashMap::default(),
            implementers: FxHashMap::default(),
            implementations: Vec::new(),
            effects_done: FxHashSet::default(),
            sent_to: FxHashSet::default(),
            taken: Default::default(),
            assertions: Vec::new(),
            loops: Vec::new(),
            loop_values: FxHashSet::default(),
            method_sets: Vec::new(),
            by_method: FxHashMap::default(),
            method_at: FxHashMap::default(),
            bound_types: FxHashSet::default(),
            instantiations: Default::default(),
            first_calls: Vec::new(),
            loop_calls: Vec::new(),
            type_arguments: FxHashMap::default(),
            steps: FxHashMap::default(),
            drops: Vec::new(),
            end_changes: Vec::new(),
            resized: FxHashSet::default(),
            shifted: FxHashSet::default(),
            stirred: FxHashSet::default(),
            outside_implementers: FxHashMap::default(),
            recipes: Default::default(),
            copied: FxHashMap::default(),
            container_copies: FxHashMap::default(),
            declared: Default::default(),
            function_members: FxHashMap::default(),
            function_member_counts: FxHashMap::default(),
            module_member_counts: FxHashMap::default(),
            loads_of: FxHashMap::default(),
            untyped: FxHashSet::default(),
            fitting: FxHashMap::default(),
            computed: Vec::new(),
            outside: Default::default(),
            left_out: Default::default(),
            written: FxHashSet::default(),
            full: Default::default(),
            relations: Default::default(),
            rendered: Default::default(),
        };
        solver.make_room();
        solver.grow();
        solver.find_implementers();
        solver.find_metaclasses();
        solver.find_flags();
        for index in 0..solver.program.files.len() {
            solver.lay_out(FileIndex(index as u32));
        }
        solver.tell_inherited_metaclasses();
        solver.find_kept_keys();
        for index in 0..solver.program.files.len() {
            solver.lay_out_drops(FileIndex(index as u32));
        }
        solver.made_calls.begin(solver.calls.len() as u32);
        solver.find_protocols();
        solver.seed();
        solver.find_instantiations();
        solver
    }

    /// What the files hold is known beforehand; a table that grows by and by is copied again and again.
    fn make_room(&mut self) {
        let facts = || self.program.files.iter().map(|file| &*file.facts);
        let total = |rows: fn(&FileFacts) -> usize| facts().map(rows).sum::<usize>();
        let calls = total(|facts| facts.calls.len());
        let loads = total(|facts| facts.loads.len());
        let stores = total(|facts| facts.stores.len());
        let element_loads = total(|facts| facts.element_loads.len());
        let element_stores = total(|facts| facts.element_stores.len());
        let flows = total(|facts| facts.flows.len());
        let arguments = total(|facts| facts.calls.iter().map(|call| call.arguments.len()).sum());
        let places = self.program.place_count();
        // Members, parts of containers and cells come behind those of the files.
        self.slots.reserve(2 * places);
        self.calls.reserve(calls);
        self.results.reserve(calls);
        self.copies.reserve(4 * calls);
        self.member_copies.reserve(calls);
        self.arguments.reserve(arguments);
        self.loads.reserve(loads);
        self.stores.reserve(stores);
        self.element_loads.reserve(element_loads);
        self.element_stores.reserve(element_stores);
        self.arena
            .reserve(2 * (calls + loads + stores + element_loads + element_stores + flows));
    }

    /// Runs until nothing changes.
    pub fn solve(&mut self) {
        self.run();
        self.release_held_back();
        let (mut exceptions_routed, mut is_late, mut supposed, mut keys_found) = (false, false, false, false);
        for round in 0..ROUNDS {
            let before = self.work.len();
            self.widen();
            self.widen_open();
            self.fall_back(round);
            if round == LATE_ROUND {
                self.narrow_late();
            }
            let copied = self.copy_parts()
                | self.fill_namespaces()
                | self.any_members()
                | self.set_parts()
                | self.name_columns();
            self.read_opened();
            self.stir();
            self.release_held_back();
            self.values_of_loops();
            if self.work.len() == before && !copied && self.find_open() {
                self.widen_open();
            } else if self.work.len() == before && !copied && self.named_members() {
                // What is read now may be called.
            } else if self.work.len() == before && !copied {
                self.believe_unaccepted();
                // Exceptions last: what is known of them by then is most of what will be.
                self.route_exceptions(exceptions_routed);
                if self.work.len() == before && round < LATE_ROUND && !std::mem::replace(&mut is_late, true) {
                    self.narrow_late();
                }
                let is_done = self.work.len() == before && exceptions_routed;
                if is_done && !std::mem::replace(&mut supposed, true) {
                    self.suppose_containers();
                } else if is_done {
                    let is_found = std::mem::replace(&mut keys_found, true);
                    if is_found || !(self.find_keyed() | self.set_named()) {
                        break;
                    }
                }
                exceptions_routed = true;
            }
            self.run();
            tracing::debug!(
                round,
                steps = self.taken_steps,
                of_functions = self.callable_steps,
                places = self.slots.len(),
                constraints = self.arena.len(),
                calls = self.calls.len(),
                "solved"
            );
        }
        // Nothing comes of this but edges.
        for depth in 0.. {
            if !self.look_into(depth) {
                break;
            }
            self.run();
        }
        self.forget_copies();
        // What only made the objects travel is done with.
        self.work = Vec::new();
        self.copies = FxHashSet::default();
        self.attached = FxHashSet::default();
        self.loads_of = FxHashMap::default();
        self.parts_copied = FxHashMap::default();
        self.member_copies = FxHashSet::default();
        self.missed_loads = FxHashMap::default();
        self.copied = FxHashMap::default();
        self.recipes = Default::default();
        self.container_copies = FxHashMap::default();
    }

    fn run(&mut self) {
        self.hand_back_found();
        while let Some((constraint, place, object)) = self.work.pop() {
            self.taken_steps += 1;
            self.callable_steps += u64::from(self.objects.get(object).is_callable());
            self.hand_back_found();
            if let Some(constraint) = constraint {
                self.fire(constraint, place, object);
                continue;
            }
            let mut next = self.slots[place.at()].head;
            while next != u32::MAX {
                let (constraint, after) = self.arena[next as usize];
                self.fire(constraint, place, object);
                next = after;
            }
        }
    }

    pub(super) fn fire(&mut self, constraint: Constraint, place: PlaceIndex, object: ObjectId) {
        match constraint {
            Constraint::Copy(to) => self.add(to, object),
            Constraint::Narrow(narrowing) => self.narrow(narrowing, object),
            Constraint::Assert(assertion) => self.assert(assertion, object),
            Constraint::Within(reached) => self.look_within(reached, object),
            Constraint::Loop(row) => self.loop_over(row, object),
            Constraint::NarrowBy(narrowing) => self.narrow_by(narrowing, object),
            Constraint::CopyPointedAt(to) => {
                if !matches!(self.objects.get(object), Object::Address(_)) {
                    self.add(to, object);
                }
            }
            Constraint::ClassOf(to) => self.class_given(object, to),
            Constraint::InstanceOf(to) => self.instance_given(object, to),
            Constraint::SubclassesOf(to) => self.subclasses_given(object, to),
            Constraint::RowsOf(to) => self.rows_of(object, to),
            Constraint::Relate(call) => self.relate_given(call, object),
            Constraint::RowsByName(call) => self.rows_by_name(call, object),
            Constraint::Render(row) => self.render_by(row, object),
            Constraint::Hooks(call, writes) => self.call_hooks((call, writes), object),
            Constraint::CopyPlain(to) => {
                if !matches!(
                    self.objects.get(object),
                    Object::Instance(_) | Object::AnyOf(_) | Object::External(_) | Object::AnyExternal(_)
                ) {
                    self.add(to, object);
                }
            }
            Constraint::CopyCells(to) => {
                if !self.objects.get(object).is_container() {
                    self.add(to, object);
                }
            }
            Constraint::CopyContainers(to) => self.copy_container(object, to),
            Constraint::CopyOwn(to, parameter) => {
                if !self.slots[parameter.at()].holds(object) {
                    self.add(to, object);
                }
            }
            Constraint::Forward(row) => self.forward(row, object),
            Constraint::Load(load) => self.load_from(load, object),
            Constraint::LoadFitting(load) => self.load_fitting(load, object),
            Constraint::Store(store) => self.store_into(store, object),
            Constraint::ElementLoad(load) => self.element_from(load, object),
            Constraint::ElementStore(store) => self.element_into(store, object),
            Constraint::Call(call) => self.call_object(call, object),
            Constraint::MemberCopy(load, receiver) => self.bind_member(load, receiver, place, object),
            Constraint::SetterCopy(store, receiver) => self.call_setter(store, receiver, place, object),
            Constraint::Construct(call, class) => self.construct(call, class, object),
            Constraint::Make(call, class) => self.make(call, class, object),
            Constraint::CallMember(call, receiver) => self.call_member(call, receiver, object),
        }
    }

    /// Puts an object into a place.
    pub(super) fn add(&mut self, place: PlaceIndex, object: ObjectId) {
        if self.slots[place.at()].holds(object) || !self.takes(place, object) {
            return;
        }
        let is_of_another = !self.class_decorations.is_empty() && self.is_of_another_class(place, object)
            || !self.made_of_class.is_empty() && self.is_of_another_call(place, object);
        if is_of_another {
            return;
        }
        if self.is_spent() {
            return self.leave_out(place, object);
        }
        let limit = self.callables_limit();
        let slot = &self.slots[place.at()];
        let is_callable = self.objects.get(object).is_callable();
        let (others, containers) = (usize::from(slot.others), usize::from(slot.containers));
        let is_container = matches!(self.objects.get(object), Object::Container { .. });
        let is_full = match (is_callable, is_container) {
            (true, _) => slot.contents.len() - others - containers >= limit,
            (_, true) => others + containers >= CONTAINERS_LIMIT,
            _ => others + containers >= CONTENTS_LIMIT,
        };
        let is_full = is_full && !(others < CALLABLES_LIMIT && self.takes_anything(place));
        // Where types are written down, names of library code that were guessed do not crowd out what is declared.
        let is_typed = |object: &ObjectId| match self.objects.get(*object) {
            Object::Instance(index) | Object::AnyOf(index) => {
                !self.untyped.contains(&self.program.types[index.at()].file)
            }
            _ => false,
        };
        let has_room = || is_typed(&object) && slot.contents.iter().filter(|held| is_typed(held)).count() < TYPED_ROOM;
        let is_written = || is_container && containers < WRITTEN_LIMIT && self.written.contains(&place);
        if is_full && !has_room() && !is_written() {
            return self.find_room(place, object);
        }
        let slot = &mut self.slots[place.at()];
        slot.containers += u16::from(is_container);
        slot.others += u16::from(!is_callable && !is_container);
        slot.contents.push(object);
        self.work.push((None, place, object));
    }

    /// Hangs a constraint on a place; it fires for what is there already.
    pub(super) fn attach(&mut self, place: PlaceIndex, constraint: Constraint) {
        let slot = &mut self.slots[place.at()];
        self.arena.push((constraint, slot.head));
        slot.head = self.arena.len() as u32 - 1;
        // Queued, not fired at once: a chain of these would be a chain of calls.
        let held = slot.contents.iter();
        self.work.extend(held.map(|object| (Some(constraint), place, *object)));
    }

    /// As [`Self::attach`], for what may come round to itself: a tuple of classes with itself inside, an object that is called by its like.
    pub(super) fn attach_once(&mut self, place: PlaceIndex, constraint: Constraint) {
        if self.attached.insert((place, constraint)) {
            self.attach(place, constraint);
        }
    }

    /// What goes into `from` goes into `to`.
    pub(super) fn copy(&mut self, from: PlaceIndex, to: PlaceIndex) {
        if from != to && self.copies.insert((from, to)) {
            if self.is_spent() {
                return self.leave_all_out(from, to);
            }
            self.attach(from, Constraint::Copy(to));
        }
    }

    /// A place of no file.
    pub(super) fn derive_place(&mut self, place: DerivedPlace) -> PlaceIndex {
        let place = self.program.derive_place(place);
        self.grow();
        place
    }

    pub(super) fn grow(&mut self) {
        let count = self.program.place_count();
        self.slots.resize(count, Slot::EMPTY);
    }

    /// What a place holds.
    pub fn contents(&self, place: PlaceIndex) -> &[ObjectId] {
        &self.slots[place.at()].contents
    }

    /// What a place holds, as objects.
    pub(super) fn held(&self, place: PlaceIndex) -> impl Iterator<Item = (ObjectId, Object)> + '_ {
        self.slots[place.at()]
            .contents
            .iter()
            .map(|id| (*id, self.objects.get(*id)))
    }

    pub(super) fn external(&mut self, name: &str) -> ObjectId {
        let symbol = self.program.symbols.intern(name);
        self.objects.intern(Object::External(symbol))
    }

    /// The place of a part of a container.
    pub(super) fn element(&mut self, container: ObjectId, part: Part) -> PlaceIndex {
        if let Some(place) = self.elements.get(&(container, part)) {
            return *place;
        }
        let Object::Container { site, .. } = self.objects.get(container) else {
            // Only containers have parts of their own; others are not asked for.
            return PlaceIndex(0);
        };
        let place = self.derive_place(DerivedPlace::Element { container: site, part });
        self.elements.insert((container, part), place);
        self.parts.entry(container).or_default().push((part, place));
        if !matches!(
            part,
            Part::All | Part::Keys | Part::Returned | Part::Sent(_) | Part::Thrown
        ) {
            let all = self.element(container, Part::All);
            self.copy(place, all);
        }
        place
    }
}
