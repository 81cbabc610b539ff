//! Variables that a function asks the same question again, and variables whose constants say which way control came.
//!
//! ```go
//! if cached { text = old }
//! if cached { use(text) }                    // asked again: nothing was assigned in between
//! found := false
//! if ready { found, text = true, row }
//! if found { use(text) }                     // `found` is a constant wherever it is assigned
//! ```
//!
//! Most functions have neither, so that they are found before the function is walked.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::Walker;
use super::statement::collect;
use crate::facts::{Constant, Name, PlaceId};
use crate::tree::{Parts, children};

/// What is known of a function's tests before it is walked.
#[derive(Debug, Default)]
pub(super) struct Tested {
    /// Where variables stand in tests that are asked what others ask.
    again: FxHashSet<usize>,
    /// Variables that are given constants, and tested.
    flags: FxHashSet<Name>,
    /// Names that the outermost function gives a value once, in closures or out of them.
    once: Option<std::rc::Rc<FxHashSet<Name>>>,
}

/// What stands in a function's body, closures and all.
#[derive(Default)]
pub(super) struct Scan<'t> {
    /// Names whose address is taken.
    pub addressed: Vec<Node<'t>>,
    /// Whether a closure that the function defers takes what is thrown in it.
    pub recovers: bool,
    /// What it defers.
    pub deferred: Vec<Node<'t>>,
    /// Names that are tested, and names that are assigned, in order.
    pub events: Vec<(Node<'t>, bool)>,
    /// Those that are given what may be a constant.
    pub constants: Vec<Node<'t>>,
}

