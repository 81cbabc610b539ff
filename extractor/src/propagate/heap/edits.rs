//! Which edits a function makes of a container, by itself, through library code and through the functions that it calls.

use ripple_schema::How;
use rustc_hash::FxHashSet;

use super::contents::{Contents, Edit, Item};
use super::keys::part_under;
use super::lay_out::container_at;
use super::timeline::{Known, Timeline, after, contents_after, meet, walk};
use super::tracked::{Given, Pair};
use super::{Heap, RootId, RootKind};
use crate::facts::order::Point;
use crate::facts::{ArgumentKind, AtEnd, ContainerKind};
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Step};
use crate::propagate::keyed::part_given;
use crate::propagate::library::Change;
use crate::propagate::solve::{RowKey, Solver, Target};

/// What is done to a container at which points.
pub(super) type Edits = Vec<(Point, Vec<Edit>)>;

impl Heap {
    /// What a function and its callees do to a container by itself; false where that is done at any time.
    pub(super) fn raw_edits(&mut self, solver: &Solver<'_>, of: (FunctionIndex, RootId), edits: &mut Edits) -> bool {
        self.own_edits(solver, of, edits) && self.edits_of_callees(solver, of, edits)
    }

    /// Edits by which all parts of other containers are put in, told part by part.
    fn add_others(&mut self, solver: &Solver<'_>, edits: &mut Edits) {
        // What is added is known before the rest.
        let added: Vec<RootId> = edits
            .iter()
            .flat_map(|(_, edits)| edits)
            .filter_map(added_root)
            .collect();
        for other in added {
            self.timeline(solver, other);
        }
        for (point, made) in edits.iter_mut() {
            *made = self.with_added(std::mem::take(made), *point);
        }
    }

    pub(super) fn find_timeline(&mut self, solver: &Solver<'_>, root: RootId) -> Option<Timeline> {
        let is_known = self.is_followed(root) && !self.tracked.left_behind.contains(&root);
        let function = self.function_of(solver, root).filter(|_| is_known)?;
        let order = solver
            .program
            .order(function)
            .filter(|order| !order.is_loose && order.len > 0)?;
        let (start, is_given) = self.start_of(solver, root);
        let mut edits = Edits::new();
        if !self.raw_edits(solver, (function, root), &mut edits)
            || !self.edits_of_family(solver, (function, root), &mut edits)
        {
            return None;
        }
        self.add_others(solver, &mut edits);
        let cut = self.cut_out(solver, root);
        let start = start.filter(|_| cut.is_none());
        edits.extend(cut.map(|(at, edit)| (at, vec![edit])));
        edits.sort_by_key(|(point, _)| *point);
        // Two at once come in no order.
        let mut at: Vec<(Point, Vec<Edit>)> = Vec::new();
        let is_one = self.is_one(solver, root);
        for (point, made) in edits {
            match at.last_mut() {
                Some((last, known)) if *last == point && are_apart(known, &made) => known.extend(made),
                Some((last, known)) if *last == point => *known = vec![Edit::Unknown],
                _ if is_one => at.push((point, made)),
                _ => at.push((point, vec![Edit::Unknown])),
            }
        }
        let becomes = at.iter().flat_map(|(_, edits)| edits);
        let becomes = becomes.filter(|edit| matches!(edit, Edit::Become(_))).count();
        if becomes > usize::from(start.is_none() && !is_given) {
            return None;
        }
        let stops = walk(order, &at, is_given || start.is_some())?;
        let ends = order
            .exits
            .iter()
            .map(|exit| after(&stops, *exit, is_given || start.is_some()));
        let ends = ends.fold(Known::Never, meet);
        Some(Timeline {
            start,
            is_given,
            stops,
            ends,
        })
    }

