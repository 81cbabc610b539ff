//! Containers of which all that is done to them is known, in order: what each of their parts holds at each read.
//!
//! ```python
//! def add(rows, value): rows.append(value)
//! rows = ["x"]
//! add(rows, secret)        # ["x", secret]
//! rows.pop(0)              # [secret]
//! ```
//!
//! A function has a list of the edits that it makes to a container that it is given, the same on all its ways, and each caller makes
//! them its own. Where ways meet with different edits, where a loop repeats one, or where the container may be another one, nothing is
//! known from there on, and the versions of its cells tell what may be where.

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::contents::{Contents, Edit, Found, Item, Wanted};
use super::keys::part_under;
use super::lay_out::{container_at, part_fields};
use super::versions::is_delayed;
use super::{CELL_LIMIT, Callee, Heap, RootId, RootKind, Roots};
use crate::facts::order::{Order, Point};
use crate::facts::{ArgumentKind, ContainerKind, Position};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, Part, PlaceIndex, Step};
use crate::propagate::edges::{EdgeSite, End, NO_CALL, ValueEdge};
use crate::propagate::library::Change;
use crate::propagate::solve::{ElementRow, RowKey, Solver, Target};

/// Most edits of one container that a function is seen to make, its callees' included.
const EDIT_LIMIT: usize = 32;

/// How often the edits that reach each point are looked at again: as deep as loops are inside each other.
const ROUND_LIMIT: usize = 6;

/// What a callee put in a container of ours.
#[derive(Debug)]
struct Given {
    call: u32,
    site: (FileIndex, Position),
    function: FunctionIndex,
    at: Point,
    root: RootId,
    item: Item,
    place: Option<PlaceIndex>,
}

/// Edits on the way to a point.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Known {
    /// No way leads there.
    Never,
    Edits(Vec<Edit>),
    Unknown,
}

/// Where edits happen or ways meet.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stop {
    at: Point,
    before: Known,
    after: Known,
}

/// The edits of one container in its function.
#[derive(Debug)]
struct Timeline {
    /// What it holds before them; none where that is not known, nor what kind of container it is.
    start: Option<Contents>,
    is_given: bool,
    /// Where edits happen or ways meet, with what holds after it.
    stops: Vec<Stop>,
    ends: Known,
}

/// A call that hands a container to a callee, or gets one: which call, our containers, the callee's.
type Pair = (usize, Roots, RootId);

/// What a function does with containers, by row.
#[derive(Debug, Default)]
struct Rows {
    stores: Vec<usize>,
    loads: Vec<usize>,
    copies: Vec<usize>,
    drops: Vec<usize>,
    calls: Vec<u32>,
    pairs: Option<Vec<Pair>>,
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Tracked {
    given: Vec<Given>,
    given_ids: FxHashMap<(u32, RootId, Item), u32>,
    /// Where functions leave what they put, by what that is.
    left: FxHashMap<PlaceIndex, PlaceIndex>,
    /// None while it is looked for.
    timelines: FxHashMap<RootId, Option<Timeline>>,
    rows: FxHashMap<FunctionIndex, Rows>,
    /// Containers that are edited at all.
    edited: FxHashSet<RootId>,
    /// Those of which functions read parts by where callers know them to be.
    opened: FxHashSet<RootId>,
    /// What is in a container at a point where it is read.
    found: FxHashMap<(RootId, Point), Contents>,
}

impl Timeline {
    fn is_there(&self) -> bool {
        self.is_given || self.start.is_some()
    }

