//! Roots and cells, function by function until nothing changes.
//!
//! `self.value = value` in `__init__` makes the cell `self.value`, written. A caller with `left = Box(secret)` learns of it, and gets
//! the cell `left.value`, written; had `left` been its own parameter, its callers would learn of that in turn.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Access, CELL_LIMIT, Callee, Cell, CellId, DEPTH_LIMIT, Heap, Local, ROOT_LIMIT, Root, RootId, RootKind, Site,
    UNKNOWN,
};
use crate::facts;
use crate::facts::{ContainerKind, ParameterKind, Position};
use crate::link::scope::Meaning;
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Step, Symbol, TypeIndex};
use crate::propagate::access::{container_named, readable_parts, written_part};
use crate::propagate::edges::setter_call;
use crate::propagate::library::{Carries, Effect, EndPart};
use crate::propagate::object::Object;
use crate::propagate::solve::{ElementRow, RowKey, Solver, Target};

/// Most objects of a type that are kept apart.
const MADE_LIMIT: usize = 200;

/// How often a function is looked at again because a callee changed. What is found by then counts.
const VISIT_LIMIT: u8 = 12;

impl Heap {
    /// Finds the roots and cells of every function.
    pub(in crate::propagate) fn new(solver: &mut Solver<'_>, used: &[bool]) -> Self {
        let mut heap = Self {
            locals: Vec::new(),
            roots: vec![Root {
                kind: RootKind::Unknown,
                depth: 0,
                escaped: true,
                live: false,
                cells: Vec::new(),
            }],
            cells: Vec::new(),
            cell_ids: FxHashMap::default(),
            made: FxHashMap::default(),
            inside: FxHashSet::default(),
            points: FxHashMap::default(),
            outside: FxHashSet::default(),
            edges: Vec::new(),
        };
        heap.locals.resize_with(solver.program.functions.len(), Local::default);
        heap.lay_out(solver);
        heap.solve(solver);
        heap.settle(solver, used);
        heap
    }

    fn solve(&mut self, solver: &Solver<'_>) {
        let mut visits = vec![0u8; self.locals.len()];
        let mut queued = vec![true; self.locals.len()];
        let ranks = self.callees_first();
        let mut work: BinaryHeap<Reverse<(u32, u32)>> = (0..self.locals.len() as u32)
            .map(|index| Reverse((ranks[index as usize], index)))
            .collect();
        while let Some(Reverse((_, index))) = work.pop() {
            let index = index as usize;
            queued[index] = false;
            visits[index] += 1;
            if self.visit(solver, FunctionIndex(index as u32)) {
                for caller in self.locals[index].callers.clone() {
                    if !queued[caller.at()] && visits[caller.at()] < VISIT_LIMIT {
                        queued[caller.at()] = true;
                        work.push(Reverse((ranks[caller.at()], caller.0)));
                    }
                }
            }
        }
    }

    /// A rank for each function, those of callees lower where there is no cycle.
    fn callees_first(&self) -> Vec<u32> {
        let mut ranks = vec![u32::MAX; self.locals.len()];
        let mut seen = vec![false; self.locals.len()];
        let mut next = self.locals.len() as u32;
        for start in 0..self.locals.len() {
            // Depth first along callers: the last to be left is the first to be done.
            let mut path = vec![(start, 0usize)];
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            while let Some((function, at)) = path.last_mut() {
                match self.locals[*function].callers.get(*at) {
                    Some(caller) => {
                        *at += 1;
                        if !std::mem::replace(&mut seen[caller.at()], true) {
                            path.push((caller.at(), 0));
                        }
                    }
                    None => {
                        next -= 1;
                        ranks[*function] = next;
                        path.pop();
                    }
                }
            }
        }
        ranks
    }

    /// One function; whether anything is new.
    fn visit(&mut self, solver: &Solver<'_>, function: FunctionIndex) -> bool {
        let local = std::mem::take(&mut self.locals[function.at()]);
        let mut ever = false;
        for _ in 0..8 {
            let mut new = false;
            for (from, to) in &local.copies {
                let roots = self.points_of(*from).to_vec();
                new |= self.put(*to, &roots);
            }
            for place in &local.unknown {
                new |= self.put(*place, &[UNKNOWN]);
            }
            for access in &local.reads {
                new |= self.read(access);
            }
            for access in &local.writes {
                new |= self.write(access);
            }
            for site in &local.sites {
                new |= self.call(solver, site);
            }
            for place in &local.escapes {
                new |= self.escape_place(*place);
            }
            ever |= new;
            if !new {
                break;
            }
        }
        let callers = std::mem::take(&mut self.locals[function.at()].callers);
        self.locals[function.at()] = local;
        self.locals[function.at()].callers.extend(callers);
        ever
    }

