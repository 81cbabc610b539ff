//! Builds [`FileFacts`] while a language's walker goes through the source: scopes, definitions, uses, webs, captures, loops.
//!
//! The walker opens functions and blocks, declares names, defines and uses them, and says where control branches; what
//! place a use means is decided here, the same for every language:
//!
//! ```text
//! open_function(f); declare("x"); let p = define("x", …);      def f(): x = …
//! let q = use_name("x", …);                                        use(x)      q and p are one web
//! close_function();
//! ```
//!
//! A name that no open function binds is a [`super::NameUse`]: it is looked up later, across files.

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

pub use super::webs::State as Control;
use super::webs::{Slot, State, Webs};
use super::{
    Argument, Call, ElementKey, ElementLoad, ElementStore, FactDiagnostic, FileFacts, Flow, Function, FunctionId,
    KeyUse, Load, Name, NameStore, NameUse, Object, Place, PlaceId, PlaceKind, Position, Store, TypeExpression,
    TypeExpressionId, TypeId,
};

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
    parents: Vec<u32>,
    scopes: Vec<Scope>,
}

#[derive(Debug)]
struct Scope {
    function: FunctionId,
    webs: Webs,
    blocks: Vec<Block>,
    loops: Vec<Loop>,
    /// Names that this function writes at file level (`global x`).
    globals: FxHashSet<Name>,
    name_uses: FxHashMap<Name, PlaceId>,
    captured: FxHashMap<Name, Captured>,
    captures: Vec<Capture>,
    /// Slots that inner functions assign: all their definitions are one web.
    shared: FxHashSet<Slot>,
    /// Assignments of inner functions to slots of this one.
    outer_writes: Vec<(Slot, PlaceId, Position)>,
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
}

#[derive(Debug)]
struct Loop {
    label: Option<Name>,
    joins: Vec<(Slot, PlaceId)>,
    header: State,
    breaks: Vec<State>,
    continues: Vec<State>,
    /// `switch` and `select` take `break` but no `continue`.
    is_switch: bool,
}

impl Default for Builder {
    fn default() -> Self {
        let mut builder = Self {
            facts: FileFacts::default(),
            depth: 0,
            names: FxHashMap::default(),
            parents: Vec::new(),
            scopes: Vec::new(),
        };
        builder.name("");
        builder
    }
}

/// Names, places and plain facts.
impl Builder {
    /// The index of a name.
    pub fn name(&mut self, text: &str) -> Name {
        if let Some(name) = self.names.get(text) {
            return *name;
        }
        let name = Name(self.facts.names.len() as u32);
        self.facts.names.push(text.to_owned());
        self.names.insert(text.to_owned(), name);
        name
    }

    /// A new place of the current function.
    pub fn place(&mut self, kind: PlaceKind, name: Name, position: Position) -> PlaceId {
        let function = self.function();
        self.place_of(function, kind, name, position)
    }

    /// A new place of a given function.
    pub fn place_of(&mut self, function: FunctionId, kind: PlaceKind, name: Name, position: Position) -> PlaceId {
        let id = PlaceId(self.facts.places.len() as u32);
        self.facts.places.push(Place {
            kind,
            name,
            function,
            position,
        });
        self.parents.push(id.0);
        id
    }

    /// A new unnamed place.
    pub fn value(&mut self, position: Position) -> PlaceId {
        self.place(PlaceKind::Value, Name(0), position)
    }

    /// A new unnamed place that holds an object.
    pub fn object(&mut self, object: Object, position: Position) -> PlaceId {
        let place = self.value(position);
        self.facts.objects.push((place, object));
        place
    }

    /// Data moves; objects too.
    pub fn flow(&mut self, from: Option<PlaceId>, to: PlaceId, how: How, position: Position) {
        self.add_flow(from, to, how, true, position);
    }

    /// What is computed from `from` moves; its objects do not.
    pub fn derive(&mut self, from: Option<PlaceId>, to: PlaceId, position: Position) {
        self.add_flow(from, to, How::Assign, false, position);
    }

