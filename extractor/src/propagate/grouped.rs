//! Numbers by what they belong to, in one table: as quick to read as a list of lists, and made without one for each.
//!
//! The calls 4, 7 and 9, of which 4 and 9 call the function 1 and 7 calls the function 0, are `7 | 4, 9`.

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Grouped {
    /// Where each group begins, and where the last one ends.
    first: Vec<u32>,
    members: Vec<u32>,
}

impl Grouped {
    /// Of so many groups: each member with its group, in the order that they are to have. Gone through twice.
    pub(super) fn new<I: Iterator<Item = (usize, u32)>>(groups: usize, members: impl Fn() -> I) -> Self {
        let mut first = vec![0u32; groups + 1];
        for (group, _) in members() {
            first[group + 1] += 1;
        }
        for group in 1..first.len() {
            first[group] += first[group - 1];
        }
        let mut next = first.clone();
        let mut all = vec![0u32; first[groups] as usize];
        for (group, member) in members() {
            all[next[group] as usize] = member;
            next[group] += 1;
        }
        Self { first, members: all }
    }

    /// The members of a group.
    pub(super) fn of(&self, group: usize) -> &[u32] {
        &self.members[self.first[group] as usize..self.first[group + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_keep_the_order_of_their_members() {
        let calls = [(1, 4), (0, 7), (1, 9)];
        let grouped = Grouped::new(3, || calls.into_iter());
        assert_eq!(grouped.of(0), [7]);
        assert_eq!(grouped.of(1), [4, 9]);
        assert!(grouped.of(2).is_empty());
        assert!(Grouped::new(0, std::iter::empty).members.is_empty());
    }
}
