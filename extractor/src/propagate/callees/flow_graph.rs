//! What walks go along: the edges into each place, and what is asked on the way. Nothing of it changes while they go.
//!
//! `first = Box(); second = first` has the edges `Box()` → `first` → `second`; a walk that begins at `second` goes from right to left.

use ripple_schema::How;

use super::Cells;
use super::origins::Origins;
use super::standing::{self, Standing};
use crate::propagate::conditions::Conditions;
use crate::propagate::edges::{End, Flows, ValueEdge};
use crate::propagate::grouped::Grouped;
use crate::propagate::solve::Solver;

/// See the module's documentation.
pub(in crate::propagate) struct FlowGraph<'s, 'p> {
    pub(in crate::propagate) solver: &'s Solver<'p>,
    /// What is asked of each place.
    pub(super) standing: Vec<Standing>,
    pub(in crate::propagate) edges: &'s [ValueEdge],
    /// The edges into each place, but for tests.
    pub(super) into: Grouped,
    pub(super) origins: Origins,
    /// What constants decide.
    pub(in crate::propagate) conditions: Conditions,
}

impl<'s, 'p> FlowGraph<'s, 'p> {
    pub(super) fn new((solver, origins): (&'s Solver<'p>, Origins), cells: Cells<'_>, flows: &'s Flows) -> Self {
        let ((into, standing), conditions) = rayon::join(
            || {
                (
                    edges_into(&flows.values, solver.program.place_count()),
                    standing::of_all(solver, &origins, cells, &flows.steps_told),
                )
            },
            || Conditions::new(solver, flows),
        );
        Self {
            solver,
            standing,
            edges: &flows.values,
            into,
            origins,
            conditions,
        }
    }
}

fn edges_into(edges: &[ValueEdge], places: usize) -> Grouped {
    Grouped::new(places, || {
        edges.iter().enumerate().filter_map(|(index, edge)| match edge.to {
            End::Place(to) if edge.how != How::Test => Some((to.at(), index as u32)),
            _ => None,
        })
    })
}
