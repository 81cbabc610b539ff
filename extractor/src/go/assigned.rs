//! Names that code assigns: in a loop, and of the package's variables in all functions of a file.
//!
//! ```go
//! var folder = flag.String("dir", ".", "")
//! func open(folder string) { folder += "/x" }      // its own parameter: the package's variable stays
//! func other() { folder := "a"; use(folder) }      // and so it does here
//! ```

use tree_sitter::Node;

use super::Walker;
use super::statement::collect;
use crate::facts::Name;
use crate::tree::{Parts, children};

impl<'t> Walker<'t> {
    /// Names that a loop assigns, its own clause included; closures in it too, they share the variables.
    pub(super) fn assigned_in(&mut self, node: Node<'t>) -> Vec<Name> {
        self.targets_in(node, true)
    }

    /// With what `:=` declares, or without.
    fn targets_in(&mut self, node: Node<'t>, with_declared: bool) -> Vec<Name> {
        let mut nodes = Vec::new();
        collect(node, &mut |found| match found.kind() {
            "short_var_declaration" if !with_declared => {}
            "assignment_statement" | "short_var_declaration" | "receive_statement" | "range_clause" => {
                if let Some(left) = found.child_by_field_name("left") {
                    nodes.extend(children(left).filter(|target| target.kind() == "identifier"));
                }
            }
            "inc_statement" | "dec_statement" => {
                nodes.extend(found.part(0).filter(|target| target.kind() == "identifier"));
            }
            _ => {}
        });
        nodes.into_iter().map(|node| self.name_of(node)).collect()
    }

    /// Names that functions assign which do not declare them as parameters: `:=` declares a name anew.
    pub(super) fn assigned_to_file(&mut self, root: Node<'t>) -> Vec<Name> {
        let mut names = Vec::new();
        for declaration in children(root) {
            let mut declared = Vec::new();
            for field in ["receiver", "parameters", "result"] {
                let list = declaration.child_by_field_name(field).into_iter();
                for parameter in list.flat_map(children) {
                    let mut cursor = parameter.walk();
                    declared.extend(parameter.children_by_field_name("name", &mut cursor));
                }
            }
            let declared: Vec<Name> = declared.into_iter().map(|node| self.name_of(node)).collect();
            let assigned = self.targets_in(declaration, false).into_iter();
            names.extend(assigned.filter(|name| !declared.contains(name)));
        }
        names
    }
}
