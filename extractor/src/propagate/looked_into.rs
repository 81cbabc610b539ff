//! What lies in the containers that library code is given: `print(rows)` shows what is in each row.
//!
//! ```python
//! rows = []
//! add(rows, mail)
//! send(rows)              # `rows`, what lies in it, and what lies in that
//! ```
//!
//! Looking into an argument is a read of all its parts, so that it is told by call and by time as any other read is. Where library code
//! puts an argument somewhere instead, what lies in it lies there. Library code that makes a text of its argument makes one of all objects in
//! it, as well: of those that show their fields ([`super::texts`]), each of these is read.

use super::library::{Carries, Effect, EndPart, Subject};
use super::object::{Object, ObjectId};
use super::records::holds;
use super::solve::{ElementRow, LoadRow, RowBase, RowKey, Solver, Target};
use super::texts::text_methods;
use crate::facts::ContainerKind;
use crate::link::{DerivedPlace, FileIndex, PlaceIndex, Symbol};
use ripple_schema::How;

/// Most steps into containers that lie in each other.
const DEPTH_LIMIT: u8 = 3;

/// Most fields of the objects in one place that are looked at.
const FIELD_LIMIT: usize = 32;

/// Most containers, and classes, in one place for what lies in them to be looked into.
const CROWD_LIMIT: usize = 8;

impl Solver<'_> {
    /// Lays out the reads, a step deeper with each call. Whether there were any.
    pub(super) fn look_into(&mut self, depth: u8) -> bool {
        if depth >= DEPTH_LIMIT {
            return false;
        }
        let asked: Vec<(u32, PlaceIndex)> = match depth {
            0 => self.given_to_libraries(),
            _ => std::mem::take(&mut self.looked_last),
        };
        for (call, place) in asked {
            let containers = self
                .contents(place)
                .iter()
                .filter(|object| self.is_container(**object))
                .count();
            let shown = self.fields_looked_at(call, place, depth);
            if containers == 0 && shown.is_empty() || depth > 0 && containers > CROWD_LIMIT {
                continue;
            }
            let at = self.calls[call as usize].at();
            let inside = self.derive_place(DerivedPlace::Passing(at.function));
            if containers > 0 {
                self.push_element_load(ElementRow::made((place, RowKey::Any, inside), RowBase::Argument, at));
            }
            if self.held(place).any(|(_, object)| has_keys(object)) {
                self.push_element_load(ElementRow::made((place, RowKey::Keys, inside), RowBase::Argument, at));
            }
            for name in shown {
                self.push_load(LoadRow::implicit(place, name, inside, at));
            }
            self.looked_into.insert((call, place), inside);
            self.looked_last.push((call, inside));
        }
        !self.looked_last.is_empty()
    }

    /// The fields that a text shows of the objects in a place. Of an argument itself, those in which there may be more to see: the others are told as
    /// its text.
    fn fields_looked_at(&self, call: u32, place: PlaceIndex, depth: u8) -> Vec<Symbol> {
        let is_object = |(_, object)| match object {
            Object::Instance(class) => Some(class),
            _ => None,
        };
        let mut classes = self.held(place).filter_map(is_object).peekable();
        if classes.peek().is_none() {
            return Vec::new();
        }
        let Some(methods) = self.text_methods_of(call) else {
            return Vec::new();
        };
        let fields = classes
            .take(CROWD_LIMIT)
            .flat_map(|class| self.fields_shown(class, methods));
        let has_more = |field: &PlaceIndex| {
            let mut held = self.held(*field);
            held.any(|(_, object)| matches!(object, Object::Container { .. } | Object::Instance(_)))
        };
        let fields = fields.filter(|(_, field)| depth > 0 || has_more(field));
        let mut names: Vec<Symbol> = fields.map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        match names.len() > FIELD_LIMIT {
            true => Vec::new(),
            false => names,
        }
    }

    /// The methods that library code asks what it is given for a text by.
    fn text_methods_of(&self, call: u32) -> Option<&'static [&'static str]> {
        let row = &self.calls[call as usize];
        let entries = row.targets.iter().filter_map(|target| match target {
            Target::External(name) => self.table_entry(row.file, *name),
            _ => None,
        });
        entries.flat_map(|entry| &entry.flows).find_map(|effect| match effect {
            Effect::Call { method, .. } => text_methods(method.as_deref()?),
            _ => None,
        })
    }

    /// An argument of a call of library code, and what was found to lie in it.
    pub(super) fn with_inside(&self, call: u32, place: PlaceIndex) -> Vec<PlaceIndex> {
        let step = |place: &PlaceIndex| self.looked_into.get(&(call, *place)).copied();
        std::iter::successors(Some(place), step).collect()
    }

    /// Arguments that library code looks into, with the call.
    fn given_to_libraries(&self) -> Vec<(u32, PlaceIndex)> {
        let mut given = Vec::new();
        for (index, row) in self.calls.iter().enumerate() {
            let call = index as u32;
            let language = self.program.files[row.file.at()].language;
            let library = self.libraries.get(&language);
            // What nobody knows may look into all.
            let is_unknown = row.targets.is_empty();
            let (mut looks, mut into_receiver) = (is_unknown, is_unknown);
            for target in &row.targets {
                let Target::External(name) = target else { continue };
                let name = self.program.symbols.text(*name);
                let Some(entry) = library.and_then(|library| library.get(name)) else {
                    (looks, into_receiver) = (true, true);
                    continue;
                };
                // What the language's own functions do with parts is told by other rows.
                let tells = entry.flows.iter().any(|effect| !matches!(effect, Effect::Call { .. }));
                let is_silent = !tells && !crate::builtins::is_builtin(language, name);
                looks |= is_silent || entry.flows.iter().any(takes_whole);
                // Whose containers go on as they are has nothing else taken out of it.
                let is_handed_on = entry.flows.iter().any(hands_containers_on);
                into_receiver |= !is_handed_on && entry.flows.iter().any(takes_receiver);
            }
            let is_operator = row.how == How::Implicit;
            let is_told = is_operator && !gives_operands(self.program.symbols.text(row.text));
            if row.silent || !looks || is_told || is_operator && self.call_results(call).is_empty() {
                continue;
            }
            let arguments = self.call_arguments(call).iter().filter_map(|argument| argument.place);
            let places = arguments.chain(row.receiver.filter(|_| into_receiver));
            given.extend(
                places
                    .filter(|place| !self.is_made_with_a_tuple(row.file, *place))
                    .map(|place| (call, place)),
            );
        }
        given.sort_unstable();
        given.dedup();
        given
    }

    pub(super) fn is_container(&self, object: ObjectId) -> bool {
        matches!(self.objects.get(object), Object::Container { .. })
    }

    /// Whether a place holds a value of a library type that keeps what it was made with in a tuple: what an exception was made with has
    /// gone into it as a whole, by the call that made it.
    fn is_made_with_a_tuple(&self, file: FileIndex, place: PlaceIndex) -> bool {
        self.held(place).any(|(_, object)| match object {
            Object::External(name) => self.table_entry(file, name).and_then(holds) == Some(ContainerKind::Tuple),
            _ => false,
        })
    }
}

