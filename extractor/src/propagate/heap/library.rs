//! What library code writes into what it is given, as its table says: `buffer.WriteString(text)`, `fmt.Fprint(out, text)`.
//!
//! What is in a buffer is one cell of it. A function that fills a buffer of its caller tells the caller so.

use super::fields::fields_of;
use super::gathered::Put;
use super::lay_out::container_at;
use super::layers::Layered;
use super::{Access, Heap, When};
use crate::facts::order::Point;
use crate::facts::{ContainerKind, PlaceKind};
use crate::link::{PlaceIndex, Step, Symbol};
use crate::propagate::library::{Carries, Effect, End, EndPart, Entry, Subject};
use crate::propagate::moved::DropRow;
use crate::propagate::object::Object;
use crate::propagate::records::container_named;
use crate::propagate::solve::Solver;

/// Most parts of what is put in that are followed.
const PART_LIMIT: usize = 64;

impl Heap {
    /// Whether all that library code does with its arguments is told by its table: parts that it takes and puts are loads and
    /// stores of their own, and objects that it hands on are noted here.
    pub(super) fn follow_library(&mut self, solver: &Solver<'_>, call: u32, name: Symbol) -> bool {
        let row = &solver.calls[call as usize];
        let Some(entry) = solver.table_entry(row.file, name) else {
            return false;
        };
        for effect in &entry.flows {
            match effect {
                Effect::Move { from, to, carries } => {
                    self.put_by_library(solver, call, from, to);
                    if to.part == EndPart::Members {
                        self.replace_by_library(solver, call, &to.subject);
                        continue;
                    }
                    if matches!(carries, Carries::Copies | Carries::DeepCopies) {
                        self.copy_by_library(solver, call, (from, to), *carries == Carries::DeepCopies);
                        continue;
                    }
                    let is_handed_on = matches!(carries, Carries::Objects | Carries::Containers);
                    if !is_handed_on || from.part != EndPart::Whole || to.part != EndPart::Whole {
                        continue;
                    }
                    for source in solver.subject_places(call, &from.subject) {
                        for target in solver.subject_places(call, &to.subject) {
                            self.locals[row.function.at()].copies.push((source, target));
                        }
                    }
                }
                Effect::Call { .. }
                | Effect::Start(_)
                | Effect::ClassOf
                | Effect::InstanceOf(_)
                | Effect::Columns { .. }
                | Effect::RowOf(_)
                | Effect::SubclassesOf(_)
                | Effect::RowsOf(_)
                | Effect::Relate { .. }
                | Effect::Render(_)
                | Effect::Hooks { .. }
                | Effect::Serve { .. }
                | Effect::Fill(_)
                | Effect::Rename
                | Effect::Expression { .. }
                | Effect::Rows
                | Effect::Pick
                | Effect::Iterate { .. }
                | Effect::Getter(_)
                | Effect::Drop(_)
                | Effect::Resize(_)
                | Effect::Stir(_) => {}
                Effect::Decode { from, to, .. } => {
                    if !self.decode(solver, call, from, to) {
                        return false;
                    }
                }
                Effect::Encode { from, .. } => {
                    if !self.encode(solver, call, from) {
                        return false;
                    }
                }
                Effect::Partial if self.held_back.is_followed(call) => {}
                Effect::Partial | Effect::Remote { .. } => return false,
            }
        }
        if let (Some(result), Some(returned)) = (solver.call_results(call).first(), &entry.returns)
            && container_named(returned).is_some()
        {
            let made = self.made_at(*result);
            // `deque()`: nothing is in there.
            let puts = |effect: &Effect| matches!(effect, Effect::Call { .. });
            let is_empty = solver.call_arguments(call).is_empty() && !entry.flows.iter().any(puts);
            match is_empty {
                true => _ = self.made_empty.insert(*result),
                false => self.roots[made.0 as usize].foreign = !fills_with_objects_alone(entry),
            }
            self.put(*result, &[made]);
            let is_mapping = container_named(returned) == Some(ContainerKind::Map);
            if is_mapping && !is_empty && super::layers::is_layer(&entry.flows) {
                let is_copy = solver
                    .call_arguments(call)
                    .iter()
                    .all(|argument| argument.name.is_none());
                self.made_empty.insert(*result);
                self.layers.push(Layered {
                    call,
                    result: *result,
                    is_copy,
                });
            }
        }
        self.make_by_table(solver, call, entry);
        if let Some(tuple) = solver.result_tuples.get(&call) {
            let made = self.made_at(*tuple);
            self.put(*tuple, &[made]);
        }
        if let (Some(result), true) = (solver.call_results(call).first(), entry.holds.is_some()) {
            let made = self.made_at(*result);
            self.put(*result, &[made]);
            if super::layers::is_layer(&entry.flows) {
                self.made_empty.insert(*result);
                self.layers.push(Layered {
                    call,
                    result: *result,
                    is_copy: false,
                });
            }
        }
        true
    }

