//! Slices that are taken out of a list, or put in its place: what is behind them moves.
//!
//! ```python
//! parts = ["a", "b", secret, "d"]
//! del parts[:2]                    # [secret, "d"]
//! parts[1:] = ["x", "y", "z"]      # [secret, "x", "y", "z"]
//! ```

use tree_sitter::Node;

use super::Walker;
use super::containers::Spot;
use crate::facts::builder::{Part, Shape};
use crate::facts::{ContainerKind, ElementKey, PlaceId, Position};
use crate::tree::Parts;

impl<'t> Walker<'t> {
    /// `del items[1:3]`, `items[1:3] = xs` of a list that one variable alone holds, of which all parts are known. Whether it is one.
    pub(super) fn replace_slice(&mut self, spot: Spot, target: Node<'t>, value: Option<PlaceId>, at: Position) -> bool {
        let (shape, subscript) = (&spot.shape, target.child_by_field_name("subscript"));
        let Some(slice) = subscript.filter(|_| shape.kind == ContainerKind::List) else {
            return false;
        };
        let Some((start, stop)) = self.bounds(slice, shape.parts.len()) else {
            return false;
        };
        let given = match value {
            Some(value) => self.spread_parts(value),
            None => Some(Vec::new()),
        };
        let Some(given) = given else { return false };
        let known: Vec<Part> = shape.values().collect();
        let parts = known[..start].iter().chain(&given).chain(&known[stop..]).copied();
        let shape = Shape::sequence(ContainerKind::List, parts);
        self.change(spot, shape, at);
        true
    }

    /// From where to where a slice with constant ends goes, in a list of so many parts.
    fn bounds(&self, slice: Node<'t>, length: usize) -> Option<(usize, usize)> {
        let (start, stop) = self
            .text_of(slice)
            .split_once(':')
            .filter(|_| slice.kind() == "slice")?;
        let clamped = |text: &str, otherwise: usize| {
            let text = text.trim();
            if text.is_empty() {
                return Some(otherwise);
            }
            let number: i64 = text.parse().ok()?;
            let length = length as i64;
            let position = if number < 0 { length + number } else { number };
            usize::try_from(position.clamp(0, length)).ok()
        };
        let (start, stop) = (clamped(start, 0)?, clamped(stop, length)?);
        Some((start, stop.max(start)))
    }

    /// The same of a list that others may hold, too: what is behind a slice that was taken out, or replaced by so many parts, moves.
    pub(super) fn move_behind(&mut self, base: PlaceId, target: Node<'t>, given: Option<usize>, at: Position) {
        let Some(slice) = target
            .child_by_field_name("subscript")
            .filter(|slice| slice.kind() == "slice")
        else {
            return;
        };
        let text = self.text_of(slice);
        let (start, stop) = text.split_once(':').unwrap_or((text, ""));
        let start: Option<i32> = if start.trim().is_empty() {
            Some(0)
        } else {
            start.trim().parse().ok()
        };
        let stop: Option<i32> = stop.trim().parse().ok();
        // Nothing is behind what goes to the end.
        if stop.is_none() && slice.part_count() < 2 && text.trim_end().ends_with(':') {
            return;
        }
        let ends = start.zip(stop).filter(|(start, stop)| 0 <= *start && start <= stop);
        let shift = ends.and_then(|(start, stop)| Some(i32::try_from(given?).ok()? - (stop - start)));
        match shift {
            Some(0) => {}
            Some(shift) => self.builder.copy_parts(base, base, shift, Vec::new(), at),
            None => {
                let part = self.builder.element_load(base, ElementKey::Any, at);
                self.builder.element_store(base, ElementKey::Any, Some(part), at);
            }
        }
    }
}