    fn put(&mut self, place: PlaceIndex, roots: &[RootId]) -> bool {
        if roots.is_empty() {
            return false;
        }
        let held = self.points.entry(place).or_default();
        let before = held.len();
        for root in roots {
            if !held.contains(root) {
                held.push(*root);
            }
        }
        let new = held.len() > before;
        if held.len() > ROOT_LIMIT {
            let all = held.clone();
            *held = vec![UNKNOWN];
            for root in all {
                self.escape(root);
            }
        }
        new && before <= ROOT_LIMIT
    }

    fn hold(&mut self, cell: CellId, roots: &[RootId]) -> bool {
        let (holder, mut new) = (self.cell(cell).root, false);
        for root in roots {
            let holds = &mut self.cells[cell.0 as usize].holds;
            if holds.contains(root) {
                continue;
            }
            if holds.len() >= ROOT_LIMIT {
                new |= self.escape(*root);
                continue;
            }
            holds.push(*root);
            new = true;
        }
        if self.is_lost(holder) {
            for root in roots {
                new |= self.escape(*root);
            }
        }
        new
    }

    /// Code that is not followed may get hold of the object, and of what is in it.
    fn escape(&mut self, root: RootId) -> bool {
        let mut open = vec![root];
        let mut new = false;
        while let Some(root) = open.pop() {
            let row = &mut self.roots[root.0 as usize];
            if row.escaped {
                continue;
            }
            row.escaped = true;
            new = true;
            for cell in row.cells.clone() {
                open.extend(self.cell(cell).holds.iter().copied());
            }
        }
        new
    }

    fn escape_place(&mut self, place: PlaceIndex) -> bool {
        let mut new = false;
        for root in self.points_of(place).to_vec() {
            new |= self.escape(root);
        }
        new
    }

    /// The cell of a root, if there may be one.
    pub(super) fn cell_at(
        &mut self,
        root: RootId,
        step: Step,
        site: (FileIndex, Position),
        function: FunctionIndex,
    ) -> Option<CellId> {
        if let Some(cell) = self.cell_ids.get(&(root, step)) {
            return Some(*cell);
        }
        let row = self.get(root);
        if row.escaped || row.depth >= DEPTH_LIMIT {
            return None;
        }
        if row.cells.len() >= CELL_LIMIT {
            self.escape(root);
            return None;
        }
        let cell = CellId(self.cells.len() as u32);
        self.cells.push(Cell {
            root,
            step,
            holds: Vec::new(),
            read: false,
            written: false,
            fields: Vec::new(),
            site,
            function,
            place: None,
        });
        self.cell_ids.insert((root, step), cell);
        self.roots[root.0 as usize].cells.push(cell);
        Some(cell)
    }

    /// The objects in a cell, with what lay there before the function wrote to it.
    fn contents(&mut self, cell: CellId) -> Vec<RootId> {
        if !self.inside.contains(&cell) {
            let depth = self.get(self.cell(cell).root).depth + 1;
            let inside = self.root(RootKind::Inside(cell), depth);
            self.inside.insert(cell);
            if self.is_lost(self.cell(cell).root) {
                self.escape(inside);
            }
            self.cells[cell.0 as usize].holds.push(inside);
        }
        self.cell(cell).holds.clone()
    }

    fn read(&mut self, access: &Access) -> bool {
        let mut new = false;
        let Some(to) = access.value else { return false };
        for root in self.points_of(access.base).to_vec() {
            let cell = if self.is_lost(root) {
                None
            } else {
                self.cell_at(root, access.step, access.at, access.function)
            };
            let Some(cell) = cell else {
                new |= self.put(to, &[UNKNOWN]);
                continue;
            };
            self.note_fields(cell, &access.fields);
            for cell in self.seen_by(root, access.step) {
                let row = &mut self.cells[cell.0 as usize];
                new |= !row.read;
                row.read = true;
                let holds = self.contents(cell);
                new |= self.put(to, &holds);
            }
        }
        new
    }

