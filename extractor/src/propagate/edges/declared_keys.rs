//! Classes whose attributes say which keys a request has: serializers and forms.
//!
//! ```python
//! class SignupSerializer(serializers.Serializer):
//!     token = serializers.CharField()          # the key `token`
//!     def validate_token(self, value): ...     # and its value
//! ```
//!
//! A key of another name (`spend = fields.Float(data_key="monthlySpend")`) is under the attribute's own in what was read; what goes to an attribute of
//! another name (`level = CharField(source="triage")`) is under that. Names that the configuration lists are those of the model's fields:
//!
//! ```python
//! class VisitSerializer(serializers.ModelSerializer):
//!     class Meta:
//!         model = Visit
//!         fields = ["triage"]              # the key `triage` is `Visit.triage`
//! ```
//!
//! Where objects of such a class write another object ([`super::super::rendered`]), the attribute goes to the key as well.
//!
//! Which classes of the library do that stands in the table of the library, as `declares = "keys"`.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End};
use crate::facts::TypeId;
use crate::link::{PlaceIndex, Symbol, TypeIndex};
use crate::propagate::object::Object;

/// How the method is called that is given the value of a key.
const CHECKED_BY: &str = "validate_";

/// What the class is called in which the configuration of another is.
const CONFIGURATION: &str = "Meta";

impl Collector<'_, '_> {
    pub(super) fn declared_keys(&mut self) {
        let types = (0..self.solver.program.types.len() as u32).map(TypeIndex);
        // The library may be in the index itself.
        let told: FxHashSet<TypeIndex> = types.clone().filter(|class| self.is_told(*class)).collect();
        let declaring: Vec<TypeIndex> = types.filter(|class| self.declares_keys(*class, &told)).collect();
        let named = self.named_otherwise(&declaring, "data_key");
        let mut kept = self.named_otherwise(&declaring, "source");
        // What lies deeper, or is all of it, is no field.
        kept.retain(|_, source| !self.solver.program.symbols.text(*source).contains(['.', '*']));
        for class in declaring {
            let configuration = self.configuration_of(class);
            let model = configuration.and_then(|configuration| self.model_of(configuration));
            let keys = self.keys_of(class);
            if let Some((model, configuration)) = model.zip(configuration) {
                for (key, field) in self.keys_listed(&keys, model, configuration) {
                    self.flows.field_keys.push((field, key));
                    self.joined(key, field, Rule::LibraryTable);
                }
            }
            for (name, field) in keys {
                let (on_wire, source) = (named.get(&field), kept.get(&field));
                self.declared_key(class, *on_wire.unwrap_or(&name), field);
                if let Some(site) = self.solver.program.site_of(field) {
                    if self.solver.rendered.fields.contains(&field) {
                        let (from, to) = (End::Place(field), End::Key(*on_wire.unwrap_or(&name)));
                        self.flow(from, to, How::Encode, Rule::LibraryTable, EdgeSite::from(site));
                    }
                    for inside in on_wire.map(|_| &name).into_iter().chain(source) {
                        let (from, to, rule) = (End::Place(field), End::Key(*inside), Rule::LibraryTable);
                        self.flow(from, to, How::Encode, rule, EdgeSite::from(site));
                    }
                }
                let of_model = model.and_then(|model| self.solver.declared_key(model, *source.unwrap_or(&name)));
                of_model
                    .into_iter()
                    .for_each(|of_model| self.joined(name, of_model, Rule::LibraryTable));
            }
        }
    }

    /// The keys of attributes that have another name on the wire.
    fn named_otherwise(&self, classes: &[TypeIndex], keyword: &str) -> FxHashMap<PlaceIndex, Symbol> {
        let Some(keyword) = self
            .solver
            .program
            .symbols
            .find(keyword)
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

    /// What is read under a key is written to a field, and the other way round.
    pub(super) fn joined(&mut self, key: Symbol, field: PlaceIndex, rule: Rule) {
        if let Some(site) = self.solver.program.site_of(field) {
            let (key, field, site) = (End::Key(key), End::Place(field), EdgeSite::from(site));
            self.flow(key, field, How::Decode, rule, site);
            self.flow(field, key, How::Encode, rule, site);
        }
    }

    /// The class in which the configuration of another is.
    fn configuration_of(&self, class: TypeIndex) -> Option<TypeIndex> {
        let program = &self.solver.program;
        let row = &program.types[class.at()];
        let types = program.files[row.file.at()].facts.types.iter().enumerate();
        let mut inside = types.filter(|(_, inner)| inner.outer == Some(row.local));
        let is_it = |name| program.files[row.file.at()].facts.text(name) == CONFIGURATION;
        let (local, _) = inside.find(|(_, inner)| is_it(inner.name))?;
        Some(program.type_index(row.file, TypeId(local as u32)))
    }

    /// The model that a configuration names.
    fn model_of(&self, configuration: TypeIndex) -> Option<TypeIndex> {
        let name = self.solver.program.symbols.find("model")?;
        let place = self.solver.program.find_member(configuration, name)?;
        self.solver.held(place).find_map(|(_, object)| match object {
            Object::Class(model) => Some(model),
            _ => None,
        })
    }

    /// The fields of the model that the configuration lists by their names, or all of them.
    fn keys_listed(
        &self,
        own: &[(Symbol, PlaceIndex)],
        model: TypeIndex,
        configuration: TypeIndex,
    ) -> Vec<(Symbol, PlaceIndex)> {
        let program = &self.solver.program;
        let file = program.types[configuration.at()].file;
        let listed = &program.type_facts(configuration).listed;
        let own: FxHashSet<Symbol> = own.iter().map(|(name, _)| *name).collect();
        let is_all = matches!(listed.as_slice(), [all] if program.files[file.at()].facts.text(*all) == "__all__");
        let is_free = |(name, _): &(Symbol, PlaceIndex)| !own.contains(name);
        if is_all {
            return self.solver.fields_of_model(model).into_iter().filter(is_free).collect();
        }
        let names = listed.iter().map(|name| program.symbol(file, *name));
        names
            .filter_map(|name| Some((name, self.solver.declared_key(model, name)?)))
            .filter(is_free)
            .collect()
    }

    fn declared_key(&mut self, class: TypeIndex, key: Symbol, field: PlaceIndex) {
        self.flows.field_keys.push((field, key));
        let Some(site) = self.solver.program.site_of(field) else {
            return;
        };
        let site = EdgeSite::from(site);
        // What a method gives is not read.
        if self.solver.rendered.by_method.contains(&field) {
            return;
        }
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