    /// What is found out about `from` moves.
    pub fn test(&mut self, from: Option<PlaceId>, to: PlaceId, position: Position) {
        self.add_flow(from, to, How::Test, false, position);
    }

    /// The outcome of a test of some values; none if they are all literals.
    pub fn outcome(&mut self, values: &[Option<PlaceId>], position: Position) -> Option<PlaceId> {
        if values.iter().all(Option::is_none) {
            return None;
        }
        let outcome = self.value(position);
        for value in values {
            self.test(*value, outcome, position);
        }
        Some(outcome)
    }

    fn add_flow(&mut self, from: Option<PlaceId>, to: PlaceId, how: How, same: bool, position: Position) {
        if let Some(from) = from
            && from != to
        {
            self.facts.flows.push(Flow {
                from,
                to,
                how,
                same,
                position,
            });
        }
    }

    /// Reads a member.
    pub fn load(&mut self, base: PlaceId, member: Name, position: Position) -> PlaceId {
        let to = self.place(PlaceKind::Value, member, position);
        let function = self.function();
        self.facts.loads.push(Load {
            base,
            member,
            to,
            function,
            position,
            after: None,
            implicit: false,
        });
        to
    }

    /// Reads a member that the language asks for by itself.
    pub fn implicit_load(&mut self, base: PlaceId, member: &str, position: Position) -> PlaceId {
        let member = self.name(member);
        let to = self.load(base, member, position);
        if let Some(load) = self.facts.loads.last_mut() {
            load.implicit = true;
        }
        to
    }

    /// Reads a member found after `class` in the method resolution order of what `base` holds.
    pub fn super_load(&mut self, base: PlaceId, class: TypeId, member: Name, position: Position) -> PlaceId {
        let to = self.load(base, member, position);
        if let Some(load) = self.facts.loads.last_mut() {
            load.after = Some(class);
        }
        to
    }

    /// Writes a member.
    pub fn store(&mut self, base: PlaceId, member: Name, from: Option<PlaceId>, position: Position) {
        let function = self.function();
        self.facts.stores.push(Store {
            base,
            member,
            from,
            function,
            position,
        });
    }

    /// Reads a part of a container.
    pub fn element_load(&mut self, base: PlaceId, key: ElementKey, position: Position) -> PlaceId {
        let to = self.value(position);
        let function = self.function();
        self.facts.element_loads.push(ElementLoad {
            base,
            key,
            to,
            function,
            position,
        });
        to
    }

    /// Writes a part of a container.
    pub fn element_store(&mut self, base: PlaceId, key: ElementKey, from: Option<PlaceId>, position: Position) {
        let function = self.function();
        if let Some(from) = from {
            self.facts.element_stores.push(ElementStore {
                base,
                key,
                from,
                function,
                position,
            });
        }
    }

    /// The function mentions a wire name.
    pub fn key_use(&mut self, key: Name, position: Position) {
        let function = self.function();
        self.facts.key_uses.push(KeyUse {
            key,
            function,
            position,
        });
    }

    /// A call with one result.
    pub fn call(
        &mut self,
        callee: PlaceId,
        text: Name,
        receiver: Option<PlaceId>,
        arguments: Vec<Argument>,
        position: Position,
        how: How,
    ) -> PlaceId {
        let result = self.place(PlaceKind::CallValue, text, position);
        let function = self.function();
        let results = vec![result];
        self.facts.calls.push(Call {
            callee,
            text,
            receiver,
            arguments,
            results,
            function,
            position,
            how,
        });
        result
    }

    /// A call that the language makes by itself, if the receiver has such a method.
    pub fn implicit_call(
        &mut self,
        base: PlaceId,
        method: &str,
        arguments: Vec<Argument>,
        position: Position,
    ) -> PlaceId {
        let callee = self.implicit_load(base, method, position);
        let text = self.name(method);
        self.call(callee, text, Some(base), arguments, position, How::Implicit)
    }

