//! Nodes: what a person would name, each with a stable id, and the edges that say what contains what.

use rayon::prelude::*;
use ripple_schema::{Edge, EdgeKind, FileId, How, Language, Node, NodeId, NodeKind, Rule, Site};
use rustc_hash::FxHashMap;

use crate::config::Config;
use crate::facts::{self, FieldKind, FunctionKind, PlaceKind, Position, TypeExpression, TypeExpressionId, TypeKind};
use crate::link::member::Member;
use crate::link::{
    DerivedPlace, FileIndex, FunctionIndex, PackageIndex, Part, PlaceIndex, Program, Step, Symbol, TypeIndex,
};
use crate::propagate::{End, Flows, written_name};

/// Makes nodes, each once.
pub struct Emitter<'p> {
    /// What was made so far.
    pub nodes: Vec<Node>,
    /// Containment.
    pub edges: Vec<Edge>,
    program: &'p Program,
    configs: &'p [Config],
    places: Vec<Option<NodeId>>,
    functions: Vec<Option<NodeId>>,
    types: Vec<Option<NodeId>>,
    packages: Vec<Option<NodeId>>,
    files: Vec<Option<NodeId>>,
    externals: FxHashMap<(Language, String), NodeId>,
    keys: FxHashMap<Symbol, NodeId>,
    /// How often a qualified name of a label was used, by the id of the first: tells equal names apart.
    ordinals: FxHashMap<NodeId, u32>,
    taken: FxHashMap<NodeId, ()>,
    methods: FxHashMap<PlaceIndex, (NodeId, Site)>,
    /// Language and reason of the first call that could not be resolved, by name.
    unresolved: FxHashMap<Symbol, (Language, Rule)>,
    external_language: FxHashMap<Symbol, Language>,
}

/// So many places become nodes at once: they have no number yet, and wait for it in memory.
const AT_ONCE: usize = 1 << 14;

/// A place as a node, and what contains it.
struct Made {
    node: Node,
    whole: Option<NodeId>,
}