    /// What a container holds before any edit, and whether the function is given it.
    fn start_of(&self, solver: &Solver<'_>, root: RootId) -> (Option<Contents>, bool) {
        match self.get(root).kind {
            RootKind::Made(place) => {
                let is_whole = |kind| container_at(solver, place) == Some(kind);
                let keys = solver.keyed.get(&place).filter(|_| is_whole(ContainerKind::Map));
                let length = solver.lengths.get(&place).filter(|_| is_whole(ContainerKind::List));
                let start = match (keys, length) {
                    (None, None) if self.made_empty.contains(&place) => match container_at(solver, place) {
                        Some(ContainerKind::List) => Contents::of_length(0),
                        Some(ContainerKind::Map) => Some(Contents::Map(Vec::new())),
                        _ => None,
                    },
                    (Some(keys), _) => {
                        let parts = keys.iter().map(|key| (*key, Item::Nothing)).collect();
                        Some(Contents::Map(parts))
                    }
                    (None, Some(length)) => Contents::of_length(*length),
                    (None, None) if is_whole(ContainerKind::Channel) && !self.tracked.shared.contains(&root) => {
                        Contents::of_length(0)
                    }
                    (None, None) => None,
                };
                (start.filter(|_| self.is_empty_at_first(solver, root)), false)
            }
            _ => match self
                .contents_begun(solver, root)
                .or_else(|| self.contents_grown(solver, root))
            {
                Some(contents) => (Some(contents), false),
                None => (None, !self.is_made(root)),
            },
        }
    }

    /// What the function itself does to a container; false where that is done at any time.
    fn own_edits(
        &self,
        solver: &Solver<'_>,
        (function, root): (FunctionIndex, RootId),
        edits: &mut Vec<(Point, Vec<Edit>)>,
    ) -> bool {
        let Some(rows) = self.tracked.rows.get(&root) else {
            return true;
        };
        let is_alone = |place: PlaceIndex| self.is_the_one(self.points_of(place), root);
        let mut told: FxHashSet<Point> = FxHashSet::default();
        for call in &rows.calls {
            let row = &solver.calls[*call as usize];
            let Some(receiver) = row.receiver.filter(|_| row.function == function) else {
                continue;
            };
            told.insert(row.point);
            let is_certain = row.how != How::Callback && is_alone(receiver);
            let made = is_certain.then(|| self.edits_by_library(solver, *call)).flatten();
            edits.push((row.point, made.unwrap_or_else(|| vec![Edit::Unknown])));
        }
        for call in &rows.layers {
            let row = &solver.calls[*call as usize];
            let entry = row.targets.iter().find_map(|target| match target {
                Target::External(name) => solver.table_entry(row.file, *name),
                _ => None,
            });
            if let Some(entry) = entry.filter(|_| row.function == function) {
                told.insert(row.point);
                let is_certain = row.targets.len() == 1 && row.how != How::Callback;
                let made = is_certain.then(|| self.edits_of_layers(solver, *call, &entry.flows));
                edits.push((row.point, made.unwrap_or_else(|| vec![Edit::Unknown])));
            }
        }
        let is_shared = self.tracked.shared.contains(&root);
        for index in &rows.ends {
            let row = &solver.end_changes[*index];
            if row.function != function {
                continue;
            }
            told.insert(row.point);
            let edit = match (row.change, row.part.map(Item::Of)) {
                (AtEnd::Empty, _) if is_shared || !is_alone(row.base) => continue,
                (AtEnd::Empty, _) => Edit::Empty,
                // A list that somebody else holds is as long as before, and others send when they like.
                _ if is_shared || !is_alone(row.base) => Edit::Unknown,
                (AtEnd::Receive(_) | AtEnd::CutFirst, _) => Edit::Take(Part::Index(0)),
                (AtEnd::Append(_), Some(item)) => Edit::Append(item),
                (AtEnd::Extend(_), Some(Item::Of(place))) => match self.points_of(place) {
                    [other] => Edit::Add(*other),
                    _ => Edit::Unknown,
                },
                (AtEnd::CutLast, _) => Edit::TakeBack(1),
                (AtEnd::CutAll, _) => Edit::Clear,
                _ => Edit::Unknown,
            };
            edits.push((row.point, vec![edit]));
        }
        for index in &rows.stores {
            let row = &solver.element_stores[*index];
            if row.function != function || told.contains(&row.point) {
                continue;
            }
            if row.key == RowKey::Keys
                || row.silent && !matches!(row.key, RowKey::Size | RowKey::Places | RowKey::Shifted)
            {
                continue;
            }
            let item = Item::Of(row.value);
            let edit = match row.key {
                _ if row.library || !is_alone(row.base) => Edit::Unknown,
                RowKey::Text(key) => Edit::Put(Part::Text(key), item),
                RowKey::Index(index) => Edit::Put(Part::Index(index), item),
                _ => match part_under(solver, row, ContainerKind::Map) {
                    Some(part) => Edit::Put(part, item),
                    None => Edit::Unknown,
                },
            };
            edits.push((row.point, vec![edit]));
        }
        for index in &rows.copies {
            let row = &solver.part_copies[*index];
            // What moves up is told by what takes out the part before it.
            let is_told = told.contains(&row.point) || row.from == row.to || self.is_of_window(*index);
            if row.function == function && !is_told {
                edits.push((row.point, vec![Edit::Unknown]));
            }
        }
        for index in &rows.drops {
            let row = &solver.drops[*index];
            if row.at.function != function || row.call.is_some() && told.contains(&row.at.point) {
                continue;
            }
            let edit = match row.part {
                Some(part @ (Part::Text(_) | Part::Index(_) | Part::Under(_)))
                    if row.call.is_none() && is_alone(row.base) =>
                {
                    Edit::Take(part)
                }
                _ => Edit::Unknown,
            };
            edits.push((row.at.point, vec![edit]));
        }
        true
    }

