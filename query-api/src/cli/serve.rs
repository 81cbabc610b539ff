//! `ripple serve`: the settings of the server, from the command line and the environment.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::time::Duration;

use ripple_graphdb::Limits;

use super::Platform;
use super::units::{parse_bytes, parse_duration};
use crate::Error;
use crate::llm::LlmArguments;
use crate::locate::IndexFolder;
use crate::serve::{Settings, Token};

/// Answer Cypher over HTTP
///
/// Prints one line with its address when it is ready. The manual of the HTTP interface is at /docs.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Folder to find the index from
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    folder: IndexFolder,
    /// Address to listen on; port 0 takes a free one. Other machines can only be let in with RIPPLE_TOKEN set
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7474")]
    addr: String,
    /// Answer for this host name too
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Let pages from this origin read answers (CORS)
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// Most time for a query
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_duration)]
    timeout: Duration,
    /// Most rows in an answer
    #[arg(long, value_name = "ROWS", default_value_t = 100_000)]
    max_rows: usize,
    /// Most memory for a query
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Queries that run at once; eight times as many may wait [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// What embeds questions: folder of a model, or `endpoint` [default: what the index was built with]
    #[arg(long, value_name = "DIR", env = "RIPPLE_EMBEDDER")]
    embedder: Option<PathBuf>,
    /// What puts the first hits of a search into a better order: folder of a model, or `llm`
    #[arg(long, value_name = "DIR", env = "RIPPLE_RERANKER")]
    reranker: Option<PathBuf>,
    /// Let the language model imagine an answer to each search, and look for that too (two calls a search)
    #[arg(long)]
    hyde: bool,
    #[command(flatten)]
    llm: LlmArguments,
    #[command(flatten)]
    platform: Platform,
}

const EXAMPLES: &str = "\
Examples:
  ripple serve ~/shop
  RIPPLE_TOKEN=$(openssl rand -hex 16) ripple serve --addr 0.0.0.0:7474 --allow-host graph.example.com
  curl localhost:7474/api/v1/cypher -H 'content-type: application/json' -d '{\"query\": \"MATCH (f:File) RETURN f.name\"}'";

impl Arguments {
    pub(super) fn run(self) -> Result<(), Error> {
        let address = address(&self.addr)?;
        let mut limits = Limits {
            timeout: self.timeout,
            rows: self.max_rows,
            ..Limits::default()
        };
        if let Some(memory) = self.memory {
            limits.memory_bytes = memory;
        }
        let settings = Settings {
            index: self.folder.to_read(&self.path)?,
            address,
            token: token(address)?,
            hosts: self.allow_host,
            origins: self.allow_origin,
            limits,
            concurrency: self.concurrency.map_or_else(cores, usize::from),
            search: super::search::options(self.embedder.as_deref(), self.reranker.as_deref(), self.hyde)?,
            source: self.platform.options(),
            llm: self.llm.settings()?,
        };
        crate::serve::run(settings, |address| {
            super::print(|out| writeln!(out, "listening on http://{address}"))
        })
    }
}

fn address(text: &str) -> Result<SocketAddr, Error> {
    let wrong = |why: String| Error::Usage(format!("--addr {text}: {why}; write HOST:PORT: 127.0.0.1:7474"));
    let mut found = text.to_socket_addrs().map_err(|error| wrong(error.to_string()))?;
    found.next().ok_or_else(|| wrong("no such host".into()))
}

/// The token from the environment; without one, only this machine may be listened to.
fn token(address: SocketAddr) -> Result<Option<Token>, Error> {
    match std::env::var("RIPPLE_TOKEN") {
        Ok(text) if text.trim().is_empty() => {
            Err(Error::Usage("RIPPLE_TOKEN is empty; set a token or unset it".into()))
        }
        Ok(text) => Ok(Some(Token::new(text.trim()))),
        Err(std::env::VarError::NotUnicode(_)) => Err(Error::Usage("RIPPLE_TOKEN is not UTF-8".into())),
        Err(std::env::VarError::NotPresent) if address.ip().is_loopback() => Ok(None),
        Err(std::env::VarError::NotPresent) => Err(Error::Usage(format!(
            "{address} can be reached from other machines; set RIPPLE_TOKEN, or listen on 127.0.0.1"
        ))),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert_eq!(address("127.0.0.1:0").ok(), Some(SocketAddr::from(([127, 0, 0, 1], 0))));
        assert!(address("[::1]:7474").is_ok_and(|address| address.ip().is_loopback()));
        assert!(matches!(address("7474"), Err(Error::Usage(_))));
    }
}