    fn write(&mut self, access: &Access) -> bool {
        let stored = access
            .value
            .map(|from| self.points_of(from).to_vec())
            .unwrap_or_default();
        let bases = self.points_of(access.base).to_vec();
        let mut new = false;
        let is_unknown = matches!(access.step, Step::Member(_)) && access.fields.is_empty();
        for root in &bases {
            let cell = if self.is_lost(*root) || is_unknown {
                None
            } else {
                self.cell_at(*root, access.step, access.at, access.function)
            };
            let Some(cell) = cell else {
                for root in &stored {
                    new |= self.escape(*root);
                }
                continue;
            };
            self.note_fields(cell, &access.fields);
            new |= !self.cell(cell).written;
            self.cells[cell.0 as usize].written = true;
            new |= self.hold(cell, &stored);
        }
        if bases.is_empty() {
            for root in &stored {
                new |= self.escape(*root);
            }
        }
        new
    }

    fn note_fields(&mut self, cell: CellId, fields: &[PlaceIndex]) {
        let known = &mut self.cells[cell.0 as usize].fields;
        for field in fields {
            if !known.contains(field) {
                known.push(*field);
            }
        }
    }

    fn made_at(&mut self, place: PlaceIndex) -> RootId {
        if let Some(root) = self.made.get(&place) {
            return *root;
        }
        let root = self.root(RootKind::Made(place), 0);
        self.made.insert(place, root);
        root
    }

    fn call(&mut self, solver: &Solver<'_>, site: &Site) -> bool {
        let (at, caller) = (site.at, site.caller);
        let mut new = false;
        match site.callee {
            Callee::Unknown => {
                if let Some(result) = site.value {
                    new |= self.put(result, &[UNKNOWN]);
                }
            }
            Callee::Class => {
                let Some(result) = site.value else { return new };
                let made = self.made_at(result);
                new |= self.put(result, &[made]);
                for (field, from) in &site.given {
                    let Some(member) = solver.program.member_of(*field) else {
                        continue;
                    };
                    if let Some(cell) = self.cell_at(made, Step::Member(member.name), at, caller) {
                        new |= !self.cell(cell).written;
                        let row = &mut self.cells[cell.0 as usize];
                        row.written = true;
                        if !row.fields.contains(field) {
                            row.fields.push(*field);
                        }
                        let stored = self.points_of(*from).to_vec();
                        new |= self.hold(cell, &stored);
                    }
                }
            }
            Callee::Function(constructs) => {
                if constructs && let Some(result) = site.value {
                    let made = self.made_at(result);
                    new |= self.put(result, &[made]);
                }
                for (parameter, from) in &site.given {
                    let ours = self.points_of(*from).to_vec();
                    if let Some(theirs) = self.made.get(parameter).copied() {
                        new |= self.learn(site, &ours, theirs, at, caller, 0);
                    }
                }
                for (ours, theirs) in &site.results {
                    for root in self.points_of(*theirs).to_vec() {
                        new |= self.given_back(site, root, *ours, at, caller);
                    }
                }
            }
        }
        new
    }

    /// What the callee does to an object that we call `ours`.
    fn learn(
        &mut self,
        site: &Site,
        ours: &[RootId],
        theirs: RootId,
        at: (FileIndex, Position),
        caller: FunctionIndex,
        depth: u8,
    ) -> bool {
        let mut new = false;
        if self.is_lost(theirs) {
            for root in ours {
                new |= self.escape(*root);
            }
            return new;
        }
        if depth >= DEPTH_LIMIT {
            return new;
        }
        for cell in self.get(theirs).cells.clone() {
            let their = self.cell(cell);
            let (step, read, written) = (their.step, their.read, their.written);
            let (fields, holds) = (their.fields.clone(), their.holds.clone());
            let mut handed: Vec<RootId> = Vec::new();
            for root in &holds {
                match self.get(*root).kind {
                    RootKind::Unknown => handed.push(UNKNOWN),
                    RootKind::Parameter(parameter) => {
                        let given = site.given.iter().filter(|(to, _)| *to == parameter);
                        handed.extend(given.flat_map(|(_, from)| self.points_of(*from)));
                    }
                    _ => {}
                }
            }
            let mut inside: Vec<RootId> = Vec::new();
            for root in ours {
                let own = if self.is_lost(*root) {
                    None
                } else {
                    self.cell_at(*root, step, at, caller)
                };
                let Some(own) = own else {
                    for root in &handed {
                        new |= self.escape(*root);
                    }
                    inside.push(UNKNOWN);
                    continue;
                };
                self.note_fields(own, &fields);
                let row = &mut self.cells[own.0 as usize];
                new |= written && !row.written;
                row.written |= written;
                new |= self.hold(own, &handed);
                if !holds.is_empty() {
                    inside.extend(self.contents(own));
                }
                for seen in self.seen_by(*root, step).into_iter().filter(|_| read) {
                    let row = &mut self.cells[seen.0 as usize];
                    new |= !row.read;
                    row.read = true;
                    if !holds.is_empty() {
                        inside.extend(self.contents(seen));
                    }
                }
            }
            inside.sort_unstable();
            inside.dedup();
            for root in holds {
                if matches!(self.get(root).kind, RootKind::Inside(_) | RootKind::Made(_)) && root != theirs {
                    new |= self.learn(site, &inside, root, at, caller, depth + 1);
                }
            }
        }
        new
    }