    /// What holds before a point.
    fn before(&self, point: Point) -> Known {
        match self.stops.binary_search_by_key(&point, |stop| stop.at) {
            Ok(index) => self.stops[index].before.clone(),
            Err(_) => after(&self.stops, Point(point.0.saturating_sub(1)), self.is_there()),
        }
    }
}

impl Heap {
    /// Finds what is in containers at each read, where that is known. After the roots, before their cells have places.
    pub(super) fn track(&mut self, solver: &mut Solver<'_>) {
        let edited = self.edited(solver);
        if edited.is_empty() {
            return;
        }
        self.note_rows(solver, &edited);
        let mut roots: Vec<RootId> = edited.iter().copied().collect();
        let ranks = self.callees_first();
        let function = |heap: &Self, root: RootId| heap.function_of(solver, root);
        roots.sort_by_key(|root| (function(self, *root).map_or(0, |function| ranks[function.at()]), *root));
        self.tracked.edited = edited;
        for root in &roots {
            self.timeline(solver, *root);
        }
        for root in roots {
            self.note_reads(solver, root);
        }
        self.tracked.timelines = FxHashMap::default();
        self.tracked.rows = FxHashMap::default();
    }

    /// The parts of a container that a read finds, where it is known what is there.
    pub(super) fn parts_tracked(&self, root: RootId, part: Part, point: Point) -> Option<Vec<PlaceIndex>> {
        let contents = self.tracked.found.get(&(root, point))?;
        match part {
            Part::Any | Part::Under(_) => {
                let items = contents.items()?.into_iter();
                Some(items.filter_map(|(_, item)| self.place_of_item(item)).collect())
            }
            part => self.found_places(root, contents.find(Wanted::Part(part))?),
        }
    }

    /// As [`Heap::parts_tracked`], of a part that is counted from the end.
    pub(super) fn part_from_end(&self, root: RootId, back: u32, point: Point) -> Option<Vec<PlaceIndex>> {
        let contents = self.tracked.found.get(&(root, point))?;
        self.found_places(root, contents.find(Wanted::Back(back))?)
    }

    /// What a load finds in a container.
    pub(super) fn load_tracked(&self, root: RootId, row: &ElementRow) -> Option<Vec<PlaceIndex>> {
        match row.key {
            RowKey::Text(key) => self.parts_tracked(root, Part::Text(key), row.point),
            RowKey::Index(index) | RowKey::At(index) => self.parts_tracked(root, Part::Index(index), row.point),
            RowKey::Back(back) => self.part_from_end(root, back, row.point),
            RowKey::Any if row.index.is_some() => self.parts_tracked(root, Part::Any, row.point),
            _ => None,
        }
    }

    fn found_places(&self, root: RootId, found: Found) -> Option<Vec<PlaceIndex>> {
        match found {
            Found::Missing => Some(Vec::new()),
            Found::Item(item) => Some(self.place_of_item(item).into_iter().collect()),
            Found::First(index) => Some(vec![self.place_of(root, Step::Part(Part::Index(index)))?.1]),
            Found::Last(back) => Some(vec![self.place_of(root, Step::Part(Part::Last(back)))?.1]),
        }
    }

    /// Whether a function reads a part of what it is given by where its callers know it to be.
    pub(super) fn is_read_by_place(&self, root: RootId) -> bool {
        self.tracked.opened.contains(&root)
    }

    fn place_of_item(&self, item: Item) -> Option<PlaceIndex> {
        match item {
            Item::Nothing => None,
            Item::Of(place) => Some(place),
            Item::Given(id) => self.tracked.given[id as usize].place,
        }
    }

    /// The containers that library code edits, and what callers call them.
    fn edited(&self, solver: &Solver<'_>) -> FxHashSet<RootId> {
        let mut edited: FxHashSet<RootId> = FxHashSet::default();
        for row in solver.calls.iter().filter(|row| !row.silent) {
            if changes_of(solver, row.file, &row.targets).is_some() {
                let receiver = row.receiver.into_iter();
                edited.extend(receiver.flat_map(|receiver| self.points_of(receiver)));
            }
        }
        edited.retain(|root| self.is_followed(*root));
        let mut functions: FxHashSet<FunctionIndex> = FxHashSet::default();
        let owner = |root: &RootId| self.function_of(solver, *root);
        functions.extend(edited.iter().filter_map(owner));
        let ranks = self.callees_first();
        let mut callers: Vec<FunctionIndex> = (0..self.locals.len() as u32).map(FunctionIndex).collect();
        callers.sort_unstable_by_key(|function| ranks[function.at()]);
        for caller in callers {
            for site in &self.locals[caller.at()].sites {
                let is_of = |function| functions.contains(&function);
                if !matches!(site.callee, Callee::Function { function, .. } if is_of(function)) {
                    continue;
                }
                let mut ours_edited: Vec<RootId> = Vec::new();
                self.each_pair(site, &mut |heap, ours, theirs, _| {
                    if edited.contains(&theirs) {
                        ours_edited.extend(ours.iter().filter(|root| heap.is_followed(**root)));
                    }
                });
                if !ours_edited.is_empty() {
                    functions.insert(caller);
                    edited.extend(ours_edited);
                }
            }
        }
        edited
    }

