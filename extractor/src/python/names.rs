//! Which names a body binds: Python decides that for a whole function before it runs.
//!
//! `def f(): print(x); x = 1` binds `x` in `f`, so the use is of the local name. Nested functions, lambdas and classes have
//! scopes of their own; comprehension targets too, but not the walrus inside them.

use crate::tree::Parts;
use tree_sitter::Node;

/// Names bound in this body, each once, in order of appearance.
pub fn bound_in(body: Node<'_>, text: &str) -> Vec<String> {
    let mut names = all_bound_in(body, text);
    let mut seen = rustc_hash::FxHashSet::default();
    names.retain(|name| seen.insert(name.clone()));
    names
}

/// How often this body binds each name.
pub fn times_bound(body: Node<'_>, text: &str) -> rustc_hash::FxHashMap<String, u32> {
    let mut times = rustc_hash::FxHashMap::default();
    for name in all_bound_in(body, text) {
        *times.entry(name).or_default() += 1;
    }
    times
}

/// Names bound in this body, as often as they are.
pub fn all_bound_in(body: Node<'_>, text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    // Nothing else binds a name inside of an expression.
    let has_walrus = text.get(body.byte_range()).is_none_or(|text| text.contains(":="));
    let mut cursor = body.walk();
    if !cursor.goto_first_child() {
        return names;
    }
    let mut depth = 1usize;
    loop {
        let node = cursor.node();
        let descend = visit(node, text, &mut names) && (has_walrus || !is_expression(node));
        if descend && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        loop {
            if cursor.goto_next_sibling() {
                break;
            }
            depth -= 1;
            if depth == 0 || !cursor.goto_parent() {
                return names;
            }
        }
    }
}

/// Whether nothing but `:=` binds a name inside of the node.
fn is_expression(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "argument_list"
            | "attribute"
            | "await"
            | "binary_operator"
            | "boolean_operator"
            | "call"
            | "comparison_operator"
            | "concatenated_string"
            | "conditional_expression"
            | "dictionary"
            | "not_operator"
            | "subscript"
            | "unary_operator"
    )
}

/// Notes what the node binds; says whether to look inside.
fn visit(node: Node<'_>, text: &str, names: &mut Vec<String>) -> bool {
    let mut add = |node: Node<'_>| {
        if let Some(name) = text.get(node.byte_range()) {
            names.push(name.to_owned());
        }
    };
    match node.kind() {
        "function_definition" | "class_definition" => {
            if let Some(name) = node.child_by_field_name("name") {
                add(name);
            }
            false
        }
        "lambda" | "comment" | "string" | "integer" | "float" | "identifier" => false,
        "assignment" | "augmented_assignment" => {
            if let Some(left) = node.child_by_field_name("left") {
                targets(left, &mut add);
            }
            true
        }
        "for_statement" => {
            if let Some(left) = node.child_by_field_name("left") {
                targets(left, &mut add);
            }
            true
        }
        "named_expression" => {
            if let Some(name) = node.child_by_field_name("name") {
                add(name);
            }
            true
        }
        "as_pattern_target" => {
            if let Some(target) = node.part(0) {
                targets(target, &mut add);
            }
            false
        }
        "import_statement" | "import_from_statement" | "future_import_statement" => {
            imported(node, &mut add);
            false
        }
        "delete_statement" => {
            for child in super::children(node) {
                targets(child, &mut add);
            }
            false
        }
        "case_clause" => {
            for child in super::children(node).filter(|child| child.kind() == "case_pattern") {
                captured(child, &mut add);
            }
            true
        }
        "except_clause" | "except_group_clause" => {
            if let Some(alias) = node.child_by_field_name("alias") {
                add(alias);
            }
            true
        }
        "type_alias_statement" => {
            if let Some(name) = node.child_by_field_name("left").and_then(|left| left.part(0)) {
                add(name);
            }
            false
        }
        _ => true,
    }
}

fn targets<'t>(node: Node<'t>, add: &mut impl FnMut(Node<'t>)) {
    match node.kind() {
        "identifier" => add(node),
        "pattern_list"
        | "tuple_pattern"
        | "list_pattern"
        | "list_splat_pattern"
        | "tuple"
        | "list"
        | "expression_list"
        | "list_splat"
        | "parenthesized_expression" => {
            for child in super::children(node) {
                targets(child, add);
            }
        }
        _ => {}
    }
}

fn imported<'t>(node: Node<'t>, add: &mut impl FnMut(Node<'t>)) {
    let mut cursor = node.walk();
    for name in node.children_by_field_name("name", &mut cursor) {
        match name.kind() {
            "aliased_import" => {
                if let Some(alias) = name.child_by_field_name("alias") {
                    add(alias);
                }
            }
            _ => {
                if let Some(first) = name.part(0) {
                    add(first);
                }
            }
        }
    }
}

/// Names that a pattern of `case` binds: single identifiers that are not dotted, called, or keywords of a class pattern.
pub fn captured<'t>(pattern: Node<'t>, add: &mut impl FnMut(Node<'t>)) {
    match pattern.kind() {
        "dotted_name" => {
            if pattern.part_count() == 1
                && let Some(name) = pattern.part(0)
            {
                add(name);
            }
        }
        "class_pattern" => {
            for child in super::children(pattern).skip(1) {
                captured(child, add);
            }
        }
        "keyword_pattern" => {
            for child in super::children(pattern).skip(1) {
                captured(child, add);
            }
        }
        "as_pattern" => {
            for child in super::children(pattern) {
                match child.kind() {
                    "identifier" => add(child),
                    _ => captured(child, add),
                }
            }
        }
        "identifier" => add(pattern),
        _ => {
            for child in super::children(pattern) {
                captured(child, add);
            }
        }
    }
}