    /// The callee gives an object back.
    fn given_back(
        &mut self,
        site: &Site,
        root: RootId,
        result: PlaceIndex,
        at: (FileIndex, Position),
        caller: FunctionIndex,
    ) -> bool {
        let roots = self.as_ours(site, root, result, at, caller);
        let mut new = self.put(result, &roots);
        if let [made] = roots.as_slice()
            && self.made.get(&result) == Some(made)
        {
            new |= self.learn(site, &[*made], root, at, caller, 0);
        }
        new
    }

    /// What the caller calls an object of the callee's that comes back at `result`.
    pub(super) fn as_ours(
        &mut self,
        site: &Site,
        root: RootId,
        result: PlaceIndex,
        at: (FileIndex, Position),
        caller: FunctionIndex,
    ) -> Vec<RootId> {
        if self.is_lost(root) {
            return vec![UNKNOWN];
        }
        let mut steps = Vec::new();
        let mut start = root;
        while let RootKind::Inside(cell) = self.get(start).kind {
            steps.push(self.cell(cell).step);
            start = self.cell(cell).root;
        }
        let RootKind::Parameter(parameter) = self.get(start).kind else {
            return vec![self.made_at(result)];
        };
        let mut roots: Vec<RootId> = Vec::new();
        for (_, from) in site.given.iter().filter(|(to, _)| *to == parameter) {
            roots.extend(self.points_of(*from));
        }
        for step in steps.into_iter().rev() {
            let mut next = Vec::new();
            for root in roots {
                let cell = if self.is_lost(root) {
                    None
                } else {
                    self.cell_at(root, step, at, caller)
                };
                if cell.is_none() {
                    next.push(UNKNOWN);
                    continue;
                }
                for seen in self.seen_by(root, step) {
                    self.cells[seen.0 as usize].read = true;
                    next.extend(self.contents(seen));
                }
            }
            next.sort_unstable();
            next.dedup();
            roots = next;
        }
        roots
    }
}

