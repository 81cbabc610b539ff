//! The command line: one file a command, one exit code an outcome.
//!
//! ```text
//! $ ripple index shop
//! $ ripple cypher --format csv 'MATCH (k:Key) RETURN k.name ORDER BY k.name LIMIT 2'
//! k.name
//! email
//! items
//! ```
//!
//! What was asked for goes to stdout, what is said about it to stderr, so that a pipe carries answers alone.

pub mod ask;
pub mod communities;
pub mod cypher;
pub mod describe;
pub mod eval;
mod eval_cypher;
pub mod format;
pub mod index;
pub mod mcp;
pub mod operation;
pub mod progress;
pub mod question;
pub mod resident;
pub mod schema;
pub mod search;
pub mod serve;
pub mod status;
pub mod units;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::Error;
use crate::error::EXIT_CODES;

/// What does this value touch? Reads Go and Python source into a graph of its data flow, and answers Cypher about it.
#[derive(Debug, Parser)]
#[command(name = "ripple", version, after_help = help())]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Index(index::Arguments),
    Ask(ask::Ask),
    Chat(ask::Chat),
    Status(status::Arguments),
    Cypher(cypher::Arguments),
    Search(search::Arguments),
    Communities(communities::Arguments),
    Describe(describe::Arguments),
    Schema(schema::Arguments),
    Serve(serve::Arguments),
    /// What changes when this changes, or with --diff what a change of source sets off
    Impact(operation::Impact),
    /// Where a value goes, or with --up where it comes from, place by place
    Flows(operation::Directed),
    /// The shortest way by which one thing comes to another
    Path(operation::Between),
    /// Who calls this function or constructs this type; with --depth, their callers too
    Callers(operation::Arguments),
    /// What this function calls; with --depth, what those call too
    Callees(operation::Arguments),
    /// Who reads and writes this field or global, or what this function reads and writes
    ReadersWriters(operation::Arguments),
    /// What implements this interface, derives from this class, or takes this method's place
    Implementations(operation::Arguments),
    /// Types above and below this type
    Hierarchy(operation::Arguments),
    /// Who names this wire key, which fields are called by it, where its value is read and written
    UsesOfKey(operation::Arguments),
    /// Which tests run this function, field or type, nearest first
    TestsFor(operation::Arguments),
    /// One node: its declaration, its source, and everything that touches it
    Explain(operation::Arguments),
    Mcp(mcp::Arguments),
    Eval(eval::Arguments),
    #[command(hide = true)]
    Resident(resident::Arguments),
}

/// Parses the command line, runs it, and tells how it ended.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    start_log(&cli.command);
    match cli.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Nowhere is left to report a failure of this write.
            let _ = writeln!(io::stderr(), "{}", error.report());
            ExitCode::from(error.kind().outcome().exit)
        }
    }
}

impl Command {
    fn run(self) -> Result<(), Error> {
        match self {
            Self::Index(arguments) => arguments.run(),
            Self::Ask(arguments) => arguments.run(),
            Self::Chat(arguments) => arguments.run(),
            Self::Status(arguments) => arguments.run(),
            Self::Cypher(arguments) => arguments.run(),
            Self::Search(arguments) => arguments.run(),
            Self::Eval(arguments) => arguments.run(),
            Self::Resident(arguments) => arguments.run(),
            Self::Communities(arguments) => arguments.run(),
            Self::Describe(arguments) => arguments.run(),
            Self::Schema(arguments) => arguments.run(),
            Self::Serve(arguments) => arguments.run(),
            Self::Impact(arguments) => arguments.run(),
            Self::Flows(arguments) => arguments.run("flows"),
            Self::Path(arguments) => arguments.run("path"),
            Self::Callers(arguments) => arguments.run("callers"),
            Self::Callees(arguments) => arguments.run("callees"),
            Self::ReadersWriters(arguments) => arguments.run("readers_writers"),
            Self::Implementations(arguments) => arguments.run("implementations"),
            Self::Hierarchy(arguments) => arguments.run("hierarchy"),
            Self::UsesOfKey(arguments) => arguments.run("uses_of_key"),
            Self::TestsFor(arguments) => arguments.run("tests_for"),
            Self::Explain(arguments) => arguments.run("explain"),
            Self::Mcp(arguments) => arguments.run(),
        }
    }
}

/// Which files are read, where that is a choice. `status` has to be told the same as `index`.
#[derive(Debug, Clone, clap::Args)]
pub struct Platform {
    /// Pick Go files for this operating system
    #[arg(long, value_name = "OS", default_value = "linux")]
    goos: String,
    /// Pick Go files for this architecture
    #[arg(long, value_name = "ARCH", default_value = "amd64")]
    goarch: String,
    /// Skip files that are larger
    #[arg(long, value_name = "SIZE", default_value = "8MB", value_parser = units::parse_bytes)]
    max_file_size: u64,
}

impl Platform {
    /// The extractor's settings, without a cache.
    fn options(&self) -> ripple_extractor::Options {
        ripple_extractor::Options {
            goos: self.goos.clone(),
            goarch: self.goarch.clone(),
            max_file_bytes: self.max_file_size,
            ..Default::default()
        }
    }
}

/// Writes to stdout, and tells a reader that went away from a disk that is full.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    write(&mut out).and_then(|()| out.flush()).map_err(unwritten)
}

fn unwritten(source: io::Error) -> Error {
    crate::error::io("cannot write to stdout")(source)
}

/// Says something about the work on stderr. A reader that went away does not stop the work.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// `RUST_LOG`, or warnings; the server tells of each request as well.
fn start_log(command: &Command) {
    let default = if matches!(command, Command::Serve(_)) {
        // The tools' library tells of every request; the server's log has a line for each already.
        "info,rmcp=warn"
    } else {
        "warn"
    };
    let mut filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    // It would log what an endpoint sends back, which may be a key or somebody's source.
    if let Ok(silent) = "async_openai=off".parse() {
        filter = filter.add_directive(silent);
    }
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .init();
}

fn help() -> String {
    format!(
        "\
Examples:
  ripple index ~/shop                                build the index, in ~/shop/.ripple
  ripple status ~/shop                               what is in it, and is it up to date?
  ripple cypher 'MATCH (f:Function) RETURN f.name'   ask
  ripple ask 'which features use the field email?'   the same, in words
  ripple impact key:email                            what changes if this field is no longer sent?
  ripple callers Model.save                          who calls it?
  ripple serve ~/shop                                REST at http://127.0.0.1:7474 (manual: /docs)
  ripple mcp ~/shop                                  tools for an agent, over stdin and stdout

Environment:
  RIPPLE_INDEX  index folder, as --index
  RIPPLE_TOKEN  token that `ripple serve` asks for
  RIPPLE_RESIDENT
                how long a reader stays behind for the next command, as --resident; 0 leaves none
  RUST_LOG      what is logged, to stderr: error, warn, info, debug
  RIPPLE_MODEL  language model that helps with questions; nothing needs one
  OPENAI_BASE_URL, OPENAI_API_KEY
                where it is, and its key

{EXIT_CODES}"
    )
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_operation_is_a_command() {
        let commands = Cli::command();
        for operation in crate::operation::TABLE {
            let name = operation.name.replace('_', "-");
            assert!(commands.find_subcommand(&name).is_some(), "{name}");
        }
    }
}