    /// Notes a type.
    pub fn type_expression(&mut self, expression: TypeExpression) -> TypeExpressionId {
        self.facts.type_expressions.push(expression);
        TypeExpressionId(self.facts.type_expressions.len() as u32 - 1)
    }

    /// The place is declared with this type.
    pub fn declare_type(&mut self, place: PlaceId, expression: TypeExpressionId) {
        self.facts.declared.push((place, expression));
    }

    /// Notes something that a person should know.
    pub fn diagnostic(&mut self, line: u32, code: &str, message: impl Into<String>) {
        self.facts.diagnostics.push(FactDiagnostic {
            line,
            code: code.into(),
            message: message.into(),
        });
    }

    /// Goes one level deeper; false when that is too deep, which is noted once.
    pub fn enter(&mut self, line: u32) -> bool {
        self.depth += 1;
        if self.depth <= DEPTH_LIMIT {
            return true;
        }
        self.depth -= 1;
        if !self
            .facts
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code == "too-deep")
        {
            self.diagnostic(
                line,
                "too-deep",
                format!("nested more than {DEPTH_LIMIT} levels deep: what is inside is not in the graph"),
            );
        }
        false
    }

    /// Comes back up.
    pub fn exit(&mut self) {
        self.depth -= 1;
    }
}

/// Scopes.
impl Builder {
    /// The function that is being walked.
    pub fn function(&self) -> FunctionId {
        self.scopes.last().map_or(FunctionId(0), |scope| scope.function)
    }

    /// The facts of the function that is being walked.
    pub fn function_mut(&mut self) -> &mut Function {
        let index = self.function().0 as usize;
        &mut self.facts.functions[index]
    }

    /// Whether the body of the file is being walked.
    pub fn at_file_level(&self) -> bool {
        self.scopes.len() <= 1
    }

    /// Begins a function.
    pub fn open_function(&mut self, function: Function) -> FunctionId {
        let id = FunctionId(self.facts.functions.len() as u32);
        self.facts.functions.push(function);
        self.enter_function(id);
        id
    }

    /// Begins the body of a function that is already noted.
    pub fn enter_function(&mut self, id: FunctionId) {
        self.scopes.push(Scope {
            function: id,
            webs: Webs::new(),
            blocks: vec![Block::default()],
            loops: Vec::new(),
            globals: FxHashSet::default(),
            name_uses: FxHashMap::default(),
            captured: FxHashMap::default(),
            captures: Vec::new(),
            shared: FxHashSet::default(),
            outer_writes: Vec::new(),
        });
    }

    /// Ends a function: its webs, captures and joins are settled.
    pub fn close_function(&mut self) {
        let Some(mut scope) = self.scopes.pop() else { return };
        for slot in &scope.shared {
            let definitions = scope.webs.definitions(*slot).to_vec();
            self.unite(&definitions);
        }
        for (slot, place, position) in &scope.outer_writes {
            let target = scope.webs.definitions(*slot).first().copied();
            if let Some(target) = target {
                self.flow(Some(*place), target, How::Capture, *position);
            }
        }
        for capture in &scope.captures {
            let later = scope
                .webs
                .definitions(capture.slot)
                .iter()
                .skip(capture.later_from)
                .copied();
            let mut sources: Vec<PlaceId> = capture.reaching.iter().copied().chain(later).collect();
            sources.sort_unstable();
            sources.dedup();
            for source in sources {
                self.flow(Some(source), capture.place, How::Capture, capture.position);
            }
        }
        for (join, inputs) in scope.webs.joined() {
            for input in inputs {
                self.unite(&[join, input]);
            }
        }
    }

