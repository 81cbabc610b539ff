//! A navigable small-world graph over the vectors: `hnsw_rs` builds it, one flat file keeps it, and questions follow it here.
//!
//! The crate's own dump is read back point by point, a second and more for 100,000; this file is mapped. Its levels lie one
//! after another, the densest last; a level is its rows and, for each, the rows it is linked to. A question enters at the top,
//! goes to the nearest on each level, and gathers the nearest `width` on the last. Rows that a filter does not let pass are
//! walked over but not gathered.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use hnsw_rs::prelude::{Distance, Hnsw};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::search::file;

/// Name of the file.
const FILE: &str = "links.bin";

/// Links of a row and candidates looked at while building.
const LINKS: usize = 16;
const WIDTH: usize = 100;

/// Distance of stored vectors: a large product is near. It may be anything: nothing is demanded of its sign.
#[derive(Clone, Copy)]
struct Product;

impl Distance<i8> for Product {
    fn eval(&self, a: &[i8], b: &[i8]) -> f32 {
        let pairs = a.iter().zip(b);
        let product: i32 = pairs.map(|(&a, &b)| i32::from(i16::from(a) * i16::from(b))).sum();
        // The crate keeps distances of found points negated and asks that they be positive.
        (1 << 24) as f32 - product as f32
    }
}

/// The links, by level.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Graph {
    entry: u32,
    /// From the top down; the last holds every row.
    levels: Vec<Level>,
}

/// Rows in order, and the links of each.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Level {
    rows: Vec<u32>,
    starts: Vec<u32>,
    links: Vec<u32>,
}

impl Level {
    fn links(&self, row: u32) -> &[u32] {
        let Ok(place) = self.rows.binary_search(&row) else {
            return &[];
        };
        let start = self.starts.get(place).copied().unwrap_or(0) as usize;
        let end = self.starts.get(place + 1).copied().unwrap_or(0) as usize;
        self.links.get(start..end).unwrap_or_default()
    }
}

impl Graph {
    /// Links the vectors, on all threads.
    pub(crate) fn build(bytes: &[u8], dimensions: usize) -> Self {
        let count = bytes.len() / dimensions.max(1);
        if count == 0 {
            return Self::default();
        }
        let hnsw: Hnsw<'_, i8, Product> = Hnsw::new(LINKS, count, 16, WIDTH, Product);
        let first: Vec<i8> = bytes[..dimensions].iter().map(|&byte| byte as i8).collect();
        hnsw.insert_slice((&first, 0));
        (1..count).into_par_iter().with_max_len(256).for_each(|row| {
            let vector: Vec<i8> = bytes[row * dimensions..(row + 1) * dimensions]
                .iter()
                .map(|&byte| byte as i8)
                .collect();
            hnsw.insert_slice((&vector, row));
        });
        let mut found: Vec<Vec<(u32, Vec<u32>)>> = Vec::new();
        let mut entry = (0, 0);
        for point in hnsw.get_point_indexation() {
            let row = point.get_origin_id() as u32;
            let top = point.get_point_id().0;
            entry = entry.max((top, row));
            for (level, links) in point
                .get_neighborhood_id()
                .into_iter()
                .enumerate()
                .take(usize::from(top) + 1)
            {
                if found.len() <= level {
                    found.resize_with(level + 1, Vec::new);
                }
                found[level].push((row, links.into_iter().map(|link| link.d_id as u32).collect()));
            }
        }
        let levels = found.into_iter().rev().map(|mut rows| {
            rows.sort_unstable();
            let mut level = Level::default();
            for (row, links) in rows {
                level.rows.push(row);
                level.starts.push(level.links.len() as u32);
                level.links.extend(links);
            }
            level.starts.push(level.links.len() as u32);
            level
        });
        Self {
            entry: entry.1,
            levels: levels.collect(),
        }
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), Error> {
        file::write_two(&folder.join(FILE), self, &[])
    }

    /// Reads a written graph; `None` if there is none.
    pub(crate) fn open(folder: &Path, rows: usize) -> Result<Option<Self>, Error> {
        if !folder.join(FILE).exists() {
            return Ok(None);
        }
        let (graph, _): (Self, _) = file::read_two(folder, FILE)?;
        let in_range = |level: &Level| level.links.iter().chain(&level.rows).all(|&row| (row as usize) < rows);
        if !graph.levels.iter().all(in_range) {
            return Err(Error::Damaged {
                path: folder.join(FILE),
                message: "it links rows that are not there".into(),
            });
        }
        Ok(Some(graph))
    }

    /// The best `limit` rows by their product with the question, among those that pass; `width` are kept in view.
    pub(crate) fn search(
        &self,
        limit: usize,
        width: usize,
        product: &dyn Fn(u32) -> i32,
        passes: &dyn Fn(u32) -> bool,
    ) -> Vec<(u32, i32)> {
        let Some((last, upper)) = self.levels.split_last() else {
            return Vec::new();
        };
        let mut at = (product(self.entry), self.entry);
        for level in upper {
            loop {
                let nearest = level.links(at.1).iter().map(|&row| (product(row), row)).max();
                match nearest {
                    Some(nearest) if nearest.0 > at.0 => at = nearest,
                    _ => break,
                }
            }
        }
        let mut seen = vec![false; last.rows.len()];
        let mut open = BinaryHeap::from([at]);
        // The worst on top. `view` bounds the walk; `found` holds what passes.
        let mut view = BinaryHeap::from([Reverse(at)]);
        let mut found: Vec<(i32, u32)> = Vec::new();
        if let Some(seen) = seen.get_mut(at.1 as usize) {
            *seen = true;
        }
        while let Some(next) = open.pop() {
            if view.len() >= width && view.peek().is_some_and(|worst| next.0 < worst.0.0) {
                break;
            }
            if passes(next.1) {
                found.push(next);
            }
            for &row in last.links(next.1) {
                match seen.get_mut(row as usize) {
                    Some(seen) if !*seen => *seen = true,
                    _ => continue,
                }
                let entry = (product(row), row);
                if view.len() < width || view.peek().is_some_and(|worst| entry.0 > worst.0.0) {
                    open.push(entry);
                    // What does not pass is walked over: it does not narrow the view.
                    if passes(row) {
                        view.push(Reverse(entry));
                        if view.len() > width {
                            view.pop();
                        }
                    }
                }
            }
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.truncate(limit);
        found.into_iter().map(|(product, row)| (row, product)).collect()
    }
}
