//! Classes whose attributes say which keys a request has: serializers and forms.
//!
//! ```python
//! class SignupSerializer(serializers.Serializer):
//!     token = serializers.CharField()          # the key `token`
//!     def validate_token(self, value): ...     # and its value
//! ```
//!
//! A key of another name (`spend = fields.Float(data_key="monthlySpend")`) is under the attribute's own in what was read.
//!
//! Which classes of the library do that stands in the table of the library, as `declares = "keys"`.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End};
use crate::link::{PlaceIndex, Symbol, TypeIndex};
use crate::propagate::object::Object;

/// How the method is called that is given the value of a key.
const CHECKED_BY: &str = "validate_";

impl Collector<'_, '_> {
    pub(super) fn declared_keys(&mut self) {
        let types = (0..self.solver.program.types.len() as u32).map(TypeIndex);
        // The library may be in the index itself.
        let told: FxHashSet<TypeIndex> = types.clone().filter(|class| self.is_told(*class)).collect();
        let declaring: Vec<TypeIndex> = types.filter(|class| self.declares_keys(*class, &told)).collect();
        let named = self.named_otherwise(&declaring);
        for class in declaring {
            for (name, field) in self.keys_of(class) {
                match named.get(&field) {
                    Some(key) => {
                        self.declared_key(class, *key, field);
                        if let Some(site) = self.solver.program.site_of(field) {
                            let (from, to, rule) = (End::Place(field), End::Key(name), Rule::LibraryTable);
                            self.flow(from, to, How::Encode, rule, EdgeSite::from(site));
                        }
                    }
                    None => self.declared_key(class, name, field),
                }
            }
        }
    }

    /// The keys of attributes that have another name on the wire.
    fn named_otherwise(&self, classes: &[TypeIndex]) -> FxHashMap<PlaceIndex, Symbol> {
        let Some(keyword) = self
            .solver
            .program
            .symbols
            .find("data_key")
            .filter(|_| !classes.is_empty())
        else {
            return FxHashMap::default();
        };
        let mut given: FxHashMap<PlaceIndex, Symbol> = FxHashMap::default();
        for call in 0..self.solver.calls.len() as u32 {
            let mut arguments = self.solver.call_arguments(call).iter();
            let key = arguments.find(|argument| argument.name == Some(keyword));
            if let (Some(key), Some(result)) = (key.and_then(|key| key.text), self.solver.call_results(call).first()) {
                given.insert(*result, key);
                let variables = self.tables.assigned.get(result).into_iter().flatten();
                given.extend(variables.map(|variable| (*variable, key)));
            }
        }
        let fields = classes.iter().flat_map(|class| self.keys_of(*class));
        let named = fields.filter_map(|(_, field)| {
            let values = self.solver.class_values.get(&field)?;
            Some((field, *values.iter().find_map(|value| given.get(value))?))
        });
        named.collect()
    }

    fn declared_key(&mut self, class: TypeIndex, key: Symbol, field: PlaceIndex) {
        self.flows.field_keys.push((field, key));
        let Some(site) = self.solver.program.site_of(field) else {
            return;
        };
        let site = EdgeSite::from(site);
        self.flow(End::Key(key), End::Place(field), How::Decode, Rule::LibraryTable, site);
        let checker = format!("{CHECKED_BY}{}", self.solver.program.symbols.text(key));
        let checker = self.solver.program.symbols.find(&checker);
        let checker = checker.and_then(|name| self.solver.program.find_member(class, name));
        for (_, object) in checker
            .into_iter()
            .flat_map(|place| self.solver.held(place))
            .collect::<Vec<_>>()
        {
            let Object::Function(function) = object else { continue };
            let file = self.solver.program.functions[function.at()].file;
            let value = self.solver.program.function_facts(function).parameters.get(1).copied();
            if let Some(value) = value {
                let value = self.solver.program.place(file, value.place);
                self.flow(End::Key(key), End::Place(value), How::Decode, Rule::LibraryTable, site);
            }
            self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::LibraryTable, site);
        }
    }

    /// Whether the table says of a class of the index that attributes of those below it are keys.
    fn is_told(&self, class: TypeIndex) -> bool {
        self.says_of_keys(class, &self.solver.program.type_name(class))
    }

    fn says_of_keys(&self, class: TypeIndex, name: &str) -> bool {
        let library = self.solver.libraries.get(&self.solver.program.type_language(class));
        library.is_some_and(|library| library.get(name).is_some_and(|entry| entry.declares_keys))
    }

    /// Whether a class stands on one of the library whose attributes are keys.
    fn declares_keys(&self, class: TypeIndex, told: &FxHashSet<TypeIndex>) -> bool {
        let mut above = self.solver.program.types[class.at()].order.iter().skip(1);
        let mut outside = self.solver.external_bases(class);
        above.any(|base| told.contains(base)) || outside.any(|name| self.says_of_keys(class, name))
    }

    /// The attributes of a class that hold objects of the library, or of classes below some of it.
    fn keys_of(&self, class: TypeIndex) -> Vec<(Symbol, PlaceIndex)> {
        let program = &self.solver.program;
        let file = program.types[class.at()].file;
        let fields = program.type_facts(class).fields.iter();
        let fields = fields.filter_map(|field| {
            let name = program.symbol(file, field.name);
            let place = *program.types[class.at()].members.get(&name)?;
            let is_made = self.solver.held(place).any(|(_, object)| match object {
                Object::External(_) | Object::AnyExternal(_) => true,
                Object::Instance(of) => self.solver.has(of, "to_python") || self.solver.has(of, "to_internal_value"),
                _ => false,
            });
            is_made.then_some((name, place))
        });
        fields.collect()
    }
}
