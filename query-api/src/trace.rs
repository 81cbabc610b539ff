//! [`Log`]: what happens while a question is worked on, told as it happens and kept for the reply.
//!
//! ```text
//! begin("run")               stage run, "…"
//! step("run", "4 rows")      stage run, 12.3 ms, "4 rows"; kept
//! ```

use std::time::Instant;

use tokio::sync::mpsc;

use crate::view::{AskEvent, TraceStep};

/// Tells what happens, and keeps it for the reply.
pub struct Log {
    events: mpsc::Sender<AskEvent>,
    trace: Vec<TraceStep>,
    since: Instant,
}

impl Log {
    /// Tells it there. Nobody may be listening: a failed send changes nothing.
    pub fn new(events: mpsc::Sender<AskEvent>) -> Self {
        Self {
            events,
            trace: Vec::new(),
            since: Instant::now(),
        }
    }

    /// Tells nobody.
    pub fn silent() -> Self {
        Self::new(mpsc::channel(1).0)
    }

    /// A step begins.
    pub async fn begin(&mut self, stage: &str) {
        self.since = Instant::now();
        let step = TraceStep {
            stage: stage.into(),
            ms: 0.0,
            detail: "…".into(),
        };
        self.event(AskEvent::Stage(step)).await;
    }

    /// A step has ended.
    pub async fn step(&mut self, stage: &str, detail: String) {
        let step = TraceStep {
            stage: stage.into(),
            ms: self.since.elapsed().as_micros() as f64 / 1000.0,
            detail,
        };
        self.since = Instant::now();
        self.trace.push(step.clone());
        self.event(AskEvent::Stage(step)).await;
    }

    /// Something else is told.
    pub async fn event(&self, event: AskEvent) {
        let _ = self.events.send(event).await;
    }

    /// Where to tell pieces of text, while a step goes on.
    pub fn events(&self) -> mpsc::Sender<AskEvent> {
        self.events.clone()
    }

    /// What has happened.
    pub fn into_trace(self) -> Vec<TraceStep> {
        self.trace
    }
}
