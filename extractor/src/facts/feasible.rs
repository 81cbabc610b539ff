//! Which ways through a function nobody goes: those that ask for two things that cannot both be.
//!
//! ```go
//! if cached { text = read() } else { text = fetch() }
//! if cached { use(text) }        // what `read` gave: the other one comes where `cached` is false
//! ```
//!
//! What reaches a point under conditions (see [`super::reaching`]) does not reach it where these contradict what holds there. That is said
//! of *lasting* places alone, the definitions of variables, which are what they are until the variable is assigned. Where two ways meet that
//! leave a variable with different constants, a *mark* tells the ways apart, a place that stands for nothing in the program:
//!
//! ```go
//! found := false
//! for … { if … { found, text = true, row; break } }
//! if found { use(text) }         // `found` is true by one way alone, and on that `text` is `row`
//! ```

use rustc_hash::FxHashSet;

use super::{Condition, ConditionId, Constant, PlaceId, Question};

/// The number of the first mark; they count down.
const FIRST_MARK: u32 = u32::MAX - 1;

/// Most marks of a function.
pub(super) const MARK_LIMIT: u32 = 64;

/// Most conditions at one point of which some are said of what is no parameter.
pub(super) const LASTING_LIMIT: u8 = 8;

/// What conditions may be held against each other.
#[derive(Debug, Default)]
pub(super) struct Lasting {
    /// Definitions of which conditions stay true.
    pub places: FxHashSet<PlaceId>,
    /// Any value is true or not, and only some equal `True`: of a flag that may be more than that, only answers to one question exclude
    /// each other, and what a constant answers.
    pub is_dynamic: bool,
}

/// A mark.
pub(super) fn mark(number: u32) -> PlaceId {
    PlaceId(FIRST_MARK - number)
}

/// Whether a place is a mark.
pub(super) fn is_mark(place: PlaceId) -> bool {
    place.0 > FIRST_MARK - MARK_LIMIT
}

/// What holds, the last of it first.
pub(super) fn rows(id: ConditionId, conditions: &[Condition]) -> impl Iterator<Item = &Condition> {
    std::iter::successors(id.row(conditions), |row| row.outer.row(conditions))
}

/// Whether two conditions cannot both hold, as far as these places and marks tell.
pub(super) fn exclude(one: ConditionId, other: ConditionId, conditions: &[Condition], lasting: &Lasting) -> bool {
    if one == other || one == ConditionId::default() || other == ConditionId::default() {
        return false;
    }
    let excludes = |row: &Condition, id| row_excludes(row, id, conditions, lasting);
    rows(one, conditions).any(|row| excludes(row, other)) || rows(other, conditions).any(|row| excludes(row, one))
}

/// As [`exclude`], of a condition alone, without what holds besides.
pub(super) fn row_excludes(row: &Condition, id: ConditionId, conditions: &[Condition], lasting: &Lasting) -> bool {
    let against = |row: &Condition| {
        let mut others = rows(id, conditions).filter(|other| other.or == ConditionId::default());
        others.any(|other| contradict(row, other, lasting))
    };
    // One of the alternatives of a row holds.
    let mut alternatives = std::iter::successors(Some(row), |row| row.or.row(conditions));
    alternatives.all(against)
}

fn contradict(one: &Condition, other: &Condition, lasting: &Lasting) -> bool {
    let is_same = one.parameter == other.parameter;
    if !is_same || !is_mark(one.parameter) && !lasting.places.contains(&one.parameter) {
        return false;
    }
    let told = |row: &Condition| match lasting.is_dynamic {
        true => (row.question, row.constant, row.holds),
        false => plain(row),
    };
    let [(question, constant, holds), (asked, with, answer)] = [one, other].map(told);
    if (question, constant) == (asked, with) {
        return holds != answer;
    }
    let equal = |question, holds| question == Question::Equals && holds;
    // What equals a constant answers as that does.
    equal(question, holds) && constant.answer(asked, with) == Some(!answer)
        || equal(asked, answer) && with.answer(question, constant) == Some(!holds)
}

/// The same with fewer questions.
fn plain(row: &Condition) -> (Question, Constant, bool) {
    match (row.question, row.constant) {
        (Question::IsTrue, _) => (Question::Equals, Constant::Truth(true), row.holds),
        (Question::Equals, Constant::Truth(false)) => (Question::Equals, Constant::Truth(true), !row.holds),
        (Question::IsMore, constant) => (Question::IsAtMost, constant, !row.holds),
        (Question::IsAtLeast, constant) => (Question::IsLess, constant, !row.holds),
        (question, constant) => (question, constant, row.holds),
    }
}

/// Takes conditions out that say nothing of parameters; gives what stands for each of them, the first for what always holds.
pub(super) fn keep_said_of_parameters(
    conditions: &mut Vec<Condition>,
    others: &FxHashSet<PlaceId>,
) -> Vec<ConditionId> {
    let is_other = |row: &Condition| is_mark(row.parameter) || others.contains(&row.parameter);
    let mut kept: Vec<Condition> = Vec::new();
    let mut stands_for = vec![ConditionId::default()];
    for row in conditions.iter() {
        let outer = stands_for[row.outer.0 as usize];
        let mut alternatives = std::iter::successors(Some(row), |row| row.or.row(conditions));
        if alternatives.any(is_other) {
            stands_for.push(outer);
            continue;
        }
        kept.push(Condition {
            outer,
            depth: outer.row(&kept).map_or(0, |row| row.depth) + 1,
            or: stands_for[row.or.0 as usize],
            ..*row
        });
        stands_for.push(ConditionId(kept.len() as u32));
    }
    *conditions = kept;
    stands_for
}