impl<'p> Emitter<'p> {
    /// For one program.
    pub fn new(program: &'p Program, flows: &'p Flows, configs: &'p [Config]) -> Self {
        let mut unresolved = FxHashMap::default();
        let mut external_language = FxHashMap::default();
        for call in &flows.calls {
            let language = program.files[call.site.file.at()].language;
            match call.target {
                End::Unresolved(name) => {
                    unresolved.entry(name).or_insert((language, call.rule));
                }
                End::External(name) => {
                    external_language.entry(name).or_insert(language);
                }
                _ => {}
            }
        }
        for access in &flows.accesses {
            if let End::Unresolved(name) = access.target {
                let language = program.files[access.site.file.at()].language;
                unresolved.entry(name).or_insert((language, access.rule));
            }
        }
        for (name, file) in &flows.writes_cut {
            let language = program.files[file.at()].language;
            unresolved.entry(*name).or_insert((language, Rule::OverBudget));
        }
        Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            program,
            configs,
            places: vec![None; program.place_count()],
            functions: vec![None; program.functions.len()],
            types: vec![None; program.types.len()],
            packages: vec![None; program.packages.len()],
            files: vec![None; program.files.len()],
            externals: FxHashMap::default(),
            keys: FxHashMap::default(),
            ordinals: FxHashMap::default(),
            taken: FxHashMap::default(),
            methods: FxHashMap::default(),
            unresolved,
            external_language,
        }
    }

    /// Every package, file, type and function, from the whole to the part.
    pub fn structure(&mut self) {
        for index in 0..self.program.packages.len() {
            self.add_package(PackageIndex(index as u32));
        }
        for index in 0..self.program.files.len() {
            self.add_file(FileIndex(index as u32));
        }
        let mut types: Vec<TypeIndex> = (0..self.program.types.len() as u32).map(TypeIndex).collect();
        types.sort_by_key(|index| self.program.type_facts(*index).position);
        for index in types {
            self.add_type(index);
        }
        for index in 0..self.program.functions.len() {
            self.add_function(FunctionIndex(index as u32));
        }
        self.contain();
    }

    /// The places that are nodes: made by all threads, numbered one after another.
    pub fn places(&mut self, kept: &[bool], whole: &[bool]) {
        let kept: Vec<PlaceIndex> = (0..kept.len() as u32)
            .map(PlaceIndex)
            .filter(|place| kept[place.at()])
            .collect();
        for some in kept.chunks(AT_ONCE) {
            let made = |place: &PlaceIndex| {
                let mut made = self.place_made(*place)?;
                made.node.whole = whole[place.at()];
                Some((first_id(&made.node), made))
            };
            let made: Vec<Option<(NodeId, Made)>> = some.par_iter().map(made).collect();
            for (place, made) in some.iter().zip(made) {
                let Some((first, Made { node, whole })) = made else {
                    continue;
                };
                let site = node.site;
                let id = self.number(first, node);
                self.places[place.at()] = Some(id);
                if let Some(site) = site {
                    self.contains(whole, Some(id), site);
                }
            }
        }
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.number(first_id(&node), node)
    }

    /// Takes a node in, under its first id if no other of that name has it.
    fn number(&mut self, first: NodeId, mut node: Node) -> NodeId {
        let ordinal = self.ordinals.entry(first).or_insert(0);
        let mut id = match *ordinal {
            0 => first,
            ordinal => NodeId::of(node.language, node.label, &node.qualified_name, ordinal),
        };
        *ordinal += 1;
        // 53 bits meet by chance once in a great while; the next ordinal is as good.
        let mut probe = u32::MAX;
        while self.taken.insert(id, ()).is_some() {
            id = NodeId::of(node.language, node.label, &node.qualified_name, probe);
            probe -= 1;
        }
        node.id = id;
        // The body of a module is no thing of its own that a reader would tag.
        if let Some(site) = node.site.filter(|_| node.kind != "initializer") {
            let row = &self.program.files[site.file.0 as usize];
            if let Some(config) = self.configs.get(row.root) {
                node.tags = config.tags_of(&row.relative, node.label, &node.name);
            }
        }
        self.nodes.push(node);
        id
    }

    fn blank(
        &self,
        label: NodeKind,
        language: Language,
        name: &str,
        qualified_name: String,
        kind: &'static str,
    ) -> Node {
        Node {
            id: NodeId(0),
            label,
            name: name.to_owned(),
            qualified_name,
            kind,
            language,
            site: None,
            end_line: 0,
            signature: String::new(),
            doc: String::new(),
            type_text: String::new(),
            exported: false,
            test: false,
            whole: false,
            tags: String::new(),
        }
    }

    fn site(&self, file: FileIndex, position: Position) -> Site {
        Site {
            file: FileId(file.0),
            line: position.line,
            column: position.column,
        }
    }

    fn contains(&mut self, from: Option<NodeId>, to: Option<NodeId>, site: Site) {
        if let (Some(from), Some(to)) = (from, to)
            && from != to
        {
            self.edges.push(Edge {
                kind: EdgeKind::Contains,
                from,
                to,
                site,
                rule: Rule::Syntax,
                how: How::None,
            });
        }
    }

    fn add_package(&mut self, index: PackageIndex) {
        let package = &self.program.packages[index.at()];
        let name = match package.language {
            Language::Go => package
                .files
                .first()
                .map(|file| self.program.files[file.at()].facts.package.as_str())
                .filter(|name| !name.is_empty())
                .unwrap_or(&package.name),
            _ => package.name.rsplit('.').next().unwrap_or(&package.name),
        };
        let kind = if package.language == Language::Python && !package.is_init {
            "module"
        } else {
            "package"
        };
        let mut node = self.blank(NodeKind::Package, package.language, name, package.name.clone(), kind);
        let files = package.files.clone();
        node.doc = files
            .iter()
            .map(|file| self.program.files[file.at()].facts.doc.as_str())
            .find(|doc| !doc.is_empty())
            .unwrap_or("")
            .to_owned();
        node.test = files.iter().all(|file| self.program.files[file.at()].facts.test);
        node.exported = !name.starts_with('_');
        node.site = files
            .first()
            .map(|file| self.site(*file, Position { line: 1, column: 1 }));
        self.packages[index.at()] = Some(self.push(node));
    }

    fn add_file(&mut self, index: FileIndex) {
        let file = &self.program.files[index.at()];
        let name = file.relative.rsplit('/').next().unwrap_or(&file.relative).to_owned();
        let kind = if file.facts.excluded { "excluded" } else { "source" };
        let mut node = self.blank(NodeKind::File, file.language, &name, file.relative.clone(), kind);
        node.site = Some(self.site(index, Position { line: 1, column: 1 }));
        node.end_line = file.facts.lines;
        node.doc = file.facts.doc.clone();
        node.test = file.facts.test;
        node.exported = true;
        self.files[index.at()] = Some(self.push(node));
    }

    fn add_type(&mut self, index: TypeIndex) {
        let row = &self.program.types[index.at()];
        let facts = self.program.type_facts(index);
        let file = &self.program.files[row.file.at()];
        let name = file.facts.text(facts.name);
        let kind = match facts.kind {
            TypeKind::Class => "class",
            TypeKind::Struct => "struct",
            TypeKind::Interface => "interface",
            TypeKind::Named | TypeKind::ClassByCall => "named",
            TypeKind::Alias => "alias",
        };
        let mut node = self.blank(NodeKind::Type, file.language, name, self.program.type_name(index), kind);
        node.site = Some(self.site(row.file, facts.position));
        node.end_line = facts.end_line;
        node.signature = facts.signature.clone();
        node.doc = facts.doc.clone();
        node.exported = is_exported(file.language, name);
        node.test = file.facts.test;
        self.types[index.at()] = Some(self.push(node));
    }

    fn add_function(&mut self, index: FunctionIndex) {
        let row = self.program.functions[index.at()];
        let facts = self.program.function_facts(index);
        let file = &self.program.files[row.file.at()];
        let qualified = self.program.function_name(index);
        let name = match facts.kind {
            FunctionKind::Initializer => qualified.rsplit(['.', '/']).next().unwrap_or(&qualified).to_owned(),
            _ => file.facts.text(facts.name).to_owned(),
        };
        let kind = match facts.kind {
            FunctionKind::Function => "function",
            FunctionKind::Method => "method",
            FunctionKind::Closure => "closure",
            FunctionKind::Initializer => "initializer",
        };
        let mut node = self.blank(NodeKind::Function, file.language, &name, qualified, kind);
        let site = self.site(row.file, facts.position);
        node.site = Some(site);
        node.end_line = facts.end_line;
        node.signature = facts.signature.clone();
        node.doc = facts.doc.clone();
        node.exported =
            is_exported(file.language, &name) && matches!(facts.kind, FunctionKind::Function | FunctionKind::Method);
        node.test = self.program.is_test(index);
        let id = self.push(node);
        self.functions[index.at()] = Some(id);
        if let Some(owner) = row.owner
            && let Some(place) = self.program.types[owner.at()]
                .members
                .get(&self.program.symbol(row.file, facts.name))
                .copied()
        {
            self.methods.entry(place).or_insert((id, site));
        }
    }

    /// From the whole to the part.
    fn contain(&mut self) {
        for index in 0..self.program.packages.len() {
            let package = &self.program.packages[index];
            let (parent, files) = (package.parent, package.files.clone());
            let own = self.packages[index];
            if let (Some(parent), Some(file)) = (parent, files.first()) {
                let site = self.site(*file, Position { line: 1, column: 1 });
                self.contains(self.packages[parent.at()], own, site);
            }
            for file in files {
                let site = self.site(file, Position { line: 1, column: 1 });
                self.contains(own, self.files[file.at()], site);
            }
        }
        for index in 0..self.program.types.len() {
            let index = TypeIndex(index as u32);
            let file = self.program.types[index.at()].file;
            let facts = self.program.type_facts(index);
            let site = self.site(file, facts.position);
            let whole = match facts.outer {
                Some(outer) => self.types[self.program.type_index(file, outer).at()],
                None if facts.function.0 == 0 => self.files[file.at()],
                None => self.functions[self.program.function(file, facts.function).at()],
            };
            self.contains(whole, self.types[index.at()], site);
        }
        for index in 0..self.program.functions.len() {
            let index = FunctionIndex(index as u32);
            let row = self.program.functions[index.at()];
            let facts = self.program.function_facts(index);
            let site = self.site(row.file, facts.position);
            let whole = match (row.owner, facts.parent) {
                (Some(owner), _) => self.types[owner.at()],
                (None, Some(parent)) if parent.0 != 0 => self.functions[self.program.function(row.file, parent).at()],
                _ => self.files[row.file.at()],
            };
            self.contains(whole, self.functions[index.at()], site);
        }
    }

    fn place_made(&self, index: PlaceIndex) -> Option<Made> {
        match self.program.derived_place(index).copied() {
            None => self.local_place(index),
            Some(DerivedPlace::Member(member)) => Some(self.field(member)),
            Some(DerivedPlace::Element { container, part }) => self.element(index, container, part),
            Some(DerivedPlace::Cell {
                owner, step, function, ..
            }) => {
                let (file, position) = self.program.site_of(owner)?;
                let name = match step {
                    Step::Member(member) => self.program.symbols.text(member).to_owned(),
                    Step::Field(field) => {
                        let member = self.program.member_of(field);
                        member.map_or(String::new(), |member| {
                            self.program.symbols.text(member.name).to_owned()
                        })
                    }
                    Step::Part(part) => self.part_name(part),
                    Step::Target => "*".to_owned(),
                    Step::Global(global) => self.local_name(global).map_or(String::new(), |(name, _)| name),
                    Step::Kept(variable) => written_name(self.program.symbols.text(variable)).to_owned(),
                };
                Some(self.variable(index, file, function, (&name, "element"), position))
            }
            Some(DerivedPlace::Given(place)) => {
                let function = self.program.owner_of(place)?;
                let (file, position) = self.program.site_of(place)?;
                let name = self.local_name(place).map_or("(value)".to_owned(), |(name, _)| name);
                Some(self.variable(index, file, function, (&name, "value"), position))
            }
            Some(DerivedPlace::Passing(function)) => {
                let (file, facts) = (
                    self.program.functions[function.at()].file,
                    self.program.function_facts(function),
                );
                Some(self.variable(index, file, function, ("(value)", "value"), facts.position))
            }
        }
    }

    fn local_place(&self, index: PlaceIndex) -> Option<Made> {
        let (name, kind) = self.local_name(index)?;
        let (file, local) = self.program.local_place(index)?;
        let place = self.program.files[file.at()].facts.places[local.0 as usize];
        let function = self.program.function(file, place.function);
        Some(self.variable(index, file, function, (&name, kind), place.position))
    }

    /// Name and kind of a place that source code has.
    fn local_name(&self, index: PlaceIndex) -> Option<(String, &'static str)> {
        let (file, local) = self.program.local_place(index)?;
        let facts = &self.program.files[file.at()].facts;
        let place = facts.places[local.0 as usize];
        let kind = match place.kind {
            PlaceKind::Local => "local",
            PlaceKind::Parameter => "parameter",
            PlaceKind::Receiver => "receiver",
            PlaceKind::Result => "result",
            PlaceKind::Global => "global",
            PlaceKind::Constant => "constant",
            PlaceKind::Captured => "captured",
            PlaceKind::Decision => "decision",
            PlaceKind::Failure => "failure",
            PlaceKind::CallValue | PlaceKind::Value | PlaceKind::Binding => "value",
        };
        let text = facts.text(place.name).to_owned();
        let name = match kind {
            "value" if place.kind == PlaceKind::CallValue => format!("{text}()"),
            "value" if text.is_empty() => "(value)".to_owned(),
            // An unnamed result stands under its function's name.
            "result" if text == facts.text(facts.functions[place.function.0 as usize].name) => "result".to_owned(),
            _ => text,
        };
        Some((name, kind))
    }

    fn variable(
        &self,
        index: PlaceIndex,
        file: FileIndex,
        function: FunctionIndex,
        (name, kind): (&str, &'static str),
        position: Position,
    ) -> Made {
        let row = &self.program.files[file.at()];
        let at_file_level = self.program.function_facts(function).kind == FunctionKind::Initializer;
        let is_global = at_file_level && matches!(kind, "global" | "constant");
        let whole = if is_global {
            self.program.packages[row.package.at()].name.clone()
        } else {
            self.program.function_name(function)
        };
        let mut node = self.blank(NodeKind::Variable, row.language, name, format!("{whole}.{name}"), kind);
        node.site = Some(self.site(file, position));
        node.end_line = position.line;
        node.exported = is_global && is_exported(row.language, name);
        node.test = row.facts.test;
        node.type_text = self.declared_text(index, file);
        let whole = if is_global {
            self.files[file.at()]
        } else {
            self.functions[function.at()]
        };
        Made { node, whole }
    }

    fn declared_text(&self, index: PlaceIndex, file: FileIndex) -> String {
        let Some((_, local)) = self.program.local_place(index) else {
            return String::new();
        };
        let facts = &self.program.files[file.at()].facts;
        match self.program.declared_type(file, local) {
            Some(declared) => type_text(facts, declared, 0),
            None => String::new(),
        }
    }

    fn field(&self, member: Member) -> Made {
        let row = &self.program.files[member.file.at()];
        let name = self.program.symbols.text(member.name).to_owned();
        let qualified = format!("{}.{name}", self.program.type_name(member.owner));
        let kind = match member.field {
            Some(FieldKind::Field) => "field",
            Some(FieldKind::ClassAttribute) => "class_attribute",
            _ => "attribute",
        };
        let mut node = self.blank(NodeKind::Field, row.language, &name, qualified, kind);
        node.site = Some(self.site(member.file, member.position));
        node.end_line = member.position.line;
        node.exported = is_exported(row.language, &name);
        node.test = row.facts.test;
        if let Some(declared) = member.declared {
            let field = &self.program.type_facts(member.owner).fields[declared as usize];
            let facts = &self.program.files[self.program.types[member.owner.at()].file.at()].facts;
            node.doc = field.doc.clone();
            node.type_text = field
                .declared
                .map(|declared| type_text(facts, declared, 0))
                .unwrap_or_default();
        }
        let whole = self.types[member.owner.at()];
        Made { node, whole }
    }

    fn element(&self, index: PlaceIndex, container: PlaceIndex, part: Part) -> Option<Made> {
        let function = self.program.owner_of(container)?;
        let file = self.program.functions[function.at()].file;
        let position = match self.program.local_place(container) {
            Some((file, local)) => self.program.files[file.at()].facts.places[local.0 as usize].position,
            None => self.program.function_facts(function).position,
        };
        let name = self.part_name(part);
        Some(self.variable(index, file, function, (&name, "element"), position))
    }

    fn part_name(&self, part: Part) -> String {
        match part {
            Part::Text(key) => format!("[\"{}\"]", self.program.symbols.text(key)),
            Part::Index(number) => format!("[{number}]"),
            Part::Last(back) => format!("[-{back}]"),
            Part::Keys => "[keys]".to_owned(),
            Part::Returned => "(returned)".to_owned(),
            Part::From(least) => format!("[{least}:]"),
            Part::Sent(_) => "(sent)".to_owned(),
            Part::Thrown => "(thrown)".to_owned(),
            Part::Any | Part::All | Part::Under(_) | Part::OneOf(_) => "[…]".to_owned(),
        }
    }

    /// The node of an end.
    pub fn end(&mut self, end: End) -> Option<NodeId> {
        match end {
            End::Place(place) => self.places[place.at()],
            End::Function(function) => self.functions[function.at()],
            End::Type(index) => self.types[index.at()],
            End::External(name) => {
                let language = self.external_language.get(&name).copied().unwrap_or(Language::Any);
                let text = self.program.symbols.text(name).to_owned();
                Some(self.library(language, &text))
            }
            End::Unresolved(name) => Some(self.unresolved(name)),
            End::Key(name) => Some(self.key(name)),
        }
    }

    /// A thing of a library, or of the language.
    pub fn library(&mut self, language: Language, name: &str) -> NodeId {
        if let Some(id) = self.externals.get(&(language, name.to_owned())) {
            return *id;
        }
        let head = name.split(['.', '(']).next().unwrap_or(name);
        let builtin = crate::builtins::is_builtin(language, head);
        let kind = if builtin { "builtin" } else { "library" };
        let short = name.rsplit(['.', '/']).next().unwrap_or(name);
        let node = self.blank(NodeKind::External, language, short, name.to_owned(), kind);
        let id = self.push(node);
        self.externals.insert((language, name.to_owned()), id);
        id
    }

    fn unresolved(&mut self, name: Symbol) -> NodeId {
        let (language, rule) = self
            .unresolved
            .get(&name)
            .copied()
            .unwrap_or((Language::Any, Rule::UnresolvedValue));
        let text = format!("?.{}", self.program.symbols.text(name));
        if let Some(id) = self.externals.get(&(language, text.clone())) {
            return *id;
        }
        let short = self.program.symbols.text(name).to_owned();
        let mut node = self.blank(NodeKind::External, language, &short, text.clone(), "unresolved");
        node.doc = rule.doc().replace('\n', " ");
        let id = self.push(node);
        self.externals.insert((language, text), id);
        id
    }

    fn key(&mut self, name: Symbol) -> NodeId {
        if let Some(id) = self.keys.get(&name) {
            return *id;
        }
        let text = self.program.symbols.text(name).to_owned();
        let mut node = self.blank(NodeKind::Key, Language::Any, &text, text.clone(), "key");
        node.exported = true;
        let id = self.push(node);
        self.keys.insert(name, id);
        id
    }

    /// The node of a function.
    pub fn function(&self, index: FunctionIndex) -> Option<NodeId> {
        self.functions[index.at()]
    }

    /// The node of a place, if it is one.
    pub fn place(&self, index: PlaceIndex) -> Option<NodeId> {
        self.places[index.at()]
    }

    /// The node of a type.
    pub fn type_node(&self, index: TypeIndex) -> Option<NodeId> {
        self.types[index.at()]
    }

    /// The node of a package.
    pub fn package_node(&self, index: PackageIndex) -> Option<NodeId> {
        self.packages[index.at()]
    }

    /// The node of a file.
    pub fn file_node(&self, index: FileIndex) -> Option<NodeId> {
        self.files[index.at()]
    }

    /// The method that a member's place was declared with.
    pub fn method(&self, place: PlaceIndex) -> Option<(NodeId, Site)> {
        self.methods.get(&place).copied()
    }

    /// Where a type is declared.
    pub fn type_site(&self, index: TypeIndex) -> Option<Site> {
        Some(self.site(
            self.program.types[index.at()].file,
            self.program.type_facts(index).position,
        ))
    }

    /// Where a place is defined.
    pub fn place_site(&self, index: PlaceIndex) -> Option<Site> {
        if let Some(member) = self.program.member_of(index) {
            return Some(self.site(member.file, member.position));
        }
        let (file, local) = self.program.local_place(index)?;
        Some(self.site(
            file,
            self.program.files[file.at()].facts.places[local.0 as usize].position,
        ))
    }
}