    /// Begins a block with names of its own.
    pub fn open_block(&mut self, class: bool) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.blocks.push(Block {
                names: FxHashMap::default(),
                class,
            });
        }
    }

    /// Ends it. For a class body: each name and what it is bound to at the end.
    pub fn close_block(&mut self) -> Vec<(Name, PlaceId)> {
        let Some(scope) = self.scopes.last_mut() else {
            return Vec::new();
        };
        let Some(block) = scope.blocks.pop() else {
            return Vec::new();
        };
        if !block.class {
            return Vec::new();
        }
        self.bound_at_end(block)
    }

    /// File-level names and what they are bound to at this point.
    pub fn file_level_names(&mut self) -> Vec<(Name, PlaceId)> {
        let Some(scope) = self.scopes.first_mut() else {
            return Vec::new();
        };
        let block = std::mem::take(&mut scope.blocks[0]);
        self.bound_at_end(block)
    }

    fn bound_at_end(&mut self, block: Block) -> Vec<(Name, PlaceId)> {
        let mut bound = Vec::new();
        for (name, slot) in block.names {
            let Some(scope) = self.scopes.last_mut() else { continue };
            let mut places = scope.webs.use_of(slot);
            if places.is_empty() {
                places = scope.webs.definitions(slot).to_vec();
            }
            if let Some(place) = self.unite(&places) {
                bound.push((name, place));
            }
        }
        bound.sort_unstable();
        bound
    }

    /// Declares a name in the innermost block. Python declares all names of a function first; Go at `:=`.
    pub fn declare(&mut self, name: Name) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let slot = scope.webs.slot();
        if let Some(block) = scope.blocks.last_mut() {
            block.names.insert(name, slot);
        }
    }

    /// Whether the innermost block declares the name.
    pub fn is_declared_here(&self, name: Name) -> bool {
        let block = self.scopes.last().and_then(|scope| scope.blocks.last());
        block.is_some_and(|block| block.names.contains_key(&name))
    }

    /// Whether any open function binds the name (file level included).
    pub fn is_bound(&self, name: Name) -> bool {
        self.lookup(name).is_some()
    }

    /// `global name`: this function's assignments to it are to the file-level name.
    pub fn declare_global(&mut self, name: Name) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.globals.insert(name);
        }
    }

    /// `nonlocal name`, or a closure's first touch of an outer variable.
    pub fn declare_outer(&mut self, name: Name, position: Position) {
        if let Some((depth, slot)) = self.lookup(name)
            && depth + 1 < self.scopes.len()
            && depth > 0
        {
            self.capture(name, depth, slot, position);
        }
    }

    fn lookup(&self, name: Name) -> Option<(usize, Slot)> {
        let innermost = self.scopes.len().wrapping_sub(1);
        for (depth, scope) in self.scopes.iter().enumerate().rev() {
            if scope.globals.contains(&name) {
                return None;
            }
            for block in scope.blocks.iter().rev() {
                if block.class && depth != innermost {
                    continue;
                }
                if let Some(slot) = block.names.get(&name) {
                    return Some((depth, *slot));
                }
            }
            if depth == innermost
                && let Some(captured) = scope.captured.get(&name)
            {
                return Some((depth, captured.slot));
            }
        }
        None
    }

    fn capture(&mut self, name: Name, depth: usize, slot: Slot, position: Position) -> PlaceId {
        let place = self.place(PlaceKind::Captured, name, position);
        let outer = &mut self.scopes[depth];
        let reaching = outer.webs.use_of(slot);
        let later_from = outer.webs.definitions(slot).len();
        outer.captures.push(Capture {
            slot,
            place,
            reaching,
            later_from,
            position,
        });
        if let Some(scope) = self.scopes.last_mut() {
            let own = scope.webs.slot();
            scope.webs.define(own, place);
            scope.captured.insert(
                name,
                Captured {
                    place,
                    slot: own,
                    outer_scope: depth,
                    outer_slot: slot,
                },
            );
        }
        place
    }

    /// The place that a use of the name means here.
    pub fn use_name(&mut self, name: Name, position: Position) -> PlaceId {
        match self.lookup(name) {
            Some((depth, slot)) if depth + 1 == self.scopes.len() => {
                let scope = &mut self.scopes[depth];
                let mut places = scope.webs.use_of(slot);
                if places.is_empty()
                    && let Some(captured) = scope.captured.get(&name)
                {
                    return captured.place;
                }
                if places.is_empty() && !scope.webs.is_reachable() {
                    places = scope.webs.definitions(slot).to_vec();
                }
                match self.unite(&places) {
                    Some(place) => place,
                    None if depth == 0 => self.file_level_use(name, position),
                    None => self.place(PlaceKind::Value, name, position),
                }
            }
            Some((depth, slot)) if depth > 0 => self.capture(name, depth, slot, position),
            _ => self.file_level_use(name, position),
        }
    }

    fn file_level_use(&mut self, name: Name, position: Position) -> PlaceId {
        if let Some(place) = self.scopes.last().and_then(|scope| scope.name_uses.get(&name)) {
            return *place;
        }
        let to = self.place(PlaceKind::Value, name, position);
        let function = self.function();
        self.facts.name_uses.push(NameUse {
            name,
            to,
            function,
            position,
        });
        if let Some(scope) = self.scopes.last_mut() {
            scope.name_uses.insert(name, to);
        }
        to
    }

    /// Assigns to a name: a new definition where it is declared. Gives the definition's place, which `kind` describes when
    /// the name belongs to this function.
    pub fn define(&mut self, name: Name, kind: PlaceKind, position: Position) -> PlaceId {
        match self.lookup(name) {
            Some((depth, slot)) if depth + 1 == self.scopes.len() => {
                let captured = self.scopes[depth]
                    .captured
                    .get(&name)
                    .filter(|captured| captured.slot == slot)
                    .copied();
                let kind = if captured.is_some() { PlaceKind::Captured } else { kind };
                let place = self.place(kind, name, position);
                self.scopes[depth].webs.define(slot, place);
                if let Some(captured) = captured {
                    let outer = &mut self.scopes[captured.outer_scope];
                    outer.shared.insert(captured.outer_slot);
                    outer.outer_writes.push((captured.outer_slot, place, position));
                }
                place
            }
            Some((depth, slot)) if depth > 0 => {
                self.capture(name, depth, slot, position);
                self.define(name, kind, position)
            }
            _ => {
                let place = self.place(PlaceKind::Value, name, position);
                let function = self.function();
                self.facts.name_stores.push(NameStore {
                    name,
                    from: Some(place),
                    function,
                    position,
                });
                if let Some(scope) = self.scopes.last_mut() {
                    scope.name_uses.remove(&name);
                }
                place
            }
        }
    }

    /// All definitions of the name are one web: its address is taken, so that writes may come from anywhere.
    pub fn share(&mut self, name: Name) {
        if let Some((depth, slot)) = self.lookup(name) {
            self.scopes[depth].shared.insert(slot);
        }
    }

    /// The name holds nothing from here on (`del x`).
    pub fn undefine(&mut self, name: Name, position: Position) {
        if let Some((depth, slot)) = self.lookup(name)
            && depth + 1 == self.scopes.len()
        {
            let place = self.place(PlaceKind::Value, name, position);
            self.scopes[depth].webs.define(slot, place);
        }
    }

    /// Makes the places one web; gives one of them.
    pub fn unite(&mut self, places: &[PlaceId]) -> Option<PlaceId> {
        let (first, rest) = places.split_first()?;
        for place in rest {
            let a = self.find(first.0);
            let b = self.find(place.0);
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            self.parents[high as usize] = low;
        }
        Some(*first)
    }

    fn find(&mut self, mut place: u32) -> u32 {
        while self.parents[place as usize] != place {
            let up = self.parents[self.parents[place as usize] as usize];
            self.parents[place as usize] = up;
            place = up;
        }
        place
    }
}