    fn is_followed(&self, root: RootId) -> bool {
        !self.is_lost(root) && root != super::NOTHING
    }

    fn function_of(&self, solver: &Solver<'_>, root: RootId) -> Option<FunctionIndex> {
        match self.get(self.top(root)).kind {
            RootKind::Made(place) | RootKind::Parameter(place) => solver.program.owner_of(place),
            _ => None,
        }
    }

    fn note_rows(&mut self, solver: &Solver<'_>, edited: &FxHashSet<RootId>) {
        let mut rows: FxHashMap<FunctionIndex, Rows> = FxHashMap::default();
        let functions = edited.iter().filter_map(|root| self.function_of(solver, *root));
        let mut open: FxHashSet<FunctionIndex> = functions.collect();
        // Callees make what these edit.
        for _ in 0..2 {
            let sites = open.iter().flat_map(|function| &self.locals[function.at()].sites);
            let callees: Vec<FunctionIndex> = sites
                .filter_map(|site| match site.callee {
                    Callee::Function { function, .. } => Some(function),
                    _ => None,
                })
                .collect();
            open.extend(callees);
        }
        rows.extend(open.into_iter().map(|function| (function, Rows::default())));
        for (index, row) in solver.element_stores.iter().enumerate() {
            if let Some(rows) = rows.get_mut(&row.function) {
                rows.stores.push(index);
            }
        }
        for (index, row) in solver.element_loads.iter().enumerate() {
            if let Some(rows) = rows.get_mut(&row.function).filter(|_| !row.silent && !row.known) {
                rows.loads.push(index);
            }
        }
        for (index, row) in solver.part_copies.iter().enumerate() {
            if let Some(rows) = rows.get_mut(&row.function) {
                rows.copies.push(index);
            }
        }
        for (index, row) in solver.drops.iter().enumerate() {
            if let Some(rows) = rows.get_mut(&row.at.function) {
                rows.drops.push(index);
            }
        }
        for (index, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            if let Some(rows) = rows.get_mut(&row.function)
                && changes_of(solver, row.file, &row.targets).is_some()
            {
                rows.calls.push(index as u32);
            }
        }
        self.tracked.rows = rows;
    }

    /// Who hands which containers to whom, in a function.
    fn pairs(&mut self, function: FunctionIndex) -> Vec<Pair> {
        if let Some(pairs) = self.tracked.rows.get(&function).and_then(|rows| rows.pairs.as_ref()) {
            return pairs.clone();
        }
        let mut pairs: Vec<Pair> = Vec::new();
        for (index, site) in self.locals[function.at()].sites.iter().enumerate() {
            self.each_pair(site, &mut |heap, ours, theirs, _| {
                let is_part = |step: Step| matches!(step, Step::Part(_));
                let cells = heap.get(theirs).cells.iter().map(|cell| heap.cell(*cell));
                let is_edited = heap.tracked.edited.contains(&theirs);
                let is_container = is_edited || cells.into_iter().any(|cell| is_part(cell.step));
                let is_made = matches!(heap.get(theirs).kind, RootKind::Made(_));
                if is_container || is_made {
                    pairs.push((index, Roots::from_slice(ours), theirs));
                }
            });
        }
        self.tracked.rows.entry(function).or_default().pairs = Some(pairs.clone());
        pairs
    }