    /// What a call of library code does to its receiver, as the table says.
    fn edits_by_library(&self, solver: &Solver<'_>, call: u32) -> Option<Vec<Edit>> {
        let row = &solver.calls[call as usize];
        let [change] = changes_of(solver, row.file, &row.targets)? else {
            return None;
        };
        let arguments = solver.call_arguments(call);
        let by_position = |argument: &&crate::propagate::solve::ArgumentRow| argument.kind == ArgumentKind::Positional;
        if !arguments.iter().all(|argument| {
            by_position(&argument) || *change == Change::Update && matches!(argument.kind, ArgumentKind::Keyword(_))
        }) {
            return None;
        }
        let item = |index: usize| {
            arguments
                .get(index)
                .map(|argument| argument.place.map_or(Item::Nothing, Item::Of))
        };
        let key = || {
            let first = arguments.first()?;
            let own = first.place.and_then(|place| solver.key_place(place));
            part_given(first).or(own.map(Part::Under))
        };
        let number = || solver.numbers.get(&call).copied();
        Some(vec![match change {
            Change::Append => Edit::Append(item(0)?),
            Change::Prepend => Edit::Insert(0, item(0)?),
            Change::Insert => Edit::Insert(u32::try_from(number()?).ok()?, item(1)?),
            Change::Pop if arguments.is_empty() => Edit::TakeBack(1),
            Change::Pop => match number()? {
                index @ 0.. => Edit::Take(Part::Index(index as u32)),
                index => Edit::TakeBack(index.unsigned_abs()),
            },
            Change::PopFirst => Edit::Take(Part::Index(0)),
            Change::Clear => Edit::Clear,
            Change::Reverse => Edit::Reverse,
            Change::Put => Edit::Put(key()?, item(1)?),
            Change::Take => Edit::Take(key()?),
            Change::Default => Edit::Default(key()?, item(1).unwrap_or(Item::Nothing)),
            Change::Extend | Change::Update => {
                let mut edits = Vec::new();
                for argument in arguments {
                    let place = argument.place.map_or(Item::Nothing, Item::Of);
                    match (argument.name, argument.place) {
                        (Some(name), _) => edits.push(Edit::Put(Part::Text(name), place)),
                        (None, Some(place)) => match self.points_of(place) {
                            [root] => edits.push(Edit::Add(*root)),
                            _ => return None,
                        },
                        (None, None) => return None,
                    }
                }
                return Some(edits);
            }
        }])
    }

