//! What is asked of parameters that gather arguments: a call says how many there are, and what they are.
//!
//! ```python
//! def run(*parts, **options):
//!     if len(parts) == 1: return parts[0]          # two are given
//!     if "mail" in options: return options["mail"] # none has that name
//! run(mail, "b", name=name)
//! ```

use crate::facts::{ArgumentKind, AskedPart, Constant, ElementKey, ParameterKind};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol};
use crate::propagate::solve::{ArgumentRow, Solver};

/// What is asked of a part of a parameter, where the parameter gathers what is left of the arguments of a call that spreads nothing; `bound` as for
/// [`Solver::arguments_given`].
pub(super) fn gathered_part(
    solver: &Solver<'_>,
    (call, function, bound): (u32, FunctionIndex, bool),
    parameter: PlaceIndex,
    (of, part): (FileIndex, AskedPart),
) -> Option<Constant<Symbol>> {
    let facts = solver.program.function_facts(function);
    let file = solver.program.functions[function.at()].file;
    let mut all = facts.parameters.iter();
    let gathers = all.find(|own| solver.program.place(file, own.place) == parameter)?;
    let is_method = facts.receiver.is_some();
    if is_method && !bound || solver.arguments_after(call, function).is_some() {
        return None;
    }
    let arguments = solver.call_arguments(call).iter();
    match gathers.kind {
        ParameterKind::Rest => {
            let by_position = |kind| matches!(kind, ParameterKind::Normal | ParameterKind::PositionalOnly);
            let before = facts.parameters.iter().filter(|own| by_position(own.kind)).count();
            let before = before.checked_sub(usize::from(bound && !is_method))?;
            let left: Vec<&ArgumentRow> = arguments
                .filter(|argument| argument.kind == ArgumentKind::Positional)
                .skip(before)
                .collect();
            match part {
                AskedPart::Length => Some(Constant::Number(i32::try_from(left.len()).ok()?)),
                AskedPart::Element(ElementKey::Index(index)) => left.get(index as usize)?.constant,
                AskedPart::IsSequence => Some(Constant::Truth(true)),
                AskedPart::IsMap => Some(Constant::Truth(false)),
                _ => None,
            }
        }
        ParameterKind::RestKeywords => {
            let mut arguments = arguments;
            let by_keyword = |kind| matches!(kind, ParameterKind::Normal | ParameterKind::KeywordOnly);
            let own = facts.parameters.iter().filter(|own| by_keyword(own.kind));
            let own: Vec<Symbol> = own.map(|own| solver.program.symbol(file, own.name)).collect();
            let mut named = |name| {
                let wanted = solver.program.symbol(of, name);
                arguments.find(|argument| argument.name == Some(wanted) && !own.contains(&wanted))
            };
            match part {
                AskedPart::Has(name) => Some(Constant::Truth(named(name).is_some())),
                AskedPart::Element(ElementKey::Text(name)) => named(name)?.constant,
                AskedPart::IsMap => Some(Constant::Truth(true)),
                AskedPart::IsSequence => Some(Constant::Truth(false)),
                _ => None,
            }
        }
        _ => None,
    }
}