    /// Finds the edits of a container.
    fn timeline(&mut self, solver: &Solver<'_>, root: RootId) {
        if self.tracked.timelines.contains_key(&root) {
            return;
        }
        self.tracked.timelines.insert(root, None);
        let timeline = self.find_timeline(solver, root).unwrap_or(Timeline {
            start: None,
            is_given: false,
            stops: Vec::new(),
            ends: Known::Unknown,
        });
        self.tracked.timelines.insert(root, Some(timeline));
    }

    fn find_timeline(&mut self, solver: &Solver<'_>, root: RootId) -> Option<Timeline> {
        let function = self.function_of(solver, root).filter(|_| self.is_followed(root))?;
        let order = solver
            .program
            .order(function)
            .filter(|order| !order.is_loose && order.len > 0)?;
        let (start, is_given) = self.start_of(solver, root);
        let mut edits: Vec<(Point, Vec<Edit>)> = Vec::new();
        if !self.own_edits(solver, (function, root), &mut edits)
            || !self.edits_of_callees(solver, (function, root), &mut edits)
        {
            return None;
        }
        edits.sort_by_key(|(point, _)| *point);
        // Two at once come in no order.
        let mut at: Vec<(Point, Vec<Edit>)> = Vec::new();
        let is_one = self.is_one(solver, root);
        for (point, made) in edits {
            match at.last_mut() {
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
                    (Some(keys), _) => {
                        let parts = keys.iter().map(|key| (*key, Item::Nothing)).collect();
                        Some(Contents::Map(parts))
                    }
                    (None, Some(length)) => Contents::of_length(*length),
                    (None, None) => None,
                };
                (start.filter(|_| self.is_empty_at_first(solver, root)), false)
            }
            _ => (None, !self.is_made(root)),
        }
    }

