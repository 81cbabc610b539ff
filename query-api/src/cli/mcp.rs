//! `ripple mcp`: the tools for an agent that starts this program itself.
//!
//! Stdin and stdout carry JSON-RPC alone; the log goes to stderr. When stdin is closed, it ends.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ripple_graphdb::Limits;

use super::units::{parse_bytes, parse_duration};
use crate::Error;
use crate::llm::{Llm, LlmArguments};
use crate::locate::IndexFolder;
use crate::mcp::Desk;
use crate::retrieve::Searching;
use crate::serve::store::Store;

/// Serve an agent over stdin and stdout (Model Context Protocol)
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Folder to find the index from
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    folder: IndexFolder,
    /// Most time for a query
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_duration)]
    timeout: Duration,
    /// Most memory for a query
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    #[command(flatten)]
    llm: LlmArguments,
}

const EXAMPLES: &str = "\
Examples:
  claude mcp add ripple -- ripple mcp ~/shop
  {\"mcpServers\": {\"ripple\": {\"command\": \"ripple\", \"args\": [\"mcp\", \"/home/me/shop\"]}}}

`ripple serve` has the same tools at /mcp, over HTTP.";

/// Queries that run at once: an agent asks one thing after the other, or a few.
const CONCURRENCY: usize = 4;

impl Arguments {
    pub(super) fn run(self) -> Result<(), Error> {
        let mut limits = Limits {
            timeout: self.timeout,
            ..Limits::default()
        };
        if let Some(memory) = self.memory {
            limits.memory_bytes = memory;
        }
        let index = self.folder.to_read(&self.path)?;
        let llm = Llm::from_settings(&self.llm.settings()?)?;
        let store = Store::open(&index, limits.memory_bytes, CONCURRENCY)?;
        let searching = Arc::new(Searching::new(Default::default()));
        crate::mcp::stdio(Desk {
            rooms: crate::serve::rooms(&store, &searching, llm),
            store,
            index,
            limits,
        })
    }
}
