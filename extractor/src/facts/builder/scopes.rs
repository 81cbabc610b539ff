//! Scopes: which place a name means, where it is defined, and what inner functions see of outer ones.
//!
//! In `def f(x): return lambda: x` the lambda's `x` is a place of its own, captured from `f`'s.

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Block, Builder, Capture, Captured, Happened, Runs, Scope};
use crate::facts::order::Order;
use crate::facts::reaching::{Slot, Webs};
use crate::facts::{
    Binding, BodyRead, ChosenByKey, ConditionId, ElementKey, Function, FunctionId, FunctionKind, Name, NameStore,
    NameUse, PlaceId, PlaceKind, Position,
};

/// Most definitions of a variable that a closure is told apart by; one that sees more sees all that there are.
pub(super) const LATER_LIMIT: usize = 64;

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

    /// Begins the body of the file: the first function, whatever the language calls it.
    pub fn open_file(&mut self, name: Name, test: bool) {
        let end_line = self.facts.lines.max(1);
        self.open_function(Function {
            name,
            kind: FunctionKind::Initializer,
            parent: None,
            owner: None,
            receiver_type: None,
            receiver: None,
            parameters: Vec::new(),
            results: Vec::new(),
            position: Position { line: 1, column: 1 },
            end_line,
            signature: String::new(),
            doc: String::new(),
            binding: Binding::default(),
            is_abstract: false,
            always_raises: false,
            looks_at_raised: false,
            decorated: false,
            test,
        });
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
        let runs = self.next_runs.take().unwrap_or_default();
        let began = Happened {
            turns: 0,
            ..self.happened()
        };
        self.scopes.push(Scope {
            function: id,
            webs: Webs::new(),
            blocks: vec![Block::default()],
            loops: Vec::new(),
            turns: Vec::new(),
            globals: FxHashSet::default(),
            name_uses: FxHashMap::default(),
            captured: FxHashMap::default(),
            captures: Vec::new(),
            captured_slots: FxHashSet::default(),
            defined_at: FxHashMap::default(),
            meetings: FxHashMap::default(),
            paths: Default::default(),
            guard: None,
            shared: FxHashSet::default(),
            boxed: FxHashMap::default(),
            boxed_parts: FxHashMap::default(),
            tests: Vec::new(),
            runs,
            inner: Default::default(),
            deferred: Vec::new(),
            deferred_under: None,
            began,
        });
    }

    /// Ends a function: its webs, captures and joins are settled.
    pub fn close_function(&mut self) {
        let Some(mut scope) = self.scopes.pop() else { return };
        self.replaced = self.replaced_by(&scope);
        let index = scope.function.0 as usize;
        if self.facts.orders.len() <= index {
            self.facts.orders.resize_with(index + 1, Order::default);
        }
        let (order, points) = scope.webs.take_order();
        self.facts.orders[index] = order;
        for (call, point) in scope.deferred.iter().zip(points).filter(|(_, point)| point.0 > 0) {
            self.facts.calls[*call].point = point;
        }
        for slot in &scope.shared {
            let definitions = scope.webs.definitions(*slot).to_vec();
            self.unite(&definitions);
        }
        for (web, place, position) in &scope.inner.writes {
            self.flow(Some(*place), *web, How::Capture, *position);
        }
        let mut crowded: FxHashMap<Slot, PlaceId> = FxHashMap::default();
        for capture in &scope.captures {
            let definitions = scope.webs.definitions(capture.slot);
            let later = &definitions[capture.later_from.min(definitions.len())..];
            let mut sources: Vec<PlaceId> = match &capture.there {
                Some(there) if !there.is_empty() => there.clone(),
                _ => capture.reaching.iter().chain(later).copied().collect(),
            };
            if sources.len() > LATER_LIMIT {
                let all = match crowded.get(&capture.slot) {
                    Some(all) => *all,
                    None => self.all_of(&scope, capture.slot),
                };
                crowded.insert(capture.slot, all);
                sources = vec![all];
            }
            sources.extend(scope.inner.web(capture.slot));
            sources.extend(
                scope
                    .inner
                    .web_at_end(capture.slot)
                    .filter(|_| capture.runs.is_at_end()),
            );
            sources.sort_unstable();
            sources.dedup();
            for source in sources {
                self.flow(Some(source), capture.place, How::Capture, capture.position);
                let is_first = capture.reaching.contains(&source);
                let point = scope.defined_at.get(&source).filter(|_| !is_first);
                if let Some(point) = point.or(is_first.then_some(&capture.point))
                    && !scope.shared.contains(&capture.slot)
                {
                    self.facts.captures.push((source, capture.place, *point));
                }
            }
        }
        for (join, inputs) in scope.webs.joined() {
            let position = self.facts.places[join.0 as usize].position;
            for (input, condition) in inputs {
                self.flow_under(condition, Some(input), join, position);
            }
        }
    }

    /// A place for all that a variable of a function that ends was ever defined as.
    fn all_of(&mut self, scope: &Scope, slot: Slot) -> PlaceId {
        let definitions = scope.webs.definitions(slot);
        let row = definitions.first().map(|first| self.facts.places[first.0 as usize]);
        let (name, position) = row.map_or((Name(0), Position::default()), |row| (row.name, row.position));
        let all = self.place_of(scope.function, PlaceKind::Value, name, position);
        for definition in definitions {
            self.flow(Some(*definition), all, How::Assign, position);
        }
        all
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
        let mut names = self.bound_at_end(block);
        names.extend(self.take_seen_early());
        names
    }

    pub(super) fn bound_at_end(&mut self, block: Block) -> Vec<(Name, PlaceId)> {
        let mut bound = Vec::new();
        for (name, slot) in block.names {
            let Some(scope) = self.scopes.last_mut() else { continue };
            let mut places = scope.webs.use_of(slot);
            if places.is_empty() {
                places = scope.webs.definitions(slot).to_vec();
            }
            bound.extend(places.into_iter().map(|place| (name, place)));
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

    /// Whether the name is a variable of the function that is being walked, and not one of a closure's.
    pub fn is_own_variable(&self, name: Name) -> bool {
        let Some((depth, slot)) = self.lookup(name) else {
            return false;
        };
        let scope = &self.scopes[depth];
        depth + 1 == self.scopes.len()
            && !scope.captured.contains_key(&name)
            && !scope.shared.contains(&slot)
            && scope.inner.web(slot).is_none()
    }

    /// Whether the name is a variable of a function around the one that is being walked, which this one was seen to use.
    pub fn is_of_outer(&self, name: Name) -> bool {
        let is_inner = self
            .lookup(name)
            .is_some_and(|(depth, _)| depth + 1 == self.scopes.len());
        is_inner
            && self
                .scopes
                .last()
                .is_some_and(|scope| scope.captured.contains_key(&name))
    }

    /// Whether the name is that of the receiver of the method around this point.
    pub fn is_receiver(&self, name: Name) -> bool {
        let Some((mut depth, mut slot)) = self.lookup(name) else {
            return false;
        };
        while let Some(captured) = self.scopes[depth]
            .captured
            .get(&name)
            .filter(|captured| captured.slot == slot)
        {
            (depth, slot) = (captured.outer_scope, captured.outer_slot);
        }
        match self.scopes[depth].webs.definitions(slot) {
            [only] => self.facts.places[only.0 as usize].kind == PlaceKind::Receiver,
            _ => false,
        }
    }

    /// Whether the name is the file's, not one of a function's.
    pub fn is_of_file(&self, name: Name) -> bool {
        self.lookup(name).is_none_or(|(depth, _)| depth == 0)
    }

    /// The one definition that a variable has in the function that it belongs to, one around that which is being walked.
    pub fn sole_definition(&self, name: Name) -> Option<PlaceId> {
        let (_, around) = self.scopes.split_last()?;
        let (scope, slot) = around.iter().rev().find_map(|scope| {
            let mut blocks = scope.blocks.iter().rev().filter(|block| !block.class);
            Some((scope, *blocks.find_map(|block| block.names.get(&name))?))
        })?;
        match scope.webs.definitions(slot) {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The one definition of a variable that reaches this point.
    pub fn only_definition(&self, name: Name) -> Option<PlaceId> {
        let (depth, slot) = self.lookup(name)?;
        match self.scopes[depth].webs.reaching(slot) {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Whether a variable holds something here.
    pub fn is_held(&self, name: Name) -> bool {
        let found = self.lookup(name);
        found.is_some_and(|(depth, slot)| !self.scopes[depth].webs.reaching(slot).is_empty())
    }

    /// From here on the value of a loop over pairs is what lies under this key of its table, unless it was changed since the loop gave it.
    pub fn choose_by_key(&mut self, (name, given): (Name, PlaceId), (table, key): (PlaceId, ElementKey), at: Position) {
        let is_given = |place: &PlaceId| *place == given || self.chosen_by_key.get(place) == Some(&given);
        if !self.is_defined_by(name, is_given) {
            return;
        }
        if let ElementKey::Text(text) = key {
            self.key_use(text, at);
        }
        let value = self.use_name(name, at);
        let part = self.element_load(table, key, at);
        let chosen = self.refine(name, at);
        self.flow(Some(part), chosen, How::Assign, at);
        self.facts.chosen_by_key.push(ChosenByKey {
            chosen,
            table,
            value,
            position: at,
        });
        self.chosen_by_key.insert(chosen, given);
    }

    /// Whether all definitions that reach here are such.
    fn is_defined_by(&self, name: Name, is_such: impl Fn(&PlaceId) -> bool) -> bool {
        let Some((depth, slot)) = self.lookup(name) else {
            return false;
        };
        let reaching = self.scopes[depth].webs.reaching(slot);
        !reaching.is_empty() && reaching.iter().all(is_such)
    }

    /// From here on a variable of this function holds what one of its definitions put there, unless that was changed since.
    pub fn hold_only(&mut self, name: Name, definition: PlaceId) {
        let Some((depth, slot)) = self.lookup(name).filter(|(depth, _)| depth + 1 == self.scopes.len()) else {
            return;
        };
        let webs = &mut self.scopes[depth].webs;
        let places = &self.facts.places;
        // A join stands nowhere.
        let is_changed = |place: &PlaceId| {
            let place = places[place.0 as usize];
            place.kind == PlaceKind::Value && place.position != Position::default()
        };
        let reaching = webs.reaching(slot);
        if reaching.contains(&definition) && !reaching.iter().any(is_changed) {
            webs.hold_only(slot, definition);
        }
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

    pub(super) fn lookup(&self, name: Name) -> Option<(usize, Slot)> {
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

    pub(super) fn capture(&mut self, name: Name, depth: usize, slot: Slot, position: Position) -> PlaceId {
        let place = self.place(PlaceKind::Captured, name, position);
        self.root_captured(name, depth);
        let runs = self.runs_inside(depth);
        self.shapes_captured(depth, slot);
        self.steps_shared(depth, slot);
        let innermost = self.scopes.len() - 1;
        for between in self.scopes.get_mut(depth + 1..innermost).into_iter().flatten() {
            let row = (place, between.function, between.webs.point());
            self.facts.passed_on.push(row);
        }
        let outer = &mut self.scopes[depth];
        let reaching = outer.webs.use_of(slot);
        let later_from = outer.webs.definitions(slot).len();
        let point = outer.webs.point();
        let there = match runs {
            Runs::AtEnd => Some(Vec::new()),
            Runs::Anytime if self.calls_are_written => Some(Vec::new()),
            Runs::AtOnce => Some(reaching.clone()),
            _ => None,
        };
        outer.captured_slots.insert(slot);
        outer.captures.push(Capture {
            slot,
            place,
            reaching,
            later_from,
            position,
            point,
            there,
            noted: u32::MAX,
            runs,
        });
        if let Some(scope) = self.scopes.last_mut() {
            let own = scope.webs.slot();
            scope.webs.bring(own, place);
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

    /// The place that a use of the name means here: what it holds may get another holder.
    pub fn use_name(&mut self, name: Name, position: Position) -> PlaceId {
        self.give_away_all(name);
        self.steps_taken(name);
        self.see_name(name, position)
    }

    /// As [`Builder::use_name`], of a use that only looks at what the name holds.
    pub fn see_name(&mut self, name: Name, position: Position) -> PlaceId {
        match self.lookup(name) {
            Some((depth, slot)) if depth + 1 == self.scopes.len() => {
                let scope = &mut self.scopes[depth];
                if let Some(variable) = scope.boxed.get(&slot).copied() {
                    return self.take_from_box(variable, name, position);
                }
                let mut places = scope.webs.use_here(slot, &self.facts.conditions);
                if let Some(web) = scope.inner.web(slot).filter(|_| !self.calls_are_written)
                    && !places.contains(&web)
                {
                    places.push(web);
                    places.sort_unstable();
                }
                if places.is_empty()
                    && let Some(captured) = scope.captured.get(&name)
                {
                    return captured.place;
                }
                if places.is_empty() && !scope.webs.is_reachable() {
                    places = scope.webs.definitions(slot).to_vec();
                }
                let is_of_class = self.is_of_class_body(name);
                if depth == 0 || is_of_class {
                    places
                        .iter()
                        .for_each(|place| self.note_body_read(*place, is_of_class, position));
                }
                match self.meeting(depth, slot, places, position) {
                    Some(place) => {
                        self.root_used(name, place);
                        place
                    }
                    // The body of a class looks past itself, to the file, where it has not bound the name yet.
                    None if depth == 0 || is_of_class => self.file_level_use(name, position),
                    None => self.place(PlaceKind::Value, name, position),
                }
            }
            Some((depth, slot)) if depth > 0 => self.capture(name, depth, slot, position),
            _ => {
                self.may_fail();
                self.file_level_use(name, position)
            }
        }
    }

    /// Whether the innermost block that has the name is the body of a class, which is being run.
    fn is_of_class_body(&self, name: Name) -> bool {
        let blocks = self.scopes.last().map_or(&[][..], |scope| &scope.blocks);
        // Most uses stand in no class body.
        blocks.iter().any(|block| block.class)
            && blocks
                .iter()
                .rev()
                .find(|block| block.names.contains_key(&name))
                .is_some_and(|block| block.class)
    }

    fn note_body_read(&mut self, from: PlaceId, is_of_class: bool, position: Position) {
        let kind = self.facts.places[from.0 as usize].kind;
        let is_kept = is_of_class || matches!(kind, PlaceKind::Global | PlaceKind::Constant | PlaceKind::Binding);
        if is_kept && self.body_reads.insert(from) {
            let function = self.function();
            self.facts.body_reads.push(BodyRead {
                from,
                function,
                position,
            });
        }
    }

    /// A function, or the body of a class, imports what it names then by a variable of its own: it reads that.
    pub fn note_import(&mut self, name: Name, binding: PlaceId, position: Position) {
        if !self.at_file_level() || self.is_of_class_body(name) {
            self.note_body_read(binding, true, position);
        }
    }

    /// All of a value counts: it is compared, or looked up by.
    pub fn read_whole(&mut self, from: PlaceId, position: Position) {
        let function = self.function();
        self.facts.wholes_read.push(BodyRead {
            from,
            function,
            position,
        });
    }

    /// The place that a use of several definitions means.
    fn meeting(&mut self, depth: usize, slot: Slot, places: Vec<PlaceId>, position: Position) -> Option<PlaceId> {
        if places.len() < 2 {
            return places.first().copied();
        }
        let webs = &self.scopes[depth].webs;
        let under: Vec<(PlaceId, ConditionId)> = webs.reaching_under(slot).collect();
        let condition = |place: &PlaceId| under.iter().find(|(own, _)| own == place);
        let conditions: Vec<_> = places
            .iter()
            .map(|place| condition(place).map_or_else(Default::default, |row| self.for_callers(row.1)))
            .collect();
        let meeting_of = (places, conditions);
        if let Some(known) = self.scopes[depth].meetings.get(&meeting_of) {
            return Some(*known);
        }
        let meeting = self.value(position);
        for (place, condition) in meeting_of.0.iter().zip(&meeting_of.1) {
            self.flow_under(*condition, Some(*place), meeting, position);
        }
        self.scopes[depth].meetings.insert(meeting_of, meeting);
        Some(meeting)
    }

    pub(super) fn file_level_use(&mut self, name: Name, position: Position) -> PlaceId {
        if let Some(place) = self.scopes.last().and_then(|scope| scope.name_uses.get(&name)) {
            return *place;
        }
        let to = self.place(PlaceKind::Value, name, position);
        let function = self.function();
        let is_assigned = self.assigned_inside.contains(&name);
        let point = is_assigned.then(|| self.point());
        self.facts.name_uses.push(NameUse {
            name,
            to,
            function,
            position,
            point,
        });
        if !is_assigned && let Some(scope) = self.scopes.last_mut() {
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
                self.define_slot(depth, slot, place);
                self.put_in_box(depth, slot, place, position);
                self.root_defined(name);
                if let Some(captured) = captured {
                    self.written_inside(captured, name, place, position);
                    let point = self.point();
                    self.facts.inner_writes.push((place, point));
                }
                place
            }
            Some((depth, slot)) if depth > 0 => {
                self.capture(name, depth, slot, position);
                self.define(name, kind, position)
            }
            _ => {
                let place = self.place(PlaceKind::Value, name, position);
                self.store_name(name, place, position, false);
                place
            }
        }
    }

    /// Whether a name is no variable of this function or of one around it.
    pub fn is_of_package(&self, name: Name) -> bool {
        !self.at_file_level() && self.lookup(name).is_none_or(|(depth, _)| depth == 0)
    }

    /// The address of a variable of the package is taken: what is written through it is in the variable.
    pub fn global_address(&mut self, name: Name, held: PlaceId, position: Position) -> PlaceId {
        let target = self.new_box(held, position);
        self.store_name(name, target, position, true);
        target
    }

    /// A variable of the package gets what is in a place, or what is put there through its address.
    fn store_name(&mut self, name: Name, from: PlaceId, position: Position, by_address: bool) {
        let (function, point) = (self.function(), self.point());
        self.facts.name_stores.push(NameStore {
            name,
            from: Some(from),
            function,
            position,
            point,
            by_address,
        });
        if let Some(scope) = self.scopes.last_mut() {
            scope.name_uses.remove(&name);
        }
    }

    /// The variable holds the same from here on, but more is known of it: what was written into it stays known.
    pub fn refine(&mut self, name: Name, position: Position) -> PlaceId {
        let parameter = self.parameter(name);
        let place = self.place(PlaceKind::Value, name, position);
        self.held.extend(parameter.map(|parameter| (place, parameter)));
        if let Some((depth, slot)) = self.lookup(name)
            && depth + 1 == self.scopes.len()
        {
            self.define_slot(depth, slot, place);
        }
        place
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
            self.define_slot(depth, slot, place);
        }
    }

    fn define_slot(&mut self, depth: usize, slot: Slot, place: PlaceId) {
        if depth == 0 {
            self.note_replaced(slot, place);
        }
        let scope = &mut self.scopes[depth];
        scope.webs.define(slot, place);
        if scope.captured_slots.contains(&slot) {
            let point = scope.webs.point();
            scope.defined_at.insert(place, point);
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

    pub(super) fn find(&mut self, mut place: u32) -> u32 {
        while self.parents[place as usize] != place {
            let up = self.parents[self.parents[place as usize] as usize];
            self.parents[place as usize] = up;
            place = up;
        }
        place
    }
}
