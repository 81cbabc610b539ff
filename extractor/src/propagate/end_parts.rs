//! Which part of something an end of a library's flow means, at one call.
//!
//! ```python
//! headers.get("x-user")                    # `receiver[name 0]`: the part `X-User`
//! parser.add_argument("--dry-run")         # `receiver[option]`: the part `dry_run`
//! rows.pop()                               # `receiver[last]`: the one from the end
//! ```

use super::library::{EndPart, canonical, option};
use super::solve::{RowKey, Solver};
use crate::facts::{ArgumentKind, PlaceKind};
use crate::link::Part;

impl Solver<'_> {
    /// The key of that part.
    pub(super) fn part_key(&mut self, call: u32, part: &EndPart) -> RowKey {
        match part {
            EndPart::UnderOption => self.option_key(call),
            EndPart::Keys => RowKey::Keys,
            EndPart::Under(argument) | EndPart::PartsUnder(argument, false) => self.key_at(call, *argument),
            EndPart::UnderName(argument) | EndPart::PartsUnder(argument, true) => match self.key_at(call, *argument) {
                RowKey::Text(name) => {
                    let name = canonical(self.program.symbols.text(name));
                    RowKey::Text(self.program.symbols.intern(&name))
                }
                key => key,
            },
            EndPart::Each | EndPart::Inner | EndPart::InnerPositions => RowKey::Each,
            EndPart::Next => match self.steps.get(&call) {
                Some(steps) if steps.is_exact => RowKey::Step(steps.least),
                Some(steps) => RowKey::From(steps.least),
                None if self.is_new(call) => RowKey::First,
                None => RowKey::Next,
            },
            EndPart::Target => RowKey::Target,
            EndPart::Thrown => RowKey::Thrown,
            EndPart::Sent => match self.steps.get(&call) {
                Some(steps) if steps.is_exact => RowKey::Sent(steps.least),
                _ => RowKey::Sent(0),
            },
            EndPart::First => RowKey::At(0),
            EndPart::Last if self.call_arguments(call).is_empty() => RowKey::Back(1),
            EndPart::Last => match self.numbers.get(&call) {
                Some(index @ 0..) => RowKey::At(*index as u32),
                Some(back) => RowKey::Back(back.unsigned_abs()),
                None => RowKey::Any,
            },
            EndPart::Position(position) => RowKey::Index(*position),
            EndPart::Parts
            | EndPart::Whole
            | EndPart::Same
            | EndPart::Told
            | EndPart::InnerSame
            | EndPart::Tuple(_) => RowKey::Any,
            EndPart::Members | EndPart::MembersWithin | EndPart::Positions | EndPart::Names => RowKey::Any,
            EndPart::Through(_) | EndPart::Within => RowKey::Any,
        }
    }

    /// The part under the constant that an argument is.
    fn key_at(&mut self, call: u32, argument: usize) -> RowKey {
        let Some(argument) = self.call_arguments(call).get(argument).copied() else {
            return RowKey::Any;
        };
        match self.constant_given(&argument) {
            Some(Part::Text(text)) => RowKey::Text(text),
            Some(Part::Index(index)) => RowKey::Index(index),
            _ => RowKey::Any,
        }
    }

    /// The part that is named like the option which a call declares: by `dest`, or after what is typed.
    fn option_key(&mut self, call: u32) -> RowKey {
        let dest = self.program.symbols.find("dest");
        let arguments = self.call_arguments(call);
        let told = arguments
            .iter()
            .find(|argument| argument.name.is_some() && argument.name == dest);
        if let Some(text) = told.and_then(|argument| argument.text) {
            return RowKey::Text(text);
        }
        let by_position = arguments
            .iter()
            .filter(|argument| argument.kind == ArgumentKind::Positional);
        let names = by_position.filter_map(|argument| Some(self.program.symbols.text(argument.text?)));
        match option(names) {
            Some(name) => RowKey::Text(self.program.symbols.intern(&name)),
            None => RowKey::Any,
        }
    }

    /// Whether the receiver, or the first argument, is what another call just gave.
    fn is_new(&self, call: u32) -> bool {
        let first = self.call_arguments(call).first().and_then(|argument| argument.place);
        let given = self.calls[call as usize].receiver.or(first);
        let row = given.and_then(|place| self.program.local_place(place));
        row.is_some_and(|(file, local)| {
            let places = &self.program.files[file.at()].facts.places;
            places[local.0 as usize].kind == PlaceKind::CallValue
        })
    }
}
