//! Closures as objects: each time that one is made it keeps variables of its own.
//!
//! ```go
//! func keep(text string) func() string { return func() string { return text } }
//! first, second := keep(a), keep(b)      // two objects: what `first()` gives is what `first` keeps
//! ```
//!
//! Closures that share a variable which one of them assigns are one object, as they keep one variable.
//!
//! What a closure keeps are the cells of the object that it is; the function gets them with every call, as it gets the fields of a
//! receiver. Where a closure goes to code that is not followed, the variable itself says what it keeps.

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Access, Heap, When};
use crate::facts::order::Point;
use crate::facts::{self, FileFacts, PlaceKind};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PlaceIndex, Step, Symbol};
use crate::propagate::solve::Solver;

/// Most functions inside each other through which a variable is passed on.
const WAY_LIMIT: usize = 4;

/// Between the name of a variable and the place of the closure that keeps it.
const OF_CLOSURE: char = '\0';

/// The cells that a variable goes to, and those that it comes from.
type Cells = (Vec<PlaceIndex>, Vec<PlaceIndex>);

/// A variable and what it is to a closure, and the cells between.
type Link = ((PlaceIndex, PlaceIndex), Cells);

/// How a variable comes into a closure, or out of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Capture {
    way: Way,
    /// The closure where it is made, and where it runs.
    literal: PlaceIndex,
    inside: PlaceIndex,
    variable: Symbol,
    when: When,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The closure keeps what the function around it assigns.
    In,
    /// What closures assign is in what they keep.
    Kept,
    /// The function around it sees what the closure assigns.
    Out,
}

impl Capture {
    /// The closure as a place of its maker, and of its own.
    pub(super) fn ends(&self) -> [PlaceIndex; 2] {
        [self.literal, self.inside]
    }
}

/// The closures of a file.
struct Closures<'f> {
    facts: &'f FileFacts,
    made: FxHashMap<facts::FunctionId, facts::PlaceId>,
    /// The closures that share what one of them assigns are one object: by closure, where the first of them is made.
    shared: FxHashMap<facts::FunctionId, facts::PlaceId>,
    /// What closures assign, by the place in the function around them: followed through what they keep.
    followed: FxHashSet<facts::PlaceId>,
}

impl<'f> Closures<'f> {
    fn new(facts: &'f FileFacts) -> Self {
        let made = facts.objects.iter().filter_map(|(place, object)| match object {
            facts::Object::Function(function) => Some((*function, *place)),
            _ => None,
        });
        let mut closures = Self {
            facts,
            made: made.collect(),
            shared: FxHashMap::default(),
            followed: FxHashSet::default(),
        };
        closures.share();
        closures
    }

    fn place(&self, place: facts::PlaceId) -> facts::Place {
        self.facts.places[place.0 as usize]
    }

    fn is_kept(&self, place: facts::PlaceId) -> bool {
        self.place(place).kind == PlaceKind::Captured
    }

    fn captures(&self) -> impl Iterator<Item = &'f facts::Flow> {
        self.facts.flows.iter().filter(|flow| flow.how == How::Capture)
    }

    /// Where a closure is made, if that is in this function.
    fn literal(&self, closure: facts::FunctionId, maker: facts::FunctionId) -> Option<facts::PlaceId> {
        let literal = self.made.get(&closure).copied();
        literal.filter(|literal| self.place(*literal).function == maker)
    }

    /// The functions between a closure and the one around it whose variable it keeps, the outermost first, with where each is made,
    /// and the closure last; none where there are none.
    fn way_in(
        &self,
        closure: facts::FunctionId,
        outer: facts::FunctionId,
    ) -> Option<Vec<(facts::FunctionId, facts::PlaceId)>> {
        let mut way = Vec::new();
        let mut inner = closure;
        while inner != outer && way.len() < WAY_LIMIT {
            let maker = self.facts.functions[inner.0 as usize].parent?;
            way.push((inner, self.literal(inner, maker)?));
            inner = maker;
        }
        way.reverse();
        let is_longer = inner == outer && way.len() > 1;
        let first = way.first().filter(|_| is_longer);
        first
            .is_some_and(|(_, literal)| self.is_given_back(*literal))
            .then_some(way)
    }

    /// Whether the function that makes a closure gives it to its caller, so that there may be several of it at a time.
    fn is_given_back(&self, literal: facts::PlaceId) -> bool {
        let mut open = vec![literal];
        for _ in 0..WAY_LIMIT {
            let flows = self
                .facts
                .flows
                .iter()
                .filter(|flow| flow.same && open.contains(&flow.from));
            let next: Vec<facts::PlaceId> = flows.map(|flow| flow.to).collect();
            if next.iter().any(|place| self.place(*place).kind == PlaceKind::Result) {
                return true;
            }
            open = next;
        }
        false
    }

    /// Finds the closures that see what one of them assigns.
    fn share(&mut self) {
        let mut users: FxHashMap<facts::PlaceId, Vec<facts::FunctionId>> = FxHashMap::default();
        let mut order = Vec::new();
        for flow in self
            .captures()
            .filter(|flow| self.is_kept(flow.from) && !self.is_kept(flow.to))
        {
            let closures = users.entry(flow.to).or_default();
            if closures.is_empty() {
                order.push(flow.to);
            }
            closures.push(self.place(flow.from).function);
        }
        for flow in self.captures().filter(|flow| self.is_kept(flow.to)) {
            if let Some(closures) = users.get_mut(&flow.from) {
                closures.push(self.place(flow.to).function);
            }
        }
        for web in order {
            let maker = self.place(web).function;
            let closures = users.remove(&web).unwrap_or_default();
            let literals: Option<Vec<facts::PlaceId>> =
                closures.iter().map(|closure| self.literal(*closure, maker)).collect();
            let Some(literals) = literals else { continue };
            self.followed.insert(web);
            let known = closures.iter().filter_map(|closure| self.shared.get(closure).copied());
            let Some(first) = known.chain(literals).min() else {
                continue;
            };
            let joined: Vec<facts::PlaceId> = closures
                .iter()
                .filter_map(|closure| self.shared.insert(*closure, first))
                .collect();
            for other in self.shared.values_mut().filter(|other| joined.contains(other)) {
                *other = first;
            }
        }
    }
}