    /// Notes a flow of a library call into or out of something that it is given.
    pub(super) fn put_by_library(&mut self, solver: &Solver<'_>, call: u32, from: &End, to: &End) {
        // Of what is no container that is known, a part is all of it.
        let is_whole = |part: &EndPart| {
            matches!(
                part,
                EndPart::Whole | EndPart::Under(_) | EndPart::UnderName(_) | EndPart::PartsUnder(..)
            )
        };
        if !is_whole(&from.part) || !is_whole(&to.part) {
            return;
        }
        let row = &solver.calls[call as usize];
        let (at, function) = ((row.file, row.position), row.function);
        let is_given = |subject: &Subject| {
            matches!(
                subject,
                Subject::Argument(_) | Subject::Arguments | Subject::Keyword(_) | Subject::Receiver
            )
        };
        let access = |base: PlaceIndex, value| Access {
            base,
            step: Step::Target,
            value,
            fields: Vec::new(),
            at,
            when: When::certain(row.point),
            function,
        };
        // What is known by its parts or fields is followed by these.
        let is_plain = |part: &EndPart| *part == EndPart::Whole;
        let is_whole = is_plain(&from.part) && is_plain(&to.part);
        let is_outside = |place: PlaceIndex| {
            (is_whole || container_at(solver, place).is_none())
                && solver.held(place).any(|(_, object)| {
                    matches!(
                        object,
                        Object::External(_) | Object::AnyExternal(_) | Object::Address(_)
                    )
                })
        };
        let step = Step::Target;
        let mut sources = solver.subject_places(call, &from.subject);
        if is_given(&from.subject) {
            for source in sources.iter().filter(|source| is_outside(**source)) {
                self.locals[function.at()].reads.push(access(*source, None));
                let (from, to, when) = (*source, *source, When::certain(row.point));
                self.taken.push(Put {
                    from,
                    to,
                    step,
                    at,
                    when,
                });
            }
        }
        let mut targets = match is_given(&to.subject) {
            true => solver.subject_places(call, &to.subject),
            false => Vec::new(),
        };
        targets.retain(|target| is_outside(*target));
        if !targets.is_empty() {
            // `table.writerow([name])`: with what is in it.
            let mut next = 0;
            while next < sources.len() && sources.len() < PART_LIMIT {
                let held = solver.held(sources[next]);
                let parts = held.flat_map(|(id, _)| solver.parts.get(&id).into_iter().flatten());
                let inside: Vec<_> = parts
                    .map(|(_, part)| *part)
                    .filter(|part| !sources.contains(part))
                    .collect();
                sources.extend(inside);
                next += 1;
            }
            for target in targets {
                for from in &sources {
                    // It comes to what is there.
                    let added = Access {
                        when: When {
                            point: row.point,
                            is_certain: false,
                        },
                        ..access(target, Some(*from))
                    };
                    self.locals[function.at()].writes.push(added.clone());
                    let (from, to, when) = (*from, target, added.when);
                    self.puts.push(Put {
                        from,
                        to,
                        step,
                        at,
                        when,
                    });
                    // Who does not know the object looks at the field.
                    let fields = self.library_fields.get(&target).into_iter().flatten();
                    self.puts_in_fields.extend(fields.map(|field| (from, *field, at)));
                    self.locals[function.at()].library.push(target);
                }
            }
        }
    }

    /// Notes which places hold what lies in fields that are values of library types.
    pub(super) fn note_library_fields(&mut self, solver: &Solver<'_>) {
        if self.of_library.is_empty() {
            return;
        }
        let all = vec![true; solver.program.types.len()];
        let is_outside = |place: PlaceIndex| {
            let mut held = solver.held(place);
            held.any(|(_, object)| matches!(object, Object::External(_)))
        };
        for row in solver.loads.iter().filter(|row| !row.silent && is_outside(row.to)) {
            let mut fields = fields_of(solver, &all, row.base, row.member);
            fields.retain(|field| self.of_library.contains(field));
            if !fields.is_empty() {
                self.library_fields.insert(row.to, fields);
            }
        }
    }

    /// Library code takes all out of what it put things into: nothing is written over it.
    pub(super) fn empty_by_library(&mut self, row: &DropRow) {
        let local = &mut self.locals[row.at.function.at()];
        local.emptied.push(row.base);
        local.writes.push(Access {
            base: row.base,
            step: Step::Target,
            value: None,
            fields: Vec::new(),
            at: (row.at.file, row.at.position),
            when: When::certain(row.at.point),
            function: row.at.function,
        });
    }

