//! Loops over functions: the function is called, and what it hands to its argument is what the loop gets.
//!
//! ```go
//! func pairs(yield func(string, int) bool) { yield("a", 1) }
//! for key, value := range pairs { … }        // `pairs` is called with the loop's body, which gets "a" and 1
//! ```

use ripple_schema::How;

use super::library::End;
use super::object::{Object, ObjectId};
use super::solve::{ArgumentRow, CallRow, Constraint, Solver, Target};
use crate::facts::order::Point;
use crate::facts::{FileFacts, Position};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, PlaceIndex};

/// A [`crate::facts::LoopOver`] in the program's numbers.
#[derive(Debug, Clone)]
pub(super) struct LoopRow {
    over: PlaceIndex,
    pub values: Vec<PlaceIndex>,
    file: FileIndex,
    pub function: FunctionIndex,
    position: Position,
    /// The call of the function, once there is one.
    pub call: Option<u32>,
}

impl Solver<'_> {
    pub(super) fn lay_out_loops(&mut self, file: FileIndex, facts: &FileFacts) {
        for row in &facts.loops {
            let over = self.program.place(file, row.over);
            let values = row.values.iter().map(|value| self.program.place(file, *value));
            let values: Vec<PlaceIndex> = values.collect();
            self.loop_values.extend(&values);
            self.loops.push(LoopRow {
                over,
                values,
                file,
                function: self.program.function(file, row.function),
                position: row.position,
                call: None,
            });
            self.attach(over, Constraint::Loop(self.loops.len() as u32 - 1));
        }
    }

    /// `slices.Collect(over)`: what a function hands out is put into the result.
    pub(super) fn apply_iterate(&mut self, call: u32, over: &End, into: &[End]) {
        for over in self.subject_places(call, &over.subject) {
            let values: Vec<PlaceIndex> = into.iter().map(|_| self.passing(call)).collect();
            self.loop_through(call, over, &values);
            for (end, value) in into.iter().zip(values) {
                for target in self.subject_places(call, &end.subject) {
                    let key = self.part_key(call, &end.part);
                    self.push_element_store(self.element_row(call, target, key, value));
                }
            }
        }
    }

    /// Library code goes over what is in a place.
    fn loop_through(&mut self, call: u32, over: PlaceIndex, values: &[PlaceIndex]) {
        let row = &self.calls[call as usize];
        let row = LoopRow {
            over,
            values: values.to_vec(),
            file: row.file,
            function: row.function,
            position: row.position,
            call: None,
        };
        self.loops.push(row);
        self.attach(over, Constraint::Loop(self.loops.len() as u32 - 1));
    }

    pub(super) fn loop_over(&mut self, index: u32, object: ObjectId) {
        let is_function = matches!(self.objects.get(object), Object::Function(_) | Object::Bound { .. });
        let row = self.loops[index as usize].clone();
        if !is_function || row.call.is_some() {
            return;
        }
        let body = self.derive_place(DerivedPlace::Passing(row.function));
        let holds = self.objects.intern(Object::LoopBody(index));
        self.add(body, holds);
        let text = self.program.symbols.intern("");
        let argument = ArgumentRow::positional(Some(body), row.position);
        let call = CallRow {
            callee: row.over,
            text,
            receiver: None,
            arguments: (0, 0),
            results: (0, 0),
            file: row.file,
            function: row.function,
            position: row.position,
            how: How::Implicit,
            targets: Vec::new(),
            guard: None,
            silent: false,
            copy_of: None,
            point: Point::default(),
        };
        let call = self.push_call(call, &[argument], &[]);
        self.loops[index as usize].call = Some(call);
    }

    /// The body of a loop is called: what it is given is what the loop goes over.
    pub(super) fn call_body(&mut self, call: u32, index: u32) {
        if self.loop_calls.contains(&(call, index)) {
            return;
        }
        self.loop_calls.push((call, index));
        self.add_target(call, Target::Elsewhere);
        let given: Vec<Option<PlaceIndex>> = self.call_arguments(call).iter().map(|row| row.place).collect();
        let values = self.loops[index as usize].values.clone();
        for (from, to) in given.into_iter().zip(values) {
            if let Some(from) = from {
                self.copy(from, to);
            }
        }
    }
}