/// Control flow.
impl Builder {
    /// The state here.
    pub fn snapshot(&self) -> Option<State> {
        self.scopes.last().map(|scope| scope.webs.snapshot())
    }

    /// Back to a state.
    pub fn restore(&mut self, state: Option<State>) {
        if let (Some(scope), Some(state)) = (self.scopes.last_mut(), state) {
            scope.webs.restore(state);
        }
    }

    /// Control may also come from this state.
    pub fn merge(&mut self, state: Option<State>) {
        if let (Some(scope), Some(state)) = (self.scopes.last_mut(), state) {
            scope.webs.merge(&state);
        }
    }

    /// Control goes no further.
    pub fn leave(&mut self) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.webs.leave();
        }
    }

    /// Opens a region that may be left at any point.
    pub fn open_try(&mut self) -> Option<State> {
        let scope = self.scopes.last_mut()?;
        scope.webs.open_try();
        Some(scope.webs.snapshot())
    }

    /// Closes it; the state of its handlers.
    pub fn close_try(&mut self, before: Option<State>) -> Option<State> {
        Some(self.scopes.last_mut()?.webs.close_try(&before?))
    }

    /// Begins a loop whose body assigns these names.
    pub fn open_loop(&mut self, assigned: &[Name], label: Option<Name>) {
        let mut joins = Vec::new();
        for name in assigned {
            if let Some((depth, slot)) = self.lookup(*name)
                && depth + 1 == self.scopes.len()
                && !joins.iter().any(|(known, _)| *known == slot)
            {
                let place = self.place(PlaceKind::Value, *name, Position::default());
                self.scopes[depth].webs.open_join(slot, place);
                joins.push((slot, place));
            }
        }
        if let Some(scope) = self.scopes.last_mut() {
            let header = scope.webs.snapshot();
            scope.loops.push(Loop {
                label,
                joins,
                header,
                breaks: Vec::new(),
                continues: Vec::new(),
                is_switch: false,
            });
        }
    }

    /// Begins a `switch` or `select`, which `break` leaves.
    pub fn open_switch(&mut self, label: Option<Name>) {
        if let Some(scope) = self.scopes.last_mut() {
            let header = scope.webs.snapshot();
            let (joins, breaks, continues) = (Vec::new(), Vec::new(), Vec::new());
            scope.loops.push(Loop {
                label,
                joins,
                header,
                breaks,
                continues,
                is_switch: true,
            });
        }
    }

    /// `continue` lands here: what follows in a `for` clause sees every way that the body may end.
    pub fn loop_continues(&mut self) {
        if let Some(scope) = self.scopes.last_mut()
            && let Some(open) = scope.loops.last_mut()
        {
            for state in open.continues.drain(..) {
                scope.webs.merge(&state);
            }
        }
    }

    /// Ends the loop: the state is that of a normal exit. Gives the states of its breaks, to merge after an `else` clause.
    pub fn close_loop(&mut self) -> Vec<State> {
        self.loop_continues();
        let Some(scope) = self.scopes.last_mut() else {
            return Vec::new();
        };
        let Some(open) = scope.loops.pop() else {
            return Vec::new();
        };
        if !open.is_switch {
            let state = scope.webs.snapshot();
            for (slot, place) in &open.joins {
                scope.webs.close_join(*slot, *place, &state);
            }
            scope.webs.restore(open.header);
        }
        open.breaks
    }

    /// `break`.
    pub fn break_loop(&mut self, label: Option<Name>) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let state = scope.webs.snapshot();
        let target = scope
            .loops
            .iter_mut()
            .rev()
            .find(|open| label.is_none() || open.label == label);
        if let Some(target) = target {
            target.breaks.push(state);
        }
        scope.webs.leave();
    }

    /// `continue`.
    pub fn continue_loop(&mut self, label: Option<Name>) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let state = scope.webs.snapshot();
        let target = scope
            .loops
            .iter_mut()
            .rev()
            .find(|open| !open.is_switch && (label.is_none() || open.label == label));
        if let Some(target) = target {
            target.continues.push(state);
        }
        scope.webs.leave();
    }
}

