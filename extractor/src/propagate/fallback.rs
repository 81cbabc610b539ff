//! What is taken to hold where nothing better was found: of decorators, and of what `with` enters.

use ripple_schema::How;
use rustc_hash::FxHashSet;

use super::object::{Object, ObjectId};
use super::solve::{CallRow, ElementRow, RowBase, RowKey, Solver, Target};
use crate::facts::ContainerKind;
use crate::link::{FunctionIndex, PlaceIndex};

/// What `with` enters.
#[derive(Debug, Default)]
pub(super) struct Entered {
    /// Where generators are: what they give is changed while they wait.
    pub(super) generators: FxHashSet<PlaceIndex>,
    /// What gives itself: in which function, where it is, and where it is inside.
    pub(super) themselves: Vec<(FunctionIndex, PlaceIndex, PlaceIndex)>,
    /// The same, by the call that enters them: what comes to them later may be a generator.
    late: Vec<(u32, PlaceIndex, PlaceIndex)>,
}

impl Solver<'_> {
    /// A decorator of classes gives back the class that it was given, or one of its own, never one given elsewhere.
    pub(super) fn is_of_another_class(&mut self, place: PlaceIndex, object: ObjectId) -> bool {
        let Some(own) = self.class_decorations.get(&place) else {
            return false;
        };
        match self.objects.get(object) {
            Object::Class(class) => object != *own && self.program.type_facts(class).function.0 == 0,
            // What is made of another decorated class is no decorator's doing either.
            Object::Instance(class) | Object::AnyOf(class) => self.decorated_classes.contains(&class),
            // A decorator that gives back the class gives a function where it is called with options instead.
            Object::Function(_) | Object::Partial(_) => match &mut self.withheld {
                Some(withheld) => {
                    withheld.push((place, object));
                    true
                }
                None => self.slots[place.at()].holds(*own),
            },
            _ => false,
        }
    }

    /// Decorators of classes that give no class give a function in its place.
    pub(super) fn release_withheld(&mut self) {
        for (place, object) in self.withheld.take().unwrap_or_default() {
            self.add(place, object);
        }
    }

    /// What holds for calls that found nothing by themselves.
    pub(super) fn fall_back(&mut self, round: u32) {
        if round == 1 {
            self.narrow_unknown();
            self.assert_unknown();
            self.assume_given();
        }
        if round > 0 {
            return self.enter_late();
        }
        self.release_withheld();
        self.make_unknown();
        for call in 0..self.calls.len() as u32 {
            let row: &CallRow = &self.calls[call as usize];
            let (how, receiver) = (row.how, row.receiver);
            if row.targets.is_empty() && how == How::Method && receiver.is_some() {
                self.ask_for_rows(call);
            }
            let row: &CallRow = &self.calls[call as usize];
            let resolved = row.targets.iter().any(|target| !matches!(target, Target::External(_)));
            let Some(result) = self.call_results(call).first().copied() else {
                continue;
            };
            match how {
                // A decorator that nobody here knows is taken to give back what it is given, wrapped.
                How::Decorator if !resolved => {
                    if let Some(given) = self.call_arguments(call).first().and_then(|argument| argument.place) {
                        self.copy(given, result);
                    }
                }
                How::Implicit if !resolved => {
                    let entering = matches!(
                        self.program.symbols.text(row.text),
                        "__enter__" | "__aenter__" | "__fixture__"
                    );
                    if let (Some(receiver), true) = (receiver, entering) {
                        self.enter_context(call, receiver, result);
                    }
                }
                _ => {}
            }
        }
    }

    /// `with x as y` where `x` has no `__enter__` in the index: `y` is `x`, or what the generator behind `x` yields.
    fn enter_context(&mut self, call: u32, receiver: PlaceIndex, result: PlaceIndex) {
        if !self.held(receiver).any(is_generator) {
            let function = self.calls[call as usize].function;
            self.entered.themselves.push((function, receiver, result));
            self.entered.late.push((call, receiver, result));
            return self.copy(receiver, result);
        }
        self.enter_generator(call, receiver, result);
    }

    /// `with self.opened() as page` where `self` was only declared: what is entered was not known before.
    fn enter_late(&mut self) {
        let late = std::mem::take(&mut self.entered.late);
        for (call, receiver, result) in late {
            if self.held(receiver).any(is_generator) {
                let ends = (receiver, result);
                self.entered.themselves.retain(|(_, from, to)| (*from, *to) != ends);
                self.enter_generator(call, receiver, result);
            } else {
                self.entered.late.push((call, receiver, result));
            }
        }
    }

    fn enter_generator(&mut self, call: u32, receiver: PlaceIndex, result: PlaceIndex) {
        self.entered.generators.insert(receiver);
        let at = self.calls[call as usize].at();
        self.push_element_load(ElementRow::made((receiver, RowKey::First, result), RowBase::Plain, at));
    }
}

fn is_generator((_, object): (ObjectId, Object)) -> bool {
    matches!(
        object,
        Object::Container {
            kind: ContainerKind::Generator,
            ..
        }
    )
}
