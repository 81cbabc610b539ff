//! Assertions of types and switches over them: what goes on is of the type that is named.
//!
//! ```go
//! switch value := shape.(type) {
//! case Circle, Square:        // what is one of these
//! case fmt.Stringer:          // what has the methods
//! default:                    // what is none of them
//! }
//! ```
//!
//! A type that is no interface says all by itself, so what is asserted is of that type, whatever arrives. Of an interface the
//! same is supposed when everything else has settled and nothing has passed.

use super::object::{Object, ObjectId};
use super::solve::{Constraint, Solver};
use crate::facts::{FileFacts, TypeExpression, TypeExpressionId};
use crate::link::{FileIndex, PlaceIndex};

/// A [`crate::facts::Assertion`] in the program's numbers.
#[derive(Debug, Clone)]
pub(super) struct AssertionRow {
    pub to: PlaceIndex,
    types: Vec<ObjectId>,
    /// One of the types says nothing of what has it.
    anything: bool,
    /// One of the types is of a module that is not here, and may be an interface.
    foreign: bool,
    /// One of the types is a pointer to what is no structure.
    pointers: bool,
    holds: bool,
    /// What surely is of one of these does not come here.
    except: Vec<ObjectId>,
    /// What is tested, where it goes on under its own type.
    itself: Option<PlaceIndex>,
}

impl Solver<'_> {
    pub(super) fn lay_out_assertions(&mut self, file: FileIndex, facts: &FileFacts) {
        for assertion in &facts.assertions {
            let (from, to) = (
                self.program.place(file, assertion.from),
                self.program.place(file, assertion.to),
            );
            let mut types = Vec::new();
            let (mut anything, mut pointers, mut foreign) = (false, false, false);
            for asked in &assertion.types {
                let objects = self.type_objects(file, *asked);
                anything |= objects.is_empty() && self.is_open_type(file, *asked);
                let is_pointer = matches!(self.program.type_expression(file, *asked), TypeExpression::Pointer(_));
                pointers |= objects.is_empty() && is_pointer;
                foreign |= !is_pointer
                    && objects.iter().any(|object| match self.objects.get(*object) {
                        Object::External(name) => self.is_of_other_module(name),
                        _ => false,
                    });
                types.extend(objects);
            }
            if let (true, [_]) = (assertion.holds, assertion.types.as_slice()) {
                for object in types.clone() {
                    if !matches!(self.objects.get(object), Object::AnyOf(_) | Object::AnyExternal(_)) {
                        self.add(to, object);
                    }
                }
            }
            let except = assertion.except.iter();
            let except = except.flat_map(|asked| self.type_objects(file, *asked)).collect();
            self.assertions.push(AssertionRow {
                to,
                types,
                anything,
                foreign,
                pointers,
                holds: assertion.holds,
                except,
                itself: assertion.is_itself.then_some(from),
            });
            self.attach(from, Constraint::Assert(self.assertions.len() as u32 - 1));
        }
    }

    /// An interface without methods, or a type parameter.
    fn is_open_type(&self, file: FileIndex, id: TypeExpressionId) -> bool {
        match self.program.type_expression(file, id) {
            TypeExpression::Unknown => true,
            TypeExpression::Path { parts, .. } => match parts.as_slice() {
                [name] => {
                    let name = self.program.symbol(file, *name);
                    let text = self.program.symbols.text(name);
                    text == "any" || !crate::builtins::is_builtin(self.program.files[file.at()].language, text)
                }
                _ => false,
            },
            _ => false,
        }
    }

    pub(super) fn assert(&mut self, assertion: u32, object: ObjectId) {
        let row = self.assertions[assertion as usize].clone();
        if row.except.iter().any(|asked| self.is_surely_of(object, *asked)) {
            return;
        }
        let is_one = match row.holds {
            // What is only known to have one interface may have another, and still is what it was.
            true if row.itself.is_some() && self.is_any(object) => row.types.iter().any(|asked| self.is_any(*asked)),
            true if row.pointers && matches!(self.objects.get(object), Object::Address(_)) => true,
            // What is asserted to have methods that nobody sees may have them.
            true if row.foreign && matches!(self.objects.get(object), Object::Instance(_)) => true,
            true => row.anything || row.types.iter().any(|asked| self.is_of(object, *asked)),
            false => row
                .types
                .iter()
                .any(|asked| !self.is_open(object) && self.is_of(object, *asked)),
        };
        if is_one == row.holds {
            self.add(row.to, object);
        }
    }

    /// What is asserted to have an interface and has not arrived may be anything that has it.
    pub(super) fn assert_unknown(&mut self) {
        for index in 0..self.assertions.len() {
            let row = self.assertions[index].clone();
            if !self.contents(row.to).is_empty() {
                continue;
            }
            match row.itself {
                // More may come to be tested than was seen.
                Some(from) => {
                    for object in self.contents(from).to_vec() {
                        self.add(row.to, object);
                    }
                }
                None if row.holds => {
                    for object in row.types {
                        self.add(row.to, object);
                    }
                }
                None => {}
            }
        }
    }

    /// Whether no more is known of an object than an interface, or than a library's type.
    fn is_any(&self, object: ObjectId) -> bool {
        matches!(self.objects.get(object), Object::AnyOf(_)) || self.is_open(object)
    }

    /// Whether more may be in an object than its type says.
    fn is_open(&self, object: ObjectId) -> bool {
        matches!(self.objects.get(object), Object::External(_) | Object::AnyExternal(_))
    }

    /// Whether what is there is of the type that is asked for, whatever it may be.
    fn is_surely_of(&mut self, object: ObjectId, asked: ObjectId) -> bool {
        let is_type = matches!(self.objects.get(object), Object::Instance(_) | Object::AnyOf(_));
        is_type && self.is_of(object, asked)
    }

    /// Whether what is there is of the type that is asked for.
    fn is_of(&mut self, object: ObjectId, asked: ObjectId) -> bool {
        if object == asked {
            return true;
        }
        match (self.objects.get(object), self.objects.get(asked)) {
            (held @ Object::Instance(_), Object::AnyOf(interface)) => self.is_narrower(held, interface),
            (held @ Object::AnyOf(_), Object::AnyOf(interface)) => self.is_narrower(held, interface),
            (Object::Instance(index), Object::AnyExternal(interface)) => {
                self.implementers_outside(interface).contains(&index)
            }
            (Object::External(_), Object::AnyExternal(_)) => true,
            (
                Object::Container { kind, .. } | Object::Typed { kind, .. },
                Object::Container { kind: asked, .. } | Object::Typed { kind: asked, .. },
            ) => kind == asked,
            (
                Object::Function(_) | Object::Bound { .. } | Object::Callable(_) | Object::External(_),
                Object::Callable(_),
            ) => true,
            // A function or container under the name of its type.
            (held, Object::Instance(named)) if !matches!(held, Object::Instance(_)) => {
                let under = self.underlying_objects(named);
                under.into_iter().any(|under| self.is_of(object, under))
            }
            _ => false,
        }
    }
}