impl<'t> Walker<'t> {
    /// What is to be known of a function's body before it is walked.
    pub(super) fn scan(&self, body: Node<'t>) -> Scan<'t> {
        let mut scan = Scan::default();
        let mut conditions: Vec<usize> = Vec::new();
        collect(body, &mut |found| {
            if let Some(index) = conditions.iter().position(|id| *id == found.id()) {
                conditions.swap_remove(index);
                collect(found, &mut |inner| {
                    if inner.child_count() == 0 && inner.kind() == "identifier" {
                        scan.events.push((inner, true));
                    }
                });
            }
            if found.child_count() == 0 {
                return;
            }
            let mut tested = |field: &str| conditions.extend(found.child_by_field_name(field).map(|node| node.id()));
            match found.kind() {
                "unary_expression" => {
                    let operator = found.child_by_field_name("operator");
                    if operator.is_some_and(|operator| operator.kind() == "&") {
                        let operand = found.child_by_field_name("operand");
                        let is_name = |operand: &Node<'t>| operand.kind() == "identifier";
                        scan.addressed.extend(operand.filter(is_name));
                    }
                }
                "defer_statement" => {
                    scan.recovers |= self.text_of(found).contains("recover()");
                    scan.deferred.push(found);
                }
                "if_statement" | "for_clause" => tested("condition"),
                "expression_switch_statement" => {
                    tested("value");
                    if found.child_by_field_name("value").is_none() {
                        let heads = children(found).filter_map(|case| case.child_by_field_name("value"));
                        conditions.extend(heads.map(|head| head.id()));
                    }
                }
                "for_statement" => {
                    let body = found.child_by_field_name("body");
                    let bare = children(found).find(|child| Some(*child) != body && child.kind() != "comment");
                    conditions.extend(
                        bare.filter(|bare| !bare.kind().ends_with("_clause"))
                            .map(|bare| bare.id()),
                    );
                }
                "assignment_statement" | "short_var_declaration" | "receive_statement" | "range_clause" => {
                    let (left, right) = (found.child_by_field_name("left"), found.child_by_field_name("right"));
                    let mut values = right.into_iter().flat_map(children);
                    for target in left.into_iter().flat_map(children) {
                        let value = values.next();
                        if target.kind() == "identifier" {
                            scan.events.push((target, false));
                            scan.constants
                                .extend(value.filter(|value| self.may_be_constant(*value)).map(|_| target));
                        }
                    }
                }
                // What is given back beside others says something of these.
                "return_statement" => {
                    let list = found.part(0).filter(|list| list.part_count() > 1);
                    let values = list.into_iter().flat_map(children);
                    scan.events.extend(
                        values
                            .filter(|value| value.kind() == "identifier")
                            .map(|value| (value, true)),
                    );
                }
                "inc_statement" | "dec_statement" => scan.events.extend(found.part(0).map(|target| (target, false))),
                "var_spec" => {
                    let mut cursor = found.walk();
                    for name in found.children_by_field_name("name", &mut cursor).filter(Node::is_named) {
                        scan.events.push((name, false));
                        if found.child_by_field_name("value").is_none() {
                            scan.constants.push(name);
                        }
                    }
                }
                _ => {}
            }
        });
        scan
    }

    /// Finds the tests of a function that are worth following.
    pub(super) fn note_tests(&mut self, scan: (Vec<(Node<'t>, bool)>, Vec<Node<'t>>), around: &Tested) {
        let ((events, constants), around) = (scan, around.once.clone());
        let mut open: FxHashMap<Name, Vec<usize>> = FxHashMap::default();
        let (mut tested, mut assigned) = (FxHashSet::default(), FxHashMap::<Name, u32>::default());
        let mut found = Tested::default();
        for (node, is_test) in events {
            let name = self.name_of(node);
            let group = open.entry(name).or_default();
            if is_test {
                group.push(node.start_byte());
                tested.insert(name);
                continue;
            }
            *assigned.entry(name).or_default() += 1;
            if group.len() > 1 {
                found.again.extend(group.iter());
            }
            group.clear();
        }
        for group in open.into_values().filter(|group| group.len() > 1) {
            found.again.extend(group);
        }
        for node in constants {
            let name = self.name_of(node);
            let is_several = assigned.get(&name).is_some_and(|count| *count > 1);
            if is_several && tested.contains(&name) && !self.addressed.contains(&name) {
                found.flags.insert(name);
            }
        }
        let once = || {
            let once = assigned.iter().filter(|(_, count)| **count == 1);
            once.map(|(name, _)| *name).collect::<FxHashSet<Name>>().into()
        };
        found.once = Some(around.unwrap_or_else(once));
        self.tested = found;
    }

    /// Whether a variable holds what it was given where it was declared, for closures as well.
    pub(super) fn is_given_once(&self, name: Name) -> bool {
        let once = self.tested.once.as_ref();
        once.is_some_and(|once| once.contains(&name))
    }

    /// Whether a variable is asked again what it is asked here.
    pub(super) fn is_asked_again(&self, node: Node<'t>) -> bool {
        self.tested.again.contains(&node.start_byte())
    }

    /// A variable is declared.
    pub(super) fn declare_flag(&mut self, name: Name) {
        if self.tested.flags.contains(&name) {
            self.builder.follow_flag(name);
        }
    }

    /// A variable is given a value.
    pub(super) fn note_flag(&mut self, target: Node<'t>, value: Option<Node<'t>>) {
        if self.tested.flags.is_empty() || target.kind() != "identifier" {
            return;
        }
        let name = self.name_of(target);
        let place = self.builder.only_definition(name);
        if let (Some(place), Some(value), true) = (place, value, self.tested.flags.contains(&name))
            && let Some(constant) = self.constant_or_made(value)
        {
            self.builder.set_flag(place, constant);
        }
    }

    /// A variable is declared without a value.
    pub(super) fn note_zero_flag(&mut self, name: Name, place: PlaceId, of: Option<Node<'t>>) {
        let Some(of) = of.filter(|_| self.tested.flags.contains(&name)) else {
            return;
        };
        let zero = match (of.kind(), self.text_of(of)) {
            (_, "int32" | "int64" | "uint" | "uint32" | "uint64" | "byte") => Some(Constant::Number(0)),
            ("slice_type" | "map_type" | "function_type", _) => Some(Constant::Nothing),
            _ => self.zero_of(of),
        };
        if let Some(zero) = zero {
            self.builder.set_flag(place, zero);
        }
    }

    /// What a variable holds that is declared without a value, where nothing but an assignment can change that.
    pub(super) fn zero_of(&mut self, of: Node<'t>) -> Option<Constant> {
        match self.text_of(of) {
            "error" | "any" | "interface{}" => Some(Constant::Nothing),
            "bool" => Some(Constant::Truth(false)),
            "int" => Some(Constant::Number(0)),
            "string" => Some(Constant::Empty),
            _ => (of.kind() == "pointer_type").then_some(Constant::Nothing),
        }
    }

    /// Whether an expression may stand for a constant, or is made here.
    fn may_be_constant(&self, value: Node<'t>) -> bool {
        match value.kind() {
            "true" | "false" | "nil" | "int_literal" | "interpreted_string_literal" | "raw_string_literal" => true,
            "identifier" | "unary_expression" | "composite_literal" => true,
            "call_expression" => {
                let function = value.child_by_field_name("function");
                let text = function.map_or("", |function| self.text_of(function));
                matches!(text, "errors.New" | "fmt.Errorf" | "new" | "make")
            }
            _ => false,
        }
    }
}