/// Whether something shows the keys that its parts stand under.
pub(super) fn has_keys(object: Object) -> bool {
    matches!(object, Object::Container { kind, .. } if kind.has_names())
}

/// Whether an operator of built-in values gives what they are made of, changed.
pub(super) fn gives_operands(method: &str) -> bool {
    let enters = matches!(
        method,
        "__exit__" | "__aexit__" | "__setitem__" | "__getitem__" | "__iter__" | "__next__" | "__getattr__" | "__get__"
    );
    !enters && !is_answered_by_a_test(method) && !is_second_choice(method)
}

/// Whether something is made of an argument as a whole.
fn takes_whole(effect: &Effect) -> bool {
    match effect {
        Effect::Move { from, to, carries } => {
            let stays = from.part == EndPart::Whole && to.part == EndPart::Whole;
            stays && *carries != Carries::Test
        }
        Effect::Encode { .. } => true,
        _ => false,
    }
}

fn takes_receiver(effect: &Effect) -> bool {
    let (Effect::Move { from, .. } | Effect::Encode { from, .. }) = effect else {
        return false;
    };
    from.subject == Subject::Receiver && takes_whole(effect)
}

fn hands_containers_on(effect: &Effect) -> bool {
    matches!(effect, Effect::Move { from, carries: Carries::Containers, .. } if from.subject == Subject::Receiver)
}

fn is_answered_by_a_test(method: &str) -> bool {
    matches!(
        method,
        "__eq__" | "__ne__" | "__lt__" | "__le__" | "__gt__" | "__ge__" | "__contains__" | "__bool__"
    )
}

/// `__radd__` and `__iadd__`: what `__add__` gives says it already.
pub(super) fn is_second_choice(method: &str) -> bool {
    let Some(operation) = method.strip_prefix("__r").or_else(|| method.strip_prefix("__i")) else {
        return false;
    };
    matches!(
        operation.trim_end_matches('_'),
        "add"
            | "sub"
            | "mul"
            | "truediv"
            | "floordiv"
            | "mod"
            | "pow"
            | "matmul"
            | "and"
            | "or"
            | "xor"
            | "lshift"
            | "rshift"
    )
}