/// The id of the first node of this name.
fn first_id(node: &Node) -> NodeId {
    NodeId::of(node.language, node.label, &node.qualified_name, 0)
}

fn is_exported(language: Language, name: &str) -> bool {
    match language {
        Language::Go => name.starts_with(char::is_uppercase),
        _ => !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__")),
    }
}

/// A type as text, for people.
fn type_text(facts: &facts::FileFacts, id: TypeExpressionId, depth: u32) -> String {
    if depth > 6 {
        return "…".to_owned();
    }
    let inner = |id: TypeExpressionId| type_text(facts, id, depth + 1);
    let list = |ids: &[TypeExpressionId]| ids.iter().map(|id| inner(*id)).collect::<Vec<_>>().join(", ");
    match &facts.type_expressions[id.0 as usize] {
        TypeExpression::Path { parts, .. } => parts.iter().map(|part| facts.text(*part)).collect::<Vec<_>>().join("."),
        TypeExpression::Local(local) => facts.text(facts.types[local.0 as usize].name).to_owned(),
        TypeExpression::Pointer(target) => format!("*{}", inner(*target)),
        TypeExpression::Container { kind, key, element } => {
            let parts: Vec<TypeExpressionId> = key.iter().chain(element).copied().collect();
            format!("{}[{}]", format!("{kind:?}").to_lowercase(), list(&parts))
        }
        TypeExpression::Tuple(parts) => format!("tuple[{}]", list(parts)),
        TypeExpression::Function { results, .. } => format!("function[{}]", list(results)),
        TypeExpression::Union(sides) => sides.iter().map(|side| inner(*side)).collect::<Vec<_>>().join(" | "),
        TypeExpression::Generic(head, arguments) => format!("{}[{}]", inner(*head), list(arguments)),
        TypeExpression::Class(of) => format!("type[{}]", inner(*of)),
        TypeExpression::ElementOf(of) => format!("{}[]", inner(*of)),
        TypeExpression::Unknown => String::new(),
    }
}