    /// What callees do to a container; false where that is done at any time.
    fn edits_of_callees(
        &mut self,
        solver: &Solver<'_>,
        (function, root): (FunctionIndex, RootId),
        edits: &mut Vec<(Point, Vec<Edit>)>,
    ) -> bool {
        let Some(pairs) = self.pairs(function) else {
            return false;
        };
        for index in pairs.of.get(&root).into_iter().flatten() {
            let (index, ours, theirs) = &pairs.all[*index];
            let (point, is_certain, is_later) = {
                let site = &self.locals[function.at()].sites[*index];
                let is_alone = pairs.calls.get(&site.when.point) == Some(&1);
                (
                    site.when.point,
                    site.when.is_certain && is_alone && self.is_the_one(ours, root),
                    self.is_delayed(solver, site),
                )
            };
            // Something that never ends may have begun it, too.
            if is_later && self.is_edited(*theirs) {
                return false;
            }
            let made = self.edits_of_callee(solver, (function, *index), *theirs, &pairs.all);
            let made = match made {
                Some(made) if made.is_empty() => continue,
                _ if is_later => return false,
                Some(made) if is_certain => made,
                _ => vec![Edit::Unknown],
            };
            let made = made
                .into_iter()
                .map(|edit| self.as_given(edit, (function, *index), root))
                .collect();
            edits.push((point, self.with_added(made, point)));
        }
        true
    }

    /// Whether its function does anything to a container.
    fn is_edited(&self, root: RootId) -> bool {
        let mut cells = self.get(root).cells.iter().map(|cell| self.cell(*cell));
        self.tracked.edited.contains(&root) || cells.any(|cell| matches!(cell.step, Step::Part(_)) && cell.written)
    }

    /// What a callee does to a container, in its own words but for other containers and keys; none where that is not known.
    fn edits_of_callee(
        &mut self,
        solver: &Solver<'_>,
        (function, index): (FunctionIndex, usize),
        theirs: RootId,
        pairs: &[Pair],
    ) -> Option<Vec<Edit>> {
        let is_made = self.is_made(theirs);
        if !self.is_edited(theirs) && !is_made {
            return Some(Vec::new());
        }
        self.timeline(solver, theirs);
        let Some(Some(timeline)) = self.tracked.timelines.get(&theirs) else {
            return None;
        };
        let Known::Edits(made) = &timeline.ends else {
            return match timeline.ends {
                Known::Never => Some(Vec::new()),
                _ => None,
            };
        };
        let mut made = made.clone();
        if is_made {
            match contents_after(timeline.start.clone(), timeline.is_given, &made) {
                Some(contents) => {
                    contents.items()?;
                    return Some(vec![Edit::Become(contents)]);
                }
                // What others of ours hold is added by us.
                None => {
                    made.iter().find(|edit| matches!(edit, Edit::Add(_)))?;
                    made.insert(0, Edit::Become(timeline.start.clone()?));
                }
            }
        }
        let site = &self.locals[function.at()].sites[index];
        let edits = made.into_iter().map(|edit| match edit {
            Edit::Add(other) => {
                let first = pairs.partition_point(|(at, ..)| *at < index);
                let of_call = pairs[first..].iter().take_while(|(at, ..)| *at == index);
                let mut known = of_call.filter(|(.., their)| *their == other);
                match (known.next(), known.next()) {
                    (Some((_, ours, _)), None) if ours.len() == 1 => Edit::Add(ours[0]),
                    _ => Edit::Unknown,
                }
            }
            Edit::Put(part @ Part::Under(_), item) => match self.our_part(site, part) {
                Some(part) => Edit::Put(part, item),
                None => Edit::Unknown,
            },
            Edit::Default(part @ Part::Under(_), item) => match self.our_part(site, part) {
                Some(part) => Edit::Default(part, item),
                None => Edit::Unknown,
            },
            Edit::Take(part @ Part::Under(_)) => self.our_part(site, part).map_or(Edit::Unknown, Edit::Take),
            edit => edit,
        });
        let edits: Vec<Edit> = edits.collect();
        for other in edits.iter().filter_map(added_root) {
            self.timeline(solver, other);
        }
        Some(edits)
    }