    /// What the function itself does to a container; false where that is done at any time.
    fn own_edits(
        &self,
        solver: &Solver<'_>,
        (function, root): (FunctionIndex, RootId),
        edits: &mut Vec<(Point, Vec<Edit>)>,
    ) -> bool {
        let Some(rows) = self.tracked.rows.get(&function) else {
            return false;
        };
        let holds = |place: PlaceIndex| self.points_of(place).contains(&root);
        let is_alone = |place: PlaceIndex| self.points_of(place) == [root];
        let mut told: FxHashSet<Point> = FxHashSet::default();
        for call in &rows.calls {
            let row = &solver.calls[*call as usize];
            let Some(receiver) = row.receiver.filter(|receiver| holds(*receiver)) else {
                continue;
            };
            told.insert(row.point);
            let is_certain = row.how != How::Callback && is_alone(receiver);
            let made = is_certain.then(|| self.edits_by_library(solver, *call)).flatten();
            edits.push((row.point, made.unwrap_or_else(|| vec![Edit::Unknown])));
        }
        for index in &rows.stores {
            let row = &solver.element_stores[*index];
            if !holds(row.base) || row.library && told.contains(&row.point) {
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
            if holds(row.to) && !told.contains(&row.point) {
                edits.push((row.point, vec![Edit::Unknown]));
            }
        }
        for index in &rows.drops {
            let row = &solver.drops[*index];
            if !holds(row.base) || row.call.is_some() && told.contains(&row.at.point) {
                continue;
            }
            let edit = match row.part {
                Some(part @ (Part::Text(_) | Part::Index(_))) if row.call.is_none() && is_alone(row.base) => {
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
        let key = || arguments.first()?.text.map(Part::Text);
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
        let pairs = self.pairs(function);
        let mut calls: FxHashMap<Point, usize> = FxHashMap::default();
        for site in &self.locals[function.at()].sites {
            *calls.entry(site.when.point).or_default() += 1;
        }
        for (index, ours, theirs) in &pairs {
            if !ours.contains(&root) {
                continue;
            }
            let (point, is_certain, is_later) = {
                let site = &self.locals[function.at()].sites[*index];
                let is_alone = calls.get(&site.when.point) == Some(&1);
                (
                    site.when.point,
                    site.when.is_certain && is_alone && ours.len() == 1,
                    is_delayed(solver, site),
                )
            };
            let made = self.edits_of_callee(solver, (function, *index), *theirs, &pairs);
            let made = match made {
                Some(made) if made.is_empty() => continue,
                Some(_) if is_later => return false,
                None if is_later => return false,
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

    /// What a callee does to a container, in its own words but for other containers and keys; none where that is not known.
    fn edits_of_callee(
        &mut self,
        solver: &Solver<'_>,
        (function, index): (FunctionIndex, usize),
        theirs: RootId,
        pairs: &[Pair],
    ) -> Option<Vec<Edit>> {
        let cells = self.get(theirs).cells.iter().map(|cell| self.cell(*cell));
        let mut cells = cells.into_iter();
        let is_written = self.tracked.edited.contains(&theirs)
            || cells.any(|cell| matches!(cell.step, Step::Part(_)) && cell.written);
        let is_made = self.is_made(theirs);
        if !is_written && !is_made {
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
        if is_made {
            let contents = contents_after(timeline.start.clone(), timeline.is_given, made)?;
            contents.items()?;
            return Some(vec![Edit::Become(contents)]);
        }
        let made = made.clone();
        let site = &self.locals[function.at()].sites[index];
        let edits = made.into_iter().map(|edit| match edit {
            Edit::Add(other) => {
                let mut known = pairs.iter().filter(|(at, _, their)| *at == index && *their == other);
                match (known.next(), known.next()) {
                    (Some((_, ours, _)), None) if ours.len() == 1 => Edit::Add(ours[0]),
                    _ => Edit::Unknown,
                }
            }
            Edit::Put(part @ Part::Under(_), item) => match self.our_step(site, Step::Part(part)) {
                Step::Part(part @ (Part::Text(_) | Part::Under(_))) => Edit::Put(part, item),
                _ => Edit::Unknown,
            },
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

    /// What is in a container at each point where the function or a callee reads it.
    fn note_reads(&mut self, solver: &mut Solver<'_>, root: RootId) {
        let Some(function) = self.function_of(solver, root) else {
            return;
        };
        let Some(rows) = self.tracked.rows.get(&function) else {
            return;
        };
        let holds = |place: PlaceIndex| self.points_of(place).contains(&root);
        let mut reads: Vec<(Point, Option<RowKey>, PlaceIndex)> = Vec::new();
        for index in &rows.loads {
            let row = &solver.element_loads[*index];
            if holds(row.base) {
                reads.push((row.point, Some(row.key), row.base));
            }
        }
        for moved in &self.locals[function.at()].moves {
            if let Some((base, point)) = moved.read_at().filter(|(base, _)| holds(*base)) {
                reads.push((point, None, base));
            }
        }
        let mut last: Vec<(Point, u32, RootId)> = Vec::new();
        for (index, ours, theirs) in self.pairs(function) {
            let cells = self.get(theirs).cells.iter().map(|cell| self.cell(*cell));
            let read: Vec<Part> = cells
                .filter(|cell| cell.read)
                .filter_map(|cell| match cell.step {
                    Step::Part(part) => Some(part),
                    _ => None,
                })
                .collect();
            let site = &self.locals[function.at()].sites[index];
            if ours.contains(&root) && !read.is_empty() && !is_delayed(solver, site) {
                reads.push((site.when.point, None, self.nowhere));
                last.extend(read.iter().filter_map(|part| match part {
                    Part::Last(back) => Some((site.when.point, *back, theirs)),
                    _ => None,
                }));
            }
        }
        for (point, key, base) in reads {
            let Some(contents) = self.contents_before(root, point) else {
                continue;
            };
            self.give_places(solver, &contents);
            let wanted = match key {
                Some(RowKey::Index(index) | RowKey::At(index)) => Some(Wanted::Part(Part::Index(index))),
                Some(RowKey::Back(back)) => Some(Wanted::Back(back)),
                _ => None,
            };
            let found = wanted.and_then(|wanted| contents.find(wanted));
            let fields = part_fields(solver, base, Part::Any);
            self.open_part((function, root), found, &fields);
            self.tracked.found.insert((root, point), contents);
        }
        for (point, back, theirs) in last {
            let found = self
                .contents_before(root, point)
                .and_then(|contents| contents.find(Wanted::Back(back)));
            let their = self.cell_ids.get(&(theirs, Step::Part(Part::Last(back))));
            let fields = their.map_or(Vec::new(), |their| self.cell(*their).fields.clone());
            self.open_part((function, root), found, &fields);
        }
    }

    /// A cell for a part of what the container held at first.
    fn open_part(&mut self, (function, root): (FunctionIndex, RootId), found: Option<Found>, fields: &[PlaceIndex]) {
        let part = match found {
            Some(Found::First(index)) => Part::Index(index),
            Some(Found::Last(back)) => Part::Last(back),
            _ => return,
        };
        let any = self.cell_ids.get(&(root, Step::Part(Part::Any)));
        let site = any.map_or((FileIndex(0), Position::default()), |cell| self.cell(*cell).site);
        let is_full = self.get(root).cells.len() >= CELL_LIMIT;
        let cell = (!is_full).then(|| self.cell_at(root, Step::Part(part), site, function));
        if let Some(cell) = cell.flatten() {
            self.tracked.opened.insert(root);
            self.cells[cell.0 as usize].read = true;
            self.note_fields(cell, fields);
        }
    }

    fn contents_before(&self, root: RootId, point: Point) -> Option<Contents> {
        let timeline = self.tracked.timelines.get(&root)?.as_ref()?;
        match timeline.before(point) {
            Known::Edits(edits) => contents_after(timeline.start.clone(), timeline.is_given, &edits),
            _ => None,
        }
    }

    /// Places for what callees put there.
    fn give_places(&mut self, solver: &mut Solver<'_>, contents: &Contents) {
        let items: Vec<Item> = match contents {
            Contents::Map(parts) => parts.iter().map(|(_, item)| *item).collect(),
            Contents::List { front, back, .. } => front.iter().chain(back).copied().collect(),
        };
        for item in items {
            self.give_place(solver, item);
        }
    }

    fn give_place(&mut self, solver: &mut Solver<'_>, item: Item) -> Option<PlaceIndex> {
        let id = match item {
            Item::Nothing => return None,
            Item::Of(place) => return Some(place),
            Item::Given(id) => id as usize,
        };
        if let Some(place) = self.tracked.given[id].place {
            return Some(place);
        }
        let item = self.tracked.given[id].item;
        let from = self.give_place(solver, item)?;
        let from = match item {
            Item::Of(_) => self.leave(solver, from)?,
            _ => from,
        };
        let given = &self.tracked.given[id];
        let (RootKind::Made(owner) | RootKind::Parameter(owner)) = self.get(self.top(given.root)).kind else {
            return None;
        };
        let place = solver.derive_place(DerivedPlace::Cell {
            owner,
            step: Step::Part(Part::Any),
            function: given.function,
            written: given.at,
        });
        self.edges.push(ValueEdge {
            kind: EdgeKind::ReturnsTo,
            from: End::Place(from),
            to: End::Place(place),
            how: How::Store,
            rule: Rule::Propagated,
            site: EdgeSite::from(given.site),
            call: given.call,
        });
        self.tracked.given[id].place = Some(place);
        Some(place)
    }

    /// Where a function leaves what it put in a container of its callers.
    fn leave(&mut self, solver: &mut Solver<'_>, from: PlaceIndex) -> Option<PlaceIndex> {
        if let Some(left) = self.tracked.left.get(&from) {
            return Some(*left);
        }
        let function = solver.program.owner_of(from)?;
        let left = solver.derive_place(DerivedPlace::Passing(function));
        self.tracked.left.insert(from, left);
        let site = solver.program.site_of(from)?;
        self.edges.push(ValueEdge {
            kind: EdgeKind::FlowsTo,
            from: End::Place(from),
            to: End::Place(left),
            how: How::Put,
            rule: Rule::Propagated,
            site: EdgeSite::from(site),
            call: NO_CALL,
        });
        Some(left)
    }
}

fn added_root(edit: &Edit) -> Option<RootId> {
    match edit {
        Edit::Add(root) => Some(*root),
        _ => None,
    }
}

/// The changes that the table says of all that is called, if it says the same of each.
fn changes_of<'s>(solver: &'s Solver<'_>, file: FileIndex, targets: &[Target]) -> Option<&'s [Change]> {
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

/// What is there after some edits.
fn contents_after(start: Option<Contents>, is_given: bool, edits: &[Edit]) -> Option<Contents> {
    let mut edits = edits;
    let mut contents = match (start, edits) {
        (_, [Edit::Become(contents), rest @ ..]) => {
            edits = rest;
            contents.clone()
        }
        (Some(start), _) => start,
        (None, _) if is_given => Contents::of_parameter(),
        (None, _) => return None,
    };
    for edit in edits {
        contents = contents.after(edit)?;
    }
    Some(contents)
}

/// The edits that reach each edit and each place where ways meet, and those behind it.
fn walk(order: &Order, edits: &[(Point, Vec<Edit>)], is_there: bool) -> Option<Vec<Stop>> {
    let mut points: Vec<Point> = edits.iter().map(|(point, _)| *point).collect();
    points.extend(order.meetings.iter().map(|meeting| meeting.at));
    points.sort_unstable();
    points.dedup();
    let never = |at| Stop {
        at,
        before: Known::Never,
        after: Known::Never,
    };
    let mut stops: Vec<Stop> = points.into_iter().map(never).collect();
    for _ in 0..ROUND_LIMIT {
        let mut is_new = false;
        for index in 0..stops.len() {
            let at = stops[index].at;
            let meeting = order.meeting_before(at).filter(|meeting| meeting.at == at);
            let before = match meeting {
                Some(meeting) => {
                    let ways = meeting.after.iter().map(|way| after(&stops, *way, is_there));
                    let known = ways.fold(Known::Never, meet);
                    let inside = |stop: &&Stop| {
                        meeting
                            .region
                            .is_some_and(|(first, end)| (first..end).contains(&stop.at))
                    };
                    stops
                        .iter()
                        .filter(inside)
                        .fold(known, |known, stop| meet(known, stop.after.clone()))
                }
                None => after(&stops, Point(at.0.saturating_sub(1)), is_there),
            };
            let made = edits.binary_search_by_key(&at, |(at, _)| *at).ok();
            let made = made.into_iter().flat_map(|made| &edits[made].1);
            let after = made.fold(before.clone(), with);
            let stop = Stop { at, before, after };
            is_new |= stops[index] != stop;
            stops[index] = stop;
        }
        if !is_new {
            return Some(stops);
        }
    }
    None
}

fn with(known: Known, edit: &Edit) -> Known {
    match (known, edit) {
        (Known::Never, _) => Known::Never,
        (_, Edit::Unknown) => Known::Unknown,
        (_, Edit::Become(_)) => Known::Edits(vec![edit.clone()]),
        (Known::Edits(edits), _) if edits.len() >= EDIT_LIMIT => Known::Unknown,
        (Known::Edits(mut edits), edit) => {
            edits.push(edit.clone());
            Known::Edits(edits)
        }
        (Known::Unknown, _) => Known::Unknown,
    }
}

fn meet(one: Known, other: Known) -> Known {
    match (one, other) {
        (Known::Never, known) | (known, Known::Never) => known,
        (one, other) if one == other => one,
        _ => Known::Unknown,
    }
}

/// What holds after a point.
fn after(stops: &[Stop], point: Point, is_there: bool) -> Known {
    let later = stops.partition_point(|stop| stop.at <= point);
    match later.checked_sub(1) {
        Some(index) => stops[index].after.clone(),
        None if is_there => Known::Edits(Vec::new()),
        None => Known::Unknown,
    }
}