/// The end.
impl Builder {
    /// Settles all webs, drops the places that stand for none, and gives the facts.
    pub fn finish(mut self) -> FileFacts {
        while !self.scopes.is_empty() {
            self.close_function();
        }
        let count = self.facts.places.len();
        let mut new_index = vec![u32::MAX; count];
        let mut places: Vec<Place> = Vec::with_capacity(count);
        for index in 0..count as u32 {
            let root = self.find(index) as usize;
            let place = self.facts.places[index as usize];
            if new_index[root] == u32::MAX {
                new_index[root] = places.len() as u32;
                places.push(place);
            } else if let Some(kept) = places.get_mut(new_index[root] as usize)
                && is_unnamed(kept.kind)
                && !is_unnamed(place.kind)
            {
                *kept = place;
            }
            new_index[index as usize] = new_index[root];
        }
        self.facts.places = places;
        self.facts.each_place(|place| place.0 = new_index[place.0 as usize]);
        self.facts.flows.retain(|flow| flow.from != flow.to);
        self.facts.exports.sort_unstable();
        self.facts.exports.dedup();
        self.facts
    }
}

fn is_unnamed(kind: PlaceKind) -> bool {
    matches!(kind, PlaceKind::Value | PlaceKind::CallValue | PlaceKind::Binding)
}