/// Laying out.
impl Heap {
    fn lay_out(&mut self, solver: &mut Solver<'_>) {
        for (_, _, places) in &solver.name_sources {
            self.outside.extend(places);
        }
        self.outside.extend(solver.import_sources.iter().map(|(from, _)| *from));
        for row in &solver.loads {
            let packages = solver.contents[row.base.at()]
                .iter()
                .filter_map(|id| match solver.objects.get(*id) {
                    Object::Package(package) => Some(package),
                    _ => None,
                });
            for package in packages {
                if let Meaning::Places(places) = solver.program.package_member(package, row.member) {
                    self.outside.extend(places);
                }
            }
        }
        let solver = &*solver;
        for (index, file) in solver.program.files.iter().enumerate() {
            self.lay_out_file(solver, FileIndex(index as u32), &file.facts);
        }
        let kept_apart = classes_kept_apart(solver);
        for row in solver.loads.iter().filter(|row| !row.known) {
            let fields = fields_of(solver, &kept_apart, row.base, row.member);
            if !fields.is_empty() {
                self.locals[row.function.at()].reads.push(Access {
                    base: row.base,
                    step: Step::Member(row.member),
                    value: Some(row.to),
                    fields,
                    at: (row.file, row.position),
                    function: row.function,
                });
            }
        }
        for row in &solver.stores {
            self.locals[row.function.at()].writes.push(Access {
                base: row.base,
                step: Step::Member(row.member),
                value: row.from,
                fields: fields_of(solver, &kept_apart, row.base, row.member),
                at: (row.file, row.position),
                function: row.function,
            });
        }
        for (store, function) in &solver.setter_calls {
            let row = solver.stores[*store as usize];
            let file = solver.program.functions[function.at()].file;
            let parameters = solver.program.function_facts(*function).parameters.iter();
            let parameters = parameters.map(|parameter| solver.program.place(file, parameter.place));
            let given = parameters.zip([Some(row.base), row.from]);
            let site = Site {
                call: setter_call(*store),
                caller: row.function,
                at: (row.file, row.position),
                value: None,
                callee: Callee::Function(false),
                given: given.filter_map(|(to, from)| Some((to, from?))).collect(),
                results: Vec::new(),
            };
            self.locals[row.function.at()].sites.push(site);
            self.locals[function.at()].callers.push(row.function);
        }
        for row in solver.element_loads.iter().filter(|row| !row.known) {
            let local = &mut self.locals[row.function.at()];
            if row.key == RowKey::Target {
                local.copies.push((row.base, row.value));
                continue;
            }
            match read_part(solver, row) {
                Some(part) => local.reads.push(part_access(solver, row, part)),
                None => local.unknown.push(row.value),
            }
        }
        for row in &solver.element_stores {
            let local = &mut self.locals[row.function.at()];
            match container_at(solver, row.base).filter(|_| row.key != RowKey::Target) {
                Some(kind) => local.writes.push(part_access(solver, row, written_part(kind, row.key))),
                None => local.escapes.push(row.value),
            }
        }
        for row in &solver.part_copies {
            let local = &mut self.locals[row.function.at()];
            local.escapes.extend([row.from, row.to]);
        }
        for call in 0..solver.calls.len() as u32 {
            self.lay_out_call(solver, call);
        }
        for place in self.outside.iter().copied().collect::<Vec<_>>() {
            if let Some(function) = solver.program.owner_of(place) {
                self.locals[function.at()].escapes.push(place);
            }
        }
    }

    fn lay_out_file(&mut self, solver: &Solver<'_>, file: FileIndex, facts: &facts::FileFacts) {
        let place = |local: facts::PlaceId| solver.program.place(file, local);
        for (local, function) in facts.functions.iter().enumerate() {
            let index = solver.program.function(file, facts::FunctionId(local as u32));
            for parameter in &function.parameters {
                let to = place(parameter.place);
                if matches!(parameter.kind, ParameterKind::Rest | ParameterKind::RestKeywords) {
                    self.locals[index.at()].unknown.push(to);
                } else {
                    self.bring(to);
                }
            }
            if let Some(receiver) = function.receiver {
                self.bring(place(receiver));
            }
        }
        for flow in facts.flows.iter().filter(|flow| flow.same) {
            let (from, to) = (
                facts.places[flow.from.0 as usize].function,
                facts.places[flow.to.0 as usize].function,
            );
            let local = &mut self.locals[solver.program.function(file, from).at()];
            if from == to {
                local.copies.push((place(flow.from), place(flow.to)));
            } else {
                local.escapes.push(place(flow.from));
                let other = solver.program.function(file, to);
                self.locals[other.at()].unknown.push(place(flow.to));
            }
        }
        for (at, object) in &facts.objects {
            if let facts::Object::Instance(_) | facts::Object::Container(_) = object {
                let made = self.made_at(place(*at));
                self.put(place(*at), &[made]);
            }
        }
        for (at, _) in &facts.declared {
            let row = facts.places[at.0 as usize];
            let is_variable = row.kind == facts::PlaceKind::Local;
            let is_struct = solver
                .held(place(*at))
                .any(|(_, object)| matches!(object, Object::Instance(_)));
            if is_variable && is_struct && !facts.flows.iter().any(|flow| flow.to == *at) {
                let made = self.made_at(place(*at));
                self.put(place(*at), &[made]);
            }
        }
        for store in &facts.name_stores {
            let function = solver.program.function(file, store.function);
            self.locals[function.at()].escapes.extend(store.from.map(place));
        }
        for name_use in &facts.name_uses {
            let function = solver.program.function(file, name_use.function);
            self.locals[function.at()].unknown.push(place(name_use.to));
        }
        for value in &facts.member_values {
            let function = facts.places[value.from.0 as usize].function;
            let function = solver.program.function(file, function);
            self.locals[function.at()].escapes.push(place(value.from));
        }
    }

