//! What `sync/atomic` reads and writes through an address: `atomic.LoadInt32(&c.limit)` reads the field and writes nothing,
//! `atomic.StoreInt32(&c.limit, 3)` writes it and reads nothing. See <https://pkg.go.dev/sync/atomic>.

use tree_sitter::Node;

use super::Walker;
use crate::facts::{Argument, ArgumentKind, PlaceId, Position};

impl<'t> Walker<'t> {
    /// The arguments of a call that only reads what its first argument points at, or only writes it; none if it is no such call.
    pub(super) fn atomic_arguments(
        &mut self,
        function: Node<'t>,
        given: &[Node<'t>],
        at: Position,
    ) -> Option<Vec<Argument>> {
        let name = self.text_of(function).strip_prefix("atomic.")?;
        let (reads, writes) = (name.starts_with("Load"), name.starts_with("Store"));
        let package = self.builder.name("atomic");
        if !(reads || writes) || self.builder.is_bound(package) {
            return None;
        }
        let address = given.first().filter(|node| node.kind() == "unary_expression")?;
        let is_address = self.text_of(*address).starts_with('&');
        let part = address.child_by_field_name("operand").filter(|_| is_address)?;
        if part.kind() != "selector_expression" {
            return None;
        }
        let argument = |place: Option<PlaceId>| Argument {
            kind: ArgumentKind::Positional,
            place,
            text: None,
            constant: None,
            position: at,
        };
        if reads {
            let value = self.expression(part);
            return Some(vec![argument(value)]);
        }
        let value = given.get(1).and_then(|value| self.expression(*value));
        self.assign(part, value, false, at);
        Some(vec![argument(None), argument(value)])
    }
}