impl Heap {
    /// Finds what the closures of a file keep.
    pub(super) fn lay_out_closures(&mut self, solver: &mut Solver<'_>, file: FileIndex, facts: &FileFacts) {
        let closures = Closures::new(facts);
        let points: FxHashMap<_, _> = facts
            .captures
            .iter()
            .map(|(from, to, point)| ((*from, *to), *point))
            .collect();
        let written: FxHashMap<_, _> = facts.inner_writes.iter().copied().collect();
        for flow in closures.captures() {
            let (way, outer, kept) = match (closures.is_kept(flow.from), closures.is_kept(flow.to)) {
                (_, true) if closures.followed.contains(&flow.from) => (Way::Kept, flow.from, flow.to),
                (_, true) => (Way::In, flow.from, flow.to),
                (true, false) if closures.followed.contains(&flow.to) => (Way::Out, flow.to, flow.from),
                _ => continue,
            };
            let (outer, kept) = (closures.place(outer), closures.place(kept));
            if way == Way::In
                && let Some(way) = closures.way_in(kept.function, outer.function)
            {
                let point = points.get(&(flow.from, flow.to)).copied();
                self.pass_on(solver, &closures, (file, flow, point), &way);
                continue;
            }
            let Some(literal) = closures.literal(kept.function, outer.function) else {
                continue;
            };
            let closure = solver.program.function(file, kept.function);
            let maker = solver.program.function(file, outer.function);
            let owner = closures.shared.get(&kept.function).copied().unwrap_or(literal);
            let variable = kept_name(solver, (file, owner), kept.name);
            let (from, to) = (
                solver.program.place(file, flow.from),
                solver.program.place(file, flow.to),
            );
            let (literal, inside) = self.closure_at(solver, (file, literal, owner), closure);
            let at = (file, flow.position);
            let point = match way {
                Way::In => points.get(&(flow.from, flow.to)),
                Way::Kept => None,
                Way::Out => written.get(&flow.from),
            };
            if point.is_none() && way != Way::Kept {
                self.assigned_inside.insert(closure);
            }
            let when = When::certain(point.copied().unwrap_or_default());
            let access = |base, value, fields, when, function| Access {
                base,
                step: Step::Kept(variable),
                value: Some(value),
                fields,
                at,
                when,
                function,
            };
            let at_first = When::certain(Point::default());
            if way == Way::Out {
                let write = access(inside, from, Vec::new(), when, closure);
                self.locals[closure.at()].writes.push(write);
                let read = access(literal, to, Vec::new(), at_first, maker);
                self.locals[maker.at()].reads.push(read);
            } else {
                if way == Way::In {
                    let write = access(literal, from, vec![from], when, maker);
                    self.locals[maker.at()].writes.push(write);
                }
                let read = access(inside, to, vec![from], at_first, closure);
                self.locals[closure.at()].reads.push(read);
            }
            let capture = Capture {
                way,
                literal,
                inside,
                variable,
                when,
            };
            self.captures.insert((from, to), capture);
        }
    }