impl FileFacts {
    /// Visits every mention of a place.
    fn each_place(&mut self, mut visit: impl FnMut(&mut PlaceId)) {
        for function in &mut self.functions {
            function.receiver.iter_mut().for_each(&mut visit);
            function
                .parameters
                .iter_mut()
                .for_each(|parameter| visit(&mut parameter.place));
            function.results.iter_mut().for_each(&mut visit);
        }
        self.exports.iter_mut().for_each(|(_, place)| visit(place));
        for flow in &mut self.flows {
            visit(&mut flow.from);
            visit(&mut flow.to);
        }
        for (place, object) in &mut self.objects {
            visit(place);
            if let Object::Address(target) = object {
                visit(target);
            }
        }
        for load in &mut self.loads {
            visit(&mut load.base);
            visit(&mut load.to);
        }
        for store in &mut self.stores {
            visit(&mut store.base);
            store.from.iter_mut().for_each(&mut visit);
        }
        for load in &mut self.element_loads {
            visit(&mut load.base);
            visit(&mut load.to);
        }
        for store in &mut self.element_stores {
            visit(&mut store.base);
            visit(&mut store.from);
        }
        self.member_values.iter_mut().for_each(|value| visit(&mut value.from));
        self.name_uses.iter_mut().for_each(|name_use| visit(&mut name_use.to));
        self.name_stores
            .iter_mut()
            .for_each(|store| store.from.iter_mut().for_each(&mut visit));
        for call in &mut self.calls {
            visit(&mut call.callee);
            call.receiver.iter_mut().for_each(&mut visit);
            call.arguments
                .iter_mut()
                .for_each(|argument| argument.place.iter_mut().for_each(&mut visit));
            call.results.iter_mut().for_each(&mut visit);
        }
        self.declared.iter_mut().for_each(|(place, _)| visit(place));
    }
}

/// A documentation text: outer blanks and common indentation removed, cut to what a node keeps.
pub fn tidy_doc(text: &str) -> String {
    let indent = text
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut tidy = String::new();
    for (index, line) in text.trim().lines().enumerate() {
        if index > 0 {
            tidy.push('\n');
        }
        let line = if index == 0 {
            line
        } else {
            line.get(indent..).unwrap_or(line.trim_start())
        };
        tidy.push_str(line.trim_end());
    }
    cut(&mut tidy, ripple_schema::Node::DOC_LIMIT);
    tidy
}

/// A declaration on one line: white space folded, cut to 400 bytes.
pub fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cut(&mut line, 400);
    line
}

fn cut(text: &mut String, limit: usize) {
    if text.len() > limit {
        let mut end = limit;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
}
