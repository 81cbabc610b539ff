//! An order of functions in which callees come before those who call them.
//!
//! `main` calls `load`, which calls `parse`: `parse` has the lowest rank, `main` the highest. What a function does to its callers is
//! then known when they are looked at, but for functions that call each other.

use crate::link::FunctionIndex;

/// A rank for each of so many functions, those of callees lower where there is no cycle.
pub(super) fn callees_first<'c>(count: usize, callers: impl Fn(usize) -> &'c [FunctionIndex]) -> Vec<u32> {
    let mut ranks = vec![u32::MAX; count];
    let mut seen = vec![false; count];
    let mut next = count as u32;
    for start in 0..count {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        // Depth first along callers: the last to be left is the first to be done.
        let mut path = vec![(start, 0usize)];
        while let Some((function, at)) = path.last_mut() {
            match callers(*function).get(*at) {
                Some(caller) => {
                    *at += 1;
                    if !std::mem::replace(&mut seen[caller.at()], true) {
                        path.push((caller.at(), 0));
                    }
                }
                None => {
                    next -= 1;
                    ranks[*function] = next;
                    path.pop();
                }
            }
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callees_come_first() {
        let check = |callers: &[&[u32]], expected: &[u32]| {
            let callers: Vec<Vec<FunctionIndex>> = callers
                .iter()
                .map(|callers| callers.iter().copied().map(FunctionIndex).collect())
                .collect();
            let ranks = callees_first(callers.len(), |function| &callers[function]);
            let mut order: Vec<u32> = (0..callers.len() as u32).collect();
            order.sort_unstable_by_key(|function| ranks[*function as usize]);
            assert_eq!(order, expected);
        };
        check(&[], &[]);
        // 0 is called by 1, and 1 by 2.
        check(&[&[1], &[2], &[]], &[0, 1, 2]);
        // The callee of both comes before both.
        check(&[&[], &[0, 2], &[]], &[1, 2, 0]);
        // Two that call each other come before who calls one of them.
        check(&[&[1], &[0, 2], &[]], &[0, 1, 2]);
    }
}