    /// An edit of a callee's, of what it puts there for us.
    fn as_given(&mut self, edit: Edit, (function, index): (FunctionIndex, usize), root: RootId) -> Edit {
        let mut given = |item| match item {
            Item::Nothing => Item::Nothing,
            item => {
                let site = &self.locals[function.at()].sites[index];
                let tracked = &mut self.tracked;
                let next = tracked.given.len() as u32;
                let id = *tracked.given_ids.entry((site.call, root, item)).or_insert(next);
                if id == next {
                    tracked.given.push(Given {
                        call: site.call,
                        site: site.at,
                        function,
                        at: site.when.point,
                        root,
                        item,
                        place: None,
                    });
                }
                Item::Given(id)
            }
        };
        match edit {
            Edit::Put(part, item) => Edit::Put(part, given(item)),
            Edit::Default(part, item) => Edit::Default(part, given(item)),
            Edit::Insert(index, item) => Edit::Insert(index, given(item)),
            Edit::Append(item) => Edit::Append(given(item)),
            Edit::Become(Contents::Map(parts)) => {
                let parts = parts.into_iter().map(|(part, item)| (part, given(item))).collect();
                Edit::Become(Contents::Map(parts))
            }
            Edit::Become(Contents::List { front, middle, back }) => Edit::Become(Contents::List {
                front: front.into_iter().map(&mut given).collect(),
                middle,
                back: back.into_iter().map(&mut given).collect(),
            }),
            edit => edit,
        }
    }

    /// The same edits, with what is in other containers in place of these.
    fn with_added(&self, edits: Vec<Edit>, point: Point) -> Vec<Edit> {
        let mut all = Vec::new();
        for edit in edits {
            let Edit::Add(other) = edit else {
                all.push(edit);
                continue;
            };
            let Some(Some(timeline)) = self.tracked.timelines.get(&other) else {
                all.push(Edit::Unknown);
                continue;
            };
            match timeline.before(point) {
                Known::Edits(made) if made.is_empty() && timeline.is_given => all.push(Edit::Add(other)),
                Known::Edits(made) => {
                    let contents = contents_after(timeline.start.clone(), timeline.is_given, &made);
                    match contents.and_then(|contents| contents.items()) {
                        Some(items) => all.extend(items.into_iter().map(|(key, item)| match key {
                            Some(key) => Edit::Put(key, item),
                            None => Edit::Append(item),
                        })),
                        None => all.push(Edit::Unknown),
                    }
                }
                _ => all.push(Edit::Unknown),
            }
        }
        all
    }
}

/// Whether edits that happen at once are of different parts, so that it is the same in any order.
fn are_apart(known: &[Edit], made: &[Edit]) -> bool {
    let part = |edit: &Edit| match edit {
        Edit::Put(part @ (Part::Text(_) | Part::Index(_)), _) => Some(*part),
        _ => None,
    };
    let is_apart = |edit: &Edit| {
        part(edit).is_some_and(|own| known.iter().all(|other| part(other).is_some_and(|other| other != own)))
    };
    made.iter().all(is_apart)
}

fn added_root(edit: &Edit) -> Option<RootId> {
    match edit {
        Edit::Add(root) => Some(*root),
        _ => None,
    }
}

/// The changes that the table says of all that is called, if it says the same of each.
pub(super) fn changes_of<'s>(solver: &'s Solver<'_>, file: FileIndex, targets: &[Target]) -> Option<&'s [Change]> {
    let mut changes = None;
    for target in targets {
        let Target::External(name) = target else { return None };
        let entry = solver.table_entry(file, *name)?;
        let own = Some(entry.edits.as_slice()).filter(|edits| !edits.is_empty())?;
        if changes.is_some_and(|known| known != own) {
            return None;
        }
        changes = Some(own);
    }
    changes
}
