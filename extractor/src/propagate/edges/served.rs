//! Functions that a web framework calls with what a request brings, and whose result it sends back.
//!
//! ```python
//! @app.post("/register")
//! def register(user: UserCreate, token: str = Body(...)) -> Receipt: ...
//! # `UserCreate.email` is filled from the key `email`, `token` is the key `token`, and `Receipt.number` goes out as `number`
//! ```

use ripple_schema::{EdgeKind, How, Rule};

use super::{Collector, EdgeSite, End};
use crate::facts::FunctionKind;
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::object::Object;

/// What says of a parameter, as its default, that it comes with the request.
const BROUGHT: &[&str] = &["Body", "Cookie", "File", "Form", "Header", "Path", "Query"];

/// What a parameter is to a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brought {
    /// Its fields are keys.
    Fields,
    /// It is a key itself.
    Key,
    /// The framework gives something of its own.
    Nothing,
}

impl Collector<'_, '_> {
    /// What a place holds serves requests, and answers them or not.
    pub(super) fn serves(&mut self, place: PlaceIndex, answers: bool, site: EdgeSite) {
        let held = self.solver.held(place).map(|(_, object)| object);
        let functions: Vec<FunctionIndex> = held.filter_map(|object| self.function_of(object)).collect();
        for function in functions {
            let file = self.solver.program.functions[function.at()].file;
            let facts = self.solver.program.function_facts(function);
            let parameters: Vec<_> = facts
                .parameters
                .iter()
                .map(|row| (row.place, row.wire_name.unwrap_or(row.name)))
                .collect();
            let results: Vec<_> = facts.results.clone();
            // What something else of the program gives has no name in a request.
            for (parameter, name) in parameters.into_iter().filter(|(_, name)| name.0 != 0) {
                let parameter = self.solver.program.place(file, parameter);
                match self.brought(parameter) {
                    Brought::Fields => {
                        for (member, key) in self.wire_fields(parameter) {
                            self.read_by_key(function, (key, member), Rule::LibraryTable, site);
                        }
                    }
                    Brought::Key => {
                        let key = self.solver.program.symbol(file, name);
                        self.flow(
                            End::Key(key),
                            End::Place(parameter),
                            How::Decode,
                            Rule::LibraryTable,
                            site,
                        );
                        self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::LibraryTable, site);
                    }
                    Brought::Nothing => {}
                }
            }
            for result in results.into_iter().filter(|_| answers) {
                let result = self.solver.program.place(file, result);
                for (member, key) in self.wire_fields(result) {
                    self.written_by_key(function, (member, key), Rule::LibraryTable, site);
                }
            }
        }
    }

    /// Functions of the index that library code is given of which nothing is told, and that take objects with names on a wire: `lambda.Start(handle)`,
    /// `@broker.subscriber("orders")`. The objects come from outside.
    pub(super) fn fill_handlers(&mut self, call: u32) {
        let row = &self.solver.calls[call as usize];
        if self.solver.program.function_facts(row.function).test {
            return;
        }
        let site = self.call_site(call);
        let given = self
            .solver
            .call_arguments(call)
            .iter()
            .filter_map(|argument| argument.place);
        let functions: Vec<FunctionIndex> = given
            .flat_map(|place| self.solver.held(place))
            .filter_map(|(_, object)| match object {
                Object::Function(function) | Object::Bound { function, .. } => Some(function),
                _ => None,
            })
            .filter(|function| self.solver.program.function_facts(*function).kind != FunctionKind::Closure)
            .collect();
        for function in functions {
            let file = self.solver.program.functions[function.at()].file;
            let facts = self.solver.program.function_facts(function);
            // A method has its receiver already.
            let places = facts.parameters.iter().map(|parameter| parameter.place);
            let places = places.filter(|place| facts.receiver != Some(*place));
            let parameters: Vec<PlaceIndex> = places.map(|place| self.solver.program.place(file, place)).collect();
            for parameter in parameters {
                if !self.is_named_on_wire(parameter) || self.is_given_beside(call, parameter) {
                    continue;
                }
                for (member, key) in self.wire_fields(parameter) {
                    self.read_by_key(function, (key, member), Rule::UnknownLibrary, site);
                }
            }
        }
    }

    /// Whether a call that hands over a function hands over what goes into a parameter of it as well: `pool.submit(store, order)`.
    fn is_given_beside(&self, call: u32, parameter: PlaceIndex) -> bool {
        let solver = self.solver;
        let class_of = |object| match object {
            Object::Instance(class) | Object::AnyOf(class) => Some(class),
            _ => None,
        };
        let wanted: Vec<_> = solver
            .held(parameter)
            .filter_map(|(_, object)| class_of(object))
            .collect();
        let given = solver.call_arguments(call).iter().filter_map(|argument| argument.place);
        let mut given = given
            .flat_map(|place| solver.held(place))
            .filter_map(|(_, object)| class_of(object));
        given.any(|class| wanted.contains(&class))
    }

    /// Whether all that is in a place are objects that say how they are called on a wire.
    fn is_named_on_wire(&self, place: PlaceIndex) -> bool {
        let solver = self.solver;
        let mut held = solver.held(place).peekable();
        let is_named = |(_, object)| match object {
            Object::Instance(class) | Object::AnyOf(class) => {
                let mut fields = solver.program.own_fields(class).into_iter();
                solver.is_read_model(class) || fields.any(|field| self.keys_of_field(field).is_some())
            }
            _ => false,
        };
        held.peek().is_some() && held.all(is_named)
    }

    /// The function that a request runs: of a class, what makes its objects.
    fn function_of(&self, object: Object) -> Option<FunctionIndex> {
        match object {
            Object::Function(function) | Object::Bound { function, .. } => Some(function),
            Object::Class(class) => {
                let program = &self.solver.program;
                let name = program.symbols.find("__init__")?;
                let constructor = program.find_member(class, name)?;
                self.solver.held(constructor).find_map(|(_, object)| match object {
                    Object::Function(function) => Some(function),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    fn brought(&self, parameter: PlaceIndex) -> Brought {
        let mut brought = Brought::Key;
        let file = self.solver.program.local_place(parameter).map(|(file, _)| file);
        let Some(file) = file else { return Brought::Nothing };
        let language = self.solver.program.files[file.at()].language;
        for (_, object) in self.solver.held(parameter) {
            match object {
                Object::Instance(class) | Object::AnyOf(class) if self.solver.is_model(class) => {
                    return Brought::Fields;
                }
                Object::External(name) | Object::AnyExternal(name) => {
                    let text = self.solver.program.symbols.text(name);
                    let last = text.trim_end_matches("()").rsplit('.').next().unwrap_or(text);
                    if BROUGHT.contains(&last) {
                        return Brought::Key;
                    }
                    if !crate::builtins::is_builtin(language, text) {
                        brought = Brought::Nothing;
                    }
                }
                Object::Instance(_) | Object::AnyOf(_) | Object::Function(_) | Object::Class(_) => {
                    brought = Brought::Nothing;
                }
                _ => {}
            }
        }
        brought
    }
}