    fn bring(&mut self, parameter: PlaceIndex) {
        if !self.made.contains_key(&parameter) {
            let root = self.root(RootKind::Parameter(parameter), 0);
            self.made.insert(parameter, root);
            self.points.insert(parameter, vec![root]);
        }
    }

    /// Whether all that library code does with its arguments is told by its table: parts that it takes and puts are loads and
    /// stores of their own, and objects that it hands on are noted here.
    fn follow_library(&mut self, solver: &Solver<'_>, call: u32, name: Symbol) -> bool {
        let row = &solver.calls[call as usize];
        let language = solver.program.files[row.file.at()].language;
        let text = solver.program.symbols.text(name);
        let Some(entry) = solver.libraries.get(&language).and_then(|library| library.get(text)) else {
            return false;
        };
        for effect in &entry.flows {
            match effect {
                Effect::Move { from, to, carries } => {
                    if *carries != Carries::Objects || from.part != EndPart::Whole || to.part != EndPart::Whole {
                        continue;
                    }
                    for source in solver.subject_places(call, &from.subject) {
                        for target in solver.subject_places(call, &to.subject) {
                            self.locals[row.function.at()].copies.push((source, target));
                        }
                    }
                }
                Effect::Call { .. } | Effect::ClassOf => {}
                Effect::Decode { .. } | Effect::Encode { .. } | Effect::Partial => return false,
            }
        }
        if let (Some(result), Some(returned)) = (solver.call_results(call).first(), &entry.returns)
            && container_named(returned).is_some_and(|kind| kind != ContainerKind::Generator)
        {
            let made = self.made_at(*result);
            self.put(*result, &[made]);
        }
        true
    }

    fn lay_out_call(&mut self, solver: &Solver<'_>, call: u32) {
        let row = &solver.calls[call as usize];
        let caller = row.function;
        let site = |callee, given, results| Site {
            call,
            caller,
            at: (row.file, row.position),
            value: solver.call_results(call).first().copied(),
            callee,
            given,
            results,
        };
        let mut handed_out = row.targets.is_empty();
        for target in &row.targets {
            let (function, bound, base, constructs) = match *target {
                Target::Function {
                    function,
                    receiver,
                    base,
                } => (function, receiver.is_some(), base, false),
                Target::Constructor { function, class } => {
                    let open = solver.program.types[class.at()].open;
                    let value = solver.call_results(call).first().copied();
                    if open && let Some(value) = value {
                        self.locals[caller.at()].unknown.push(value);
                    }
                    (function, true, value, true)
                }
                Target::Class(class) => {
                    let given = solver.generated_fields(call, class);
                    let given: Vec<_> = given.iter().map(|passing| (passing.to, passing.from)).collect();
                    let callee = if solver.program.types[class.at()].open && given.is_empty() {
                        Callee::Unknown
                    } else {
                        Callee::Class
                    };
                    self.locals[caller.at()].sites.push(site(callee, given, Vec::new()));
                    handed_out |= callee == Callee::Unknown;
                    continue;
                }
                Target::Conversion(_) => {
                    let argument = solver.call_arguments(call).first().and_then(|first| first.place);
                    if let (Some(from), Some(to)) = (argument, solver.call_results(call).first()) {
                        self.locals[caller.at()].copies.push((from, *to));
                    }
                    continue;
                }
                Target::External(name) => {
                    let followed = self.follow_library(solver, call, name);
                    handed_out |= !followed;
                    let is_made = solver
                        .call_results(call)
                        .first()
                        .is_some_and(|result| self.made.contains_key(result));
                    if !is_made {
                        self.locals[caller.at()]
                            .sites
                            .push(site(Callee::Unknown, Vec::new(), Vec::new()));
                    }
                    continue;
                }
                Target::Opaque => {
                    handed_out = true;
                    continue;
                }
                Target::Elsewhere => continue,
            };
            let mut given = Vec::new();
            for passing in solver.passings(call, function, bound, base) {
                if passing.gathered.is_some() || passing.spread.is_some() {
                    self.locals[caller.at()].escapes.push(passing.from);
                } else {
                    given.push((passing.to, passing.from));
                }
            }
            let values = solver.call_results(call).iter().copied();
            let results = if constructs {
                Vec::new()
            } else {
                values.zip(solver.function_results(function)).collect()
            };
            self.locals[caller.at()]
                .sites
                .push(site(Callee::Function(constructs), given, results));
            if !self.locals[function.at()].callers.contains(&caller) {
                self.locals[function.at()].callers.push(caller);
            }
        }
        if handed_out {
            let arguments = solver.call_arguments(call).iter().filter_map(|argument| argument.place);
            let handed: Vec<PlaceIndex> = arguments.chain(row.receiver).collect();
            let results = solver.call_results(call).to_vec();
            let local = &mut self.locals[caller.at()];
            local.escapes.extend(handed);
            local.unknown.extend(results);
        }
    }
}