    /// A closure keeps what is not of the function that makes it, but of one around that: each function between keeps it, too.
    fn pass_on(
        &mut self,
        solver: &mut Solver<'_>,
        closures: &Closures<'_>,
        (file, flow, point): (FileIndex, &facts::Flow, Option<Point>),
        way: &[(facts::FunctionId, facts::PlaceId)],
    ) {
        let (first, last) = (
            solver.program.place(file, flow.from),
            solver.program.place(file, flow.to),
        );
        let name = closures.place(flow.to).name;
        let (mut from, mut between) = (first, Vec::new());
        for (index, (closure, literal)) in way.iter().enumerate() {
            let made_by = closures.place(*literal).function;
            let maker = solver.program.function(file, closures.place(*literal).function);
            let owner = closures.shared.get(closure).copied().unwrap_or(*literal);
            let variable = kept_name(solver, (file, owner), name);
            let closure = solver.program.function(file, *closure);
            let (literal, inside) = self.closure_at(solver, (file, *literal, owner), closure);
            let to = match index + 1 == way.len() {
                true => last,
                false => solver.derive_place(DerivedPlace::Passing(closure)),
            };
            if index == 0 && point.is_none() {
                self.assigned_inside.insert(closure);
            }
            let passed = || {
                let mut rows = closures.facts.passed_on.iter();
                rows.find(|(place, by, _)| *place == flow.to && *by == made_by)
                    .map(|row| row.2)
            };
            let when = When::certain(if index == 0 { point } else { passed() }.unwrap_or_default());
            let access = |base, value, when, function| Access {
                base,
                step: Step::Kept(variable),
                value: Some(value),
                fields: vec![first],
                at: (file, flow.position),
                when,
                function,
            };
            self.locals[maker.at()].writes.push(access(literal, from, when, maker));
            let read = access(inside, to, When::certain(Point::default()), closure);
            self.locals[closure.at()].reads.push(read);
            let capture = Capture {
                way: Way::In,
                literal,
                inside,
                variable,
                when,
            };
            self.captures.insert((from, to), capture);
            between.push(to);
            from = to;
        }
        between.pop();
        self.passed_on.insert((first, last), between);
    }

    /// Whether a variable comes into a closure by way of what that keeps, or out of it.
    pub(super) fn is_kept(&self, from: PlaceIndex, to: PlaceIndex) -> bool {
        self.captures.contains_key(&(from, to)) || self.passed_on.contains_key(&(from, to))
    }

    /// As [`Heap::capture`], of all functions on the way: each with its ends.
    pub(in crate::propagate) fn captures(&self, from: PlaceIndex, to: PlaceIndex) -> Option<Vec<Link>> {
        let mut ends = vec![from];
        ends.extend(self.passed_on.get(&(from, to)).into_iter().flatten());
        ends.push(to);
        let links = ends.windows(2).map(|pair| match pair {
            [from, to] => Some(((*from, *to), self.capture(*from, *to)?)),
            _ => None,
        });
        links.collect()
    }

    /// The closure that is made at a place, and the place that stands for what it keeps.
    fn closure_at(
        &mut self,
        solver: &mut Solver<'_>,
        (file, literal, owner): (FileIndex, facts::PlaceId, facts::PlaceId),
        closure: FunctionIndex,
    ) -> (PlaceIndex, PlaceIndex) {
        let literal = solver.program.place(file, literal);
        let made = self.made_at(solver.program.place(file, owner));
        self.put(literal, &[made]);
        (literal, self.kept_by(solver, closure))
    }

    /// The place that stands for what a closure keeps, in the closure.
    fn kept_by(&mut self, solver: &mut Solver<'_>, closure: FunctionIndex) -> PlaceIndex {
        if let Some(place) = self.kept.get(&closure) {
            return *place;
        }
        let place = solver.derive_place(DerivedPlace::Passing(closure));
        self.kept.insert(closure, place);
        self.bring(place);
        place
    }

    /// By way of which cells a variable comes into a closure, or out of one: those that it goes to, and those that it comes from.
    /// None where the variable itself has to say it.
    fn capture(&self, from: PlaceIndex, to: PlaceIndex) -> Option<Cells> {
        let capture = *self.captures.get(&(from, to))?;
        let cell = |place: PlaceIndex| {
            let [root] = self.points_of(place) else { return None };
            self.place_of(*root, Step::Kept(capture.variable))
        };
        let (kept, first_kept) = cell(capture.literal)?;
        let (inside, first_inside) = cell(capture.inside)?;
        let goes_to = match capture.way {
            Way::In => self.version_written(kept, capture.when),
            Way::Kept => None,
            Way::Out => self.version_written(inside, capture.when),
        };
        let mut comes_from = match capture.way {
            Way::Out => vec![first_kept],
            // When it begins to run, or when somebody whom it called comes back.
            _ => vec![first_inside],
        };
        match capture.way {
            Way::Out => comes_from.extend(self.versions_by_calls(kept)),
            _ => comes_from.extend(self.versions_by_calls(inside)),
        }
        Some((goes_to.into_iter().collect(), comes_from))
    }
}

/// What a closure calls a variable that it keeps: a name of its own, as another that comes to the same place may keep one of that name.
fn kept_name(solver: &mut Solver<'_>, (file, owner): (FileIndex, facts::PlaceId), name: facts::Name) -> Symbol {
    let owner = solver.program.place(file, owner);
    let name = solver.program.symbol(file, name);
    let name = format!("{}{OF_CLOSURE}{}", solver.program.symbols.text(name), owner.0);
    solver.program.symbols.intern(&name)
}

/// The name of a variable that a closure keeps, as it is written.
pub(crate) fn written_name(kept: &str) -> &str {
    kept.split(OF_CLOSURE).next().unwrap_or(kept)
}
