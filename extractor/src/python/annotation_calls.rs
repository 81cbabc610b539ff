//! Calls that stand in annotations: they are made where the function, the class or the variable is declared.
//!
//! ```python
//! class Order(BaseModel):
//!     mail: Annotated[str, AfterValidator(lower)]                    # `lower` is handed to the library
//! def main(name: Annotated[str, typer.Option(callback=check)]): …    # and so is `check`
//! ```
//!
//! What an annotation says of a type is told by [`super::Walker::annotation`]; here only what runs beside it.

use tree_sitter::Node;

use super::Walker;
use crate::tree::children;

impl<'t> Walker<'t> {
    /// Walks the calls in an annotation, but for those that were looked at as markers.
    pub(super) fn call_in_annotation(&mut self, annotation: Node<'t>) {
        let marker = self.marker_in(annotation);
        let mut open = vec![annotation];
        while let Some(node) = open.pop() {
            match node.kind() {
                "call" if Some(node) == marker => {}
                "call" => _ = self.expression(node),
                "string" => {}
                _ => {
                    let before = open.len();
                    open.extend(children(node));
                    open[before..].reverse();
                }
            }
        }
    }

    /// The same of what is annotated where it is bound. Of variables of functions annotations are not evaluated:
    /// <https://docs.python.org/3/reference/simple_stmts.html#annotated-assignment-statements>.
    pub(super) fn call_in_declaration(&mut self, annotation: Node<'t>) {
        if self.class_around().is_some() || self.builder.at_file_level() {
            self.call_in_annotation(annotation);
        }
    }
}