/// Of which types objects are kept apart: those of which some are made here, and not so many that nobody would look at one.
fn classes_kept_apart(solver: &Solver<'_>) -> Vec<bool> {
    let mut made = vec![0usize; solver.program.types.len()];
    let mut count = |index: TypeIndex| {
        for base in &solver.program.types[index.at()].order {
            made[base.at()] += 1;
        }
    };
    for row in &solver.calls {
        for target in &row.targets {
            if let Target::Constructor { class, .. } | Target::Class(class) = target {
                count(*class);
            }
        }
    }
    for (index, file) in solver.program.files.iter().enumerate() {
        for (place, object) in &file.facts.objects {
            if let facts::Object::Instance(_) = object {
                let place = solver.program.place(FileIndex(index as u32), *place);
                for (_, object) in solver.held(place) {
                    if let Object::Instance(index) = object {
                        count(index);
                    }
                }
            }
        }
        for (place, _) in &file.facts.declared {
            let place = solver.program.place(FileIndex(index as u32), *place);
            for (_, object) in solver.held(place) {
                if let Object::Instance(index) = object {
                    count(index);
                }
            }
        }
    }
    made.into_iter().map(|made| (1..=MADE_LIMIT).contains(&made)).collect()
}

/// The fields that a member of what is in a place may be.
fn fields_of(solver: &Solver<'_>, kept_apart: &[bool], base: PlaceIndex, member: Symbol) -> Vec<PlaceIndex> {
    let mut fields = Vec::new();
    for (_, object) in solver.held(base) {
        if let Object::Instance(owner) | Object::AnyOf(owner) = object {
            let place = solver.program.find_attribute_owner(owner, member);
            let is_field = |place: &PlaceIndex| {
                let row = solver.program.member_of(*place);
                row.is_some_and(|row| row.field.is_some() && kept_apart[row.owner.at()])
            };
            fields.extend(place.filter(is_field));
        }
    }
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// The kind of the containers that a place holds; none for generators, which run while they are read.
fn container_at(solver: &Solver<'_>, base: PlaceIndex) -> Option<ContainerKind> {
    let mut kinds = solver.held(base).filter_map(|(_, object)| match object {
        Object::Container { kind, .. } | Object::Typed { kind, .. } => Some(kind),
        _ => None,
    });
    let kind = kinds.next()?;
    let is_plain = |kind: ContainerKind| !matches!(kind, ContainerKind::Generator | ContainerKind::Channel);
    (is_plain(kind) && kinds.all(is_plain)).then_some(kind)
}

/// The part that an element load reads; `Any` for all of them.
pub(super) fn read_part(solver: &Solver<'_>, row: &ElementRow) -> Option<Part> {
    let kind = container_at(solver, row.base)?;
    match readable_parts(kind, row.key).first()? {
        Part::All => Some(Part::Any),
        part => Some(*part),
    }
}

fn part_access(solver: &Solver<'_>, row: &ElementRow, part: Part) -> Access {
    let mut fields: Vec<PlaceIndex> = solver
        .held(row.base)
        .filter_map(|(id, _)| solver.elements.get(&(id, part)).copied())
        .collect();
    if part == Part::Any {
        // What was put in under constant keys is read by whoever reads everything.
        for (id, _) in solver.held(row.base) {
            let parts = solver.parts.get(&id).into_iter().flatten();
            let parts = parts.filter(|(part, _)| matches!(part, Part::Text(_) | Part::Index(_)));
            fields.extend(parts.map(|(_, place)| *place).take(8));
        }
    }
    Access {
        base: row.base,
        step: Step::Part(part),
        value: Some(row.value),
        fields,
        at: (row.file, row.position),
        function: row.function,
    }
}
