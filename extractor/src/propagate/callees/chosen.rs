//! Which of a call's targets fit what the walks found: of its callee, and of what that was read from.
//!
//! A method is found with its receiver, a function of a module with the module, what a class attribute holds with the class of
//! which it is read, and what a partial application holds back with that.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::{ANYWHERE, Candidates, FlowGraph, Sought, Walks, is_closure, partial_of};
use crate::link::scope::Meaning;
use crate::link::{FunctionIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::edges::End;
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{LoadRow, Target};

impl FlowGraph<'_, '_> {
    /// Functions of library code among a call's targets that somebody put where it reads them: by their index, with the objects that they
    /// are.
    ///
    /// `print`, for `self.show(text)` where `self.show = print`; what is read of an object of library code itself comes with that.
    pub(in crate::propagate) fn library_values(&self, call: u32) -> SmallVec<[(usize, ObjectId); 2]> {
        let (solver, row) = (self.solver, &self.solver.calls[call as usize]);
        let load = self.origins.load_of.get(&row.callee).copied();
        let mut held = load
            .into_iter()
            .flat_map(|load| solver.held(solver.loads[load as usize].base));
        let is_own = |(_, object)| {
            matches!(
                object,
                Object::Instance(_) | Object::AnyOf(_) | Object::Class(_) | Object::Package(_)
            )
        };
        if !held.all(is_own) {
            return SmallVec::new();
        }
        let targets = row.targets.iter().enumerate();
        let values = targets.filter_map(|(index, target)| match *target {
            Target::External(name) => Some((index, solver.objects.find(Object::External(name))?)),
            _ => None,
        });
        let callee = &solver.slots[row.callee.at()];
        values.filter(|(_, object)| callee.holds(*object)).collect()
    }
}

impl Walks<'_, '_, '_> {
    /// The targets of a call that come to it, where its function was entered as the stack says; none where that is not known.
    pub(super) fn kept(&mut self, call: u32, stack: u32, depth: u8) -> Option<u64> {
        let solver = self.graph.solver;
        let row = &solver.calls[call as usize];
        if let Some((callee, partial)) = partial_of(solver, call) {
            let sought = self.origins(callee, stack, depth)?;
            let all = u64::MAX >> (64 - row.targets.len().clamp(1, 64));
            let is_it = sought.found.contains(&partial);
            return (!sought.found.is_empty()).then_some(if is_it { all } else { 0 });
        }
        let load = self.graph.origins.load_of.get(&row.callee).copied();
        let has_receiver = |target: &Target| matches!(target, Target::Function { receiver: Some(_), .. });
        let by_receiver = load.is_some() && row.targets.iter().any(has_receiver);
        // Of methods that were found by a part of their names, those of what they were read from.
        let fitting = row.targets.iter().find_map(|target| match *target {
            Target::Function {
                function,
                base: Some(base),
                ..
            } if solver.program.owner_of(base) == Some(row.function) && solver.is_fitting(base, function) => Some(base),
            _ => None,
        });
        let of_fitting = match fitting {
            Some(base) => self.origins(base, stack, depth)?,
            None => Sought::default(),
        };
        // A method that a field keeps was bound elsewhere.
        let tells = solver.tells_where_bound(row.file);
        let bound_at = load.map(|load| solver.loads[load as usize].base);
        let is_bound_here = |target: &Target| match *target {
            Target::Function {
                receiver: Some(_),
                base,
                ..
            } => base.is_some() && (base == bound_at || !tells),
            _ => false,
        };
        let of_library = self.graph.library_values(call);
        let of_callee = match load.is_some() && row.targets.iter().all(is_bound_here) {
            true => Sought::default(),
            false => {
                let mut candidates = self.candidates(row.callee);
                candidates.extend(of_library.iter().map(|(_, object)| *object));
                self.origins_of(candidates, &[(row.callee, stack)], depth)?
            }
        };
        // A property is found by what it is asked of.
        let asked = row.targets.iter().find_map(|target| match *target {
            Target::Function {
                receiver: Some(_),
                base,
                ..
            } => base,
            _ => None,
        });
        let base = match load {
            Some(load) => {
                let base = solver.loads[load as usize].base;
                let is_package = |(_, object)| matches!(object, Object::Package(_));
                let is_told = by_receiver || solver.held(base).any(is_package) || self.has_members(load);
                Some(base).filter(|_| is_told)
            }
            None => asked.filter(|_| solver.contents(row.callee).is_empty()),
        };
        let mut of_base = match base {
            Some(base) => self.origins(base, stack, depth)?,
            None => Sought::default(),
        };
        for other in self.graph.origins.other_loads.get(&row.callee).into_iter().flatten() {
            let of_part = self.origins(solver.loads[*other as usize].base, stack, depth)?;
            of_base.is_other |= of_part.is_other;
            of_base.found.extend(of_part.found);
        }
        let members = load.map(|load| self.members_found(&of_base, load)).unwrap_or_default();
        let is_member = |object: Object| {
            let object = solver.objects.find(object);
            members.is_empty()
                || object.is_some_and(|object| members.iter().any(|place| solver.contents(*place).contains(&object)))
        };
        let of_closures = self.closures_bound(call, depth);
        let (mut kept, mut any) = (0u64, false);
        for (index, target) in row.targets.iter().enumerate() {
            let keeps = match *target {
                Target::Function {
                    function,
                    receiver: Some(receiver),
                    base: Some(base),
                } if Some(base) == fitting && solver.is_fitting(base, function) => {
                    let is_exact = matches!(solver.objects.get(receiver), Object::Instance(_));
                    !is_exact || of_fitting.found.contains(&receiver)
                }
                Target::Function {
                    function,
                    receiver: Some(receiver),
                    ..
                } => {
                    let is_found =
                        |object: ObjectId| of_base.found.contains(&object) || of_callee.found.contains(&object);
                    let comes = is_found(receiver)
                        || of_callee.functions.contains(&function)
                        || self.is_bound(&of_callee, function)
                        || match solver.objects.get(receiver) {
                            Object::Class(class) => of_base.found.iter().any(|object| {
                                matches!(solver.objects.get(*object), Object::Instance(own) | Object::AnyOf(own) if own == class)
                            }),
                            // A promoted method is that of a part; what comes is the whole.
                            Object::Instance(part) if !solver.untyped.contains(&row.file) => {
                                let found = of_base.found.iter().chain(&of_callee.found);
                                found.copied().any(|object| self.embeds(object, part))
                            }
                            Object::Instance(_) => false,
                            _ => true,
                        };
                    let sought = of_closures.as_ref();
                    comes && sought.is_none_or(|sought| !self.is_elsewhere(sought, function))
                }
                Target::Function { function, .. } if load.is_some() && self.is_of_packages(load, function) => {
                    let mut found = of_base.found.iter();
                    found.any(|object| self.is_of_package(load, *object, function))
                }
                Target::Function { function, .. } => {
                    of_callee.functions.contains(&function)
                        || self.is_bound(&of_callee, function)
                        || load.is_some() && solver.program.functions[function.at()].owner.is_some()
                }
                Target::Constructor { class, .. } | Target::Class(class) => {
                    let is_class = |object: &ObjectId| solver.objects.get(*object) == Object::Class(class);
                    of_callee.found.iter().any(is_class) && is_member(Object::Class(class))
                }
                Target::External(_) => match of_library.iter().find(|(own, _)| *own == index) {
                    Some((_, object)) => of_callee.found.contains(object),
                    None => {
                        kept |= 1 << index;
                        continue;
                    }
                },
                _ => {
                    kept |= 1 << index;
                    continue;
                }
            };
            if keeps {
                (kept, any) = (kept | 1 << index, true);
            }
        }
        let is_partial = |object: &ObjectId| matches!(solver.objects.get(*object), Object::Partial(_));
        // By anybody's doing something comes: nothing found means that it was not seen where.
        let is_known = stack != ANYWHERE || self.crossed.is_some();
        let is_other = is_known && solver.made_calls.is_optional(call) && (of_callee.is_other || of_base.is_other);
        (any || is_other || of_callee.found.iter().any(is_partial)).then_some(kept)
    }

    /// Which of the closures come to a call that decorators put in the place of methods; none where there are no others, or it is not
    /// known.
    fn closures_bound(&mut self, call: u32, depth: u8) -> Option<Sought> {
        let solver = self.graph.solver;
        let targets = &solver.calls[call as usize].targets;
        let closures: Candidates = targets
            .iter()
            .filter_map(|target| match *target {
                Target::Function {
                    function,
                    receiver: Some(_),
                    ..
                } if is_closure(solver.program, function) => solver.objects.find(Object::Function(function)),
                _ => None,
            })
            .collect();
        if closures.is_empty() || targets.len() < 2 {
            return None;
        }
        // What is read from an object is named there, whatever it is: it comes from the members.
        let load = *self.graph.origins.load_of.get(&solver.calls[call as usize].callee)?;
        let LoadRow { base, member, .. } = solver.loads[load as usize];
        let held = solver.contents(base).iter().copied();
        let mut places: Vec<(PlaceIndex, u32)> = Vec::new();
        for member in self.members_of(held, member) {
            let values = solver.class_values.get(&member).into_iter().flatten();
            places.extend(values.map(|value| (*value, ANYWHERE)));
            let stored = self.graph.into.of(member.at()).iter();
            places.extend(stored.filter_map(|edge| match self.graph.edges[*edge as usize].from {
                End::Place(from) => Some((from, ANYWHERE)),
                _ => None,
            }));
        }
        places.sort_unstable();
        places.dedup();
        let is_put = |closure: &ObjectId| places.iter().any(|(place, _)| solver.slots[place.at()].holds(*closure));
        if !closures.iter().all(is_put) {
            return None;
        }
        let sought = self.origins_of(closures, &places, depth)?;
        (!sought.functions.is_empty() || !sought.found.is_empty()).then_some(sought)
    }

    /// Whether a closure was sought and not found.
    fn is_elsewhere(&self, sought: &Sought, function: FunctionIndex) -> bool {
        let own = self.graph.solver.objects.find(Object::Function(function));
        own.is_some_and(|own| sought.candidates.contains(&own))
            && !sought.functions.contains(&function)
            && !self.is_bound(sought, function)
    }

    /// Whether an object is of a type that has the methods of this one by embedding it.
    fn embeds(&self, object: ObjectId, part: TypeIndex) -> bool {
        match self.graph.solver.objects.get(object) {
            Object::Instance(whole) | Object::AnyOf(whole) => {
                whole != part && self.graph.solver.program.types[whole.at()].order.contains(&part)
            }
            _ => false,
        }
    }

    /// What instances of each class have under the name that a load reads, where it reads of instances.
    fn members_of(&self, held: impl Iterator<Item = ObjectId>, member: Symbol) -> FxHashSet<PlaceIndex> {
        let classes = held.filter_map(|object| match self.graph.solver.objects.get(object) {
            Object::Instance(class) => Some(class),
            _ => None,
        });
        let members = classes.flat_map(|class| self.graph.solver.program.find_readable(class, member));
        members.collect()
    }

    /// Whether classes of what a load reads of have something else each.
    fn has_members(&self, load: u32) -> bool {
        let LoadRow { base, member, .. } = self.graph.solver.loads[load as usize];
        let held = self.graph.solver.contents(base);
        held.len() > 1 && self.members_of(held.iter().copied(), member).len() > 1
    }

    /// Of these, those of what was found; nothing where these are all.
    fn members_found(&self, of_base: &Sought, load: u32) -> FxHashSet<PlaceIndex> {
        let LoadRow { base, member, .. } = self.graph.solver.loads[load as usize];
        let all = self.members_of(self.graph.solver.contents(base).iter().copied(), member);
        let found = self.members_of(of_base.found.iter().copied(), member);
        if found.len() < all.len() {
            found
        } else {
            FxHashSet::default()
        }
    }

    /// Whether a function is a member of the packages alone that a load reads it from.
    fn is_of_packages(&self, load: Option<u32>, function: FunctionIndex) -> bool {
        let Some(load) = load else { return false };
        let mut held = self.graph.solver.held(self.graph.solver.loads[load as usize].base);
        let is_package = |(_, object)| matches!(object, Object::Package(_));
        held.all(is_package) && {
            let mut held = self.graph.solver.held(self.graph.solver.loads[load as usize].base);
            held.any(|(id, _)| self.is_of_package(Some(load), id, function))
        }
    }

    /// Whether a function is what a package has under the name that a load reads.
    fn is_of_package(&self, load: Option<u32>, object: ObjectId, function: FunctionIndex) -> bool {
        let (Some(load), Object::Package(package)) = (load, self.graph.solver.objects.get(object)) else {
            return false;
        };
        let member = self.graph.solver.loads[load as usize].member;
        let Some(Meaning::Places(places)) = self.graph.solver.program.known_package_member(package, member) else {
            return false;
        };
        let function = self.graph.solver.objects.find(Object::Function(function));
        let holds = |place: &PlaceIndex| {
            function.is_some_and(|function| self.graph.solver.contents(*place).contains(&function))
        };
        places.iter().any(holds)
    }

    fn is_bound(&self, sought: &Sought, function: FunctionIndex) -> bool {
        sought
            .found
            .iter()
            .any(|object| match self.graph.solver.objects.get(*object) {
                Object::Function(own) | Object::Bound { function: own, .. } => own == function,
                _ => false,
            })
    }
}
