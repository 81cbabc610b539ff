//! [`Stages`]: how far a run is, drawn on a terminal, and how long each stage took.
//!
//! The extractor and the store report `(stage, done, total)` from several threads. A report of a later stage ends the
//! earlier one; a late report of an earlier stage changes nothing:
//!
//! ```text
//! (lower, 9, 10) (link, 0, 0) (lower, 10, 10) (link, 1, 1)   →   lower 0.9 s, link 0.1 s
//! ```

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ripple_extractor::Stage;

use crate::view::{Running, StageTime};

/// The stages of one run. Shared by reference between threads.
pub struct Stages {
    bar: ProgressBar,
    state: Mutex<State>,
    /// Where others can read how far it is.
    index: PathBuf,
    started_at: u64,
}

struct State {
    rank: usize,
    began: Instant,
    ended: Vec<StageTime>,
    told: Option<Instant>,
}

/// In order of time; the last is the store's.
const NAMES: [&str; 6] = ["discover", "lower", "link", "propagate", "emit", "load"];

/// How often the index folder is told.
const TOLD: Duration = Duration::from_millis(300);

const LOAD: usize = NAMES.len() - 1;

impl Stages {
    /// Begins with the first stage, and tells so in the index folder. `drawn`: show a bar on stderr if that is a terminal.
    pub fn new(drawn: bool, index: &Path) -> Self {
        let target = if drawn {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target)
            .with_style(style())
            .with_prefix(NAMES[0]);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self {
            bar,
            state: Mutex::new(State {
                rank: 0,
                began: Instant::now(),
                ended: Vec::new(),
                told: None,
            }),
            index: index.to_owned(),
            started_at: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_secs()),
        }
    }

    /// The extractor got this far.
    pub fn extraction(&self, progress: ripple_extractor::Progress) {
        let rank = match progress.stage {
            Stage::Discover => 0,
            Stage::Lower => 1,
            Stage::Link => 2,
            Stage::Propagate => 3,
            Stage::Emit => 4,
        };
        self.advance(rank, progress.done, progress.total);
    }

    /// The extractor is done; the store begins.
    pub fn loading(&self) {
        self.advance(LOAD, 0, 0);
    }

    /// The store got this far.
    pub fn load(&self, progress: &ripple_graphdb::Progress) {
        self.bar.set_message(progress.table.clone());
        self.advance(LOAD, progress.done, progress.total);
    }

    /// Ends the last stage and takes the bar away.
    pub fn finish(self) -> Vec<StageTime> {
        self.bar.finish_and_clear();
        Running::remove(&self.index);
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.enter(NAMES.len());
        state.ended
    }

    fn advance(&self, rank: usize, done: u64, total: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if rank < state.rank {
            return;
        }
        if rank > state.rank {
            state.enter(rank);
            self.bar.set_prefix(NAMES[rank]);
        }
        match total {
            0 => self.bar.unset_length(),
            total => self.bar.set_length(total),
        }
        self.bar.set_position(done);
        if state.told.is_none_or(|told| told.elapsed() > TOLD) {
            state.told = Some(Instant::now());
            let stage = NAMES[rank].to_owned();
            let started_at = self.started_at;
            Running {
                stage,
                done,
                total,
                started_at,
            }
            .write(&self.index);
        }
    }
}

impl State {
    /// Ends the current stage; stages in between did not report and took no time worth telling.
    fn enter(&mut self, rank: usize) {
        let now = Instant::now();
        let seconds = (now - self.began).as_secs_f64();
        self.ended.push(StageTime {
            stage: NAMES[self.rank],
            seconds,
            peak_memory_bytes: peak_memory(),
        });
        self.rank = rank;
        self.began = now;
    }
}

/// Most memory that this process has held so far, in bytes, where the system tells.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes * 1024)
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{prefix:>9} {bar:40} {human_pos}/{human_len} {msg} ({elapsed})")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use ripple_extractor::Progress;

    use super::*;

    #[test]
    fn late_reports_change_nothing() {
        let stages = Stages::new(false, Path::new("."));
        for (stage, done) in [
            (Stage::Lower, 9),
            (Stage::Link, 0),
            (Stage::Lower, 10),
            (Stage::Link, 1),
        ] {
            stages.extraction(Progress { stage, done, total: 10 });
        }
        let names: Vec<_> = stages.finish().iter().map(|time| time.stage).collect();
        assert_eq!(names, ["discover", "lower", "link"]);
    }
}