    /// Whether a place holds an object of library code that is made here: pointers to it stand for it.
    pub(super) fn is_kept_in(&self, solver: &Solver<'_>, place: PlaceIndex) -> bool {
        let mut held = solver.held(place);
        held.any(|(_, object)| matches!(object, Object::External(_))) && self.made.contains_key(&place)
    }

    /// Cells that library code empties. Whether anything is new.
    pub(super) fn emptied_by_library(&mut self, place: PlaceIndex) -> bool {
        let mut new = false;
        for root in self.points_of(place).to_vec() {
            if let Some(cell) = self.cell_of(root, Step::Target) {
                new |= self.mark(cell, |cell| &mut cell.emptied);
                new |= self.mark(cell, |cell| &mut cell.by_library);
            }
        }
        new
    }

    /// Where is what library code finds in something that is emptied at times; none where the place itself has to say it.
    pub(in crate::propagate) fn find_kept(&self, place: PlaceIndex, point: Point) -> Option<Vec<PlaceIndex>> {
        let mut kept = Vec::new();
        for root in self.points_of(place) {
            let (cell, _) = self.place_of(*root, Step::Target)?;
            if !self.cell(cell).emptied || self.get(*root).foreign {
                return None;
            }
            kept.extend(self.versions_seen(cell, When::certain(point)));
        }
        (!self.points_of(place).is_empty()).then_some(kept)
    }

    /// Cells that library code writes. Whether anything is new.
    pub(super) fn written_by_library(&mut self, place: PlaceIndex) -> bool {
        let mut new = false;
        for root in self.points_of(place).to_vec() {
            if let Some(cell) = self.cell_of(root, Step::Target) {
                new |= self.mark(cell, |cell| &mut cell.by_library);
            }
        }
        new
    }
}

/// Whether library code puts nothing but objects that its table names into the container that it gives.
fn fills_with_objects_alone(entry: &Entry) -> bool {
    let is_told = |effect: &Effect| match effect {
        Effect::Move { to, carries, .. } => {
            to.subject != Subject::Result || matches!(carries, Carries::Objects | Carries::Test)
        }
        // What it says of names is told of these alone.
        Effect::Call { .. } | Effect::Start(_) | Effect::Rename | Effect::Expression { .. } => true,
        _ => false,
    };
    let fills = |effect: &Effect| match effect {
        Effect::Move { to, .. } => to.subject == Subject::Result && to.part != EndPart::Whole,
        Effect::Call { result, .. } => result.is_some(),
        _ => false,
    };
    entry.flows.iter().all(is_told) && entry.flows.iter().any(fills)
}

/// Whether library code gives nothing but objects that its table names, which are followed from there.
pub(super) fn gives_objects_alone(entry: &Entry) -> bool {
    let gives = |effect: &Effect| match effect {
        Effect::Move { to, carries, .. } if to.subject == Subject::Result => match carries {
            Carries::Objects => to.part == EndPart::Whole,
            carries => *carries == Carries::Test,
        },
        Effect::Move { .. } | Effect::Drop(_) | Effect::Resize(_) | Effect::Stir(_) | Effect::Start(_) => true,
        // What it calls gives is followed from there.
        Effect::Call { result, .. } => result.as_ref().is_none_or(|result| result.part == EndPart::Whole),
        _ => false,
    };
    let is_given = |effect: &Effect| match effect {
        Effect::Move { to, carries, .. } => to.subject == Subject::Result && *carries == Carries::Objects,
        Effect::Call { result, .. } => result.is_some(),
        _ => false,
    };
    entry.returns.is_none() && entry.flows.iter().any(is_given) && entry.flows.iter().all(gives)
}

impl Solver<'_> {
    fn is_brought_in(&self, place: PlaceIndex) -> bool {
        let local = self.program.local_place(place);
        let kind = local.map(|(file, local)| self.program.files[file.at()].facts.places[local.0 as usize].kind);
        !matches!(kind, Some(PlaceKind::Local))
    }

    /// Whether library code makes an object: with members of its own in place of those of what it begins with, or a copy.
    pub(super) fn makes_anew(&self, call: u32, effect: &Effect) -> bool {
        let Effect::Move { from, to, carries } = effect else {
            return false;
        };
        // What a parameter brings is its callers', who may have put more into it than is seen here.
        let is_object = |place: PlaceIndex| {
            if self.is_brought_in(place) {
                return false;
            }
            let mut held = self.held(place).peekable();
            held.peek().is_some() && held.all(|(_, object)| matches!(object, Object::Instance(_)))
        };
        let copies = matches!(carries, Carries::Copies | Carries::DeepCopies);
        to.part == EndPart::Members || copies && self.subject_places(call, &from.subject).into_iter().all(is_object)
    }
}
