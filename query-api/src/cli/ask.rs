//! `ripple ask` and `ripple chat`: questions in words.
//!
//! ```text
//! $ ripple ask 'If a client stops sending us `email`, which ML features change?'
//! $ ripple chat
//! > who calls Model.save?
//! > and which tests cover it?
//! ```
//!
//! Without a language model the report of the operation that fits is the answer. In a chat a question that names nothing is about what the one before was
//! about; `@codebase` in it asks anew.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::sync::Arc;

use clap::ValueEnum;
use tokio::sync::mpsc;

use super::format;
use crate::Error;
use crate::answer::prose;
use crate::engine::Engine;
use crate::llm::{Llm, LlmArguments, UNHELPFUL};
use crate::locate::IndexToRead;
use crate::seam::Answerer as _;
use crate::serve::store::Store;
use crate::view::{AskAnswer, AskEvent, AskRequest, ChatRole, ChatTurn};

/// Ask a question in words
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Ask {
    /// The question
    question: String,
    #[command(flatten)]
    common: Common,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Ask one question after another
#[derive(Debug, clap::Args)]
pub struct Chat {
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct Common {
    #[command(flatten)]
    index: IndexToRead,
    /// Show each step, and the Cypher
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    llm: LlmArguments,
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Markdown, and what has to be said about it.
    Text,
    /// The whole answer as one JSON object.
    Json,
}

const EXAMPLES: &str = "\
Examples:
  ripple ask 'If a client stops sending us `email`, which ML features change?'
  ripple ask --verbose 'Who writes Order.total?'     each step, and the Cypher
  RIPPLE_MODEL=llama3.1 OPENAI_BASE_URL=http://localhost:11434/v1 ripple ask '…'   with a language model";

/// Memory of the queries of one question.
const MEMORY: u64 = 1 << 30;

impl Ask {
    pub(super) fn run(self) -> Result<(), Error> {
        let json = self.format == Format::Json;
        let session = Session::open(&self.common, !json)?;
        let request = AskRequest {
            question: self.question,
            ..AskRequest::default()
        };
        let answer = session.ask(request)?;
        session.tell_failure(&answer);
        super::print(|out| match json {
            true => format::json(out, &answer),
            false => session.tell(out, &answer),
        })
    }
}

impl Chat {
    pub(super) fn run(self) -> Result<(), Error> {
        let session = Session::open(&self.common, true)?;
        super::say(
            "Ask; an empty line or Ctrl-D ends. `@codebase` asks anew instead of going on with what the last answer was about.",
        );
        let (mut history, mut context) = (Vec::new(), None);
        let prompts = io::stdin().is_terminal();
        for line in io::stdin().lock().lines().map_while(Result::ok).chain([String::new()]) {
            if line.trim().is_empty() {
                break;
            }
            let request = AskRequest {
                question: line.clone(),
                history: history.clone(),
                context: context.take(),
                stream: false,
            };
            match session.ask(request) {
                Ok(answer) => {
                    session.tell_failure(&answer);
                    super::print(|out| session.tell(out, &answer))?;
                    let turn = |role, content: &str| ChatTurn {
                        role,
                        content: content.to_owned(),
                    };
                    history.extend([turn(ChatRole::User, &line), turn(ChatRole::Assistant, &answer.text)]);
                    context = Some(answer.context);
                }
                // One bad question does not end a conversation.
                Err(error) => super::say(&error.report()),
            }
            if prompts {
                super::say("");
            }
        }
        Ok(())
    }
}

/// An engine and the threads that it works on.
struct Session {
    engine: Engine,
    runtime: tokio::runtime::Runtime,
    verbose: bool,
    /// Pieces of text are shown as they come.
    streams: bool,
}

impl Session {
    fn open(common: &Common, text: bool) -> Result<Self, Error> {
        let llm = Llm::from_settings(&common.llm.settings()?)?;
        let store = Store::open(&common.index.folder()?, MEMORY, 4)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(crate::error::io("cannot start the threads"))?;
        Ok(Self {
            streams: text && llm.is_some() && io::stdout().is_terminal(),
            engine: Engine::new(store, Arc::default(), llm),
            runtime,
            verbose: common.verbose,
        })
    }

    fn ask(&self, request: AskRequest) -> Result<AskAnswer, Error> {
        let (events, mut told) = mpsc::channel(64);
        let (verbose, streams) = (self.verbose, self.streams);
        let listen = async move {
            while let Some(event) = told.recv().await {
                match event {
                    AskEvent::Stage(step) if verbose && step.ms > 0.0 => {
                        super::say(&format!("{:>12} {:8.1} ms  {}", step.stage, step.ms, step.detail));
                    }
                    AskEvent::Cypher { text, .. } if verbose => super::say(&format!("\n{}\n", format::visible(&text))),
                    AskEvent::Token { text } if streams => {
                        // A piece that cannot be shown is shown with the whole answer.
                        let mut out = io::stdout().lock();
                        let _ = out
                            .write_all(format::visible(&text).as_bytes())
                            .and_then(|()| out.flush());
                    }
                    _ => {}
                }
            }
        };
        self.runtime.block_on(async {
            let (answer, ()) = tokio::join!(self.engine.ask(request, events), listen);
            answer
        })
    }

    /// Says that a model was asked and did not answer: what follows is the report of the rules.
    fn tell_failure(&self, answer: &AskAnswer) {
        let mut failed = answer.trace.iter().filter(|step| step.detail.starts_with(UNHELPFUL));
        if let Some(step) = failed.next().filter(|_| answer.model.is_none() && !self.verbose) {
            super::say(&format!("note: {}; what rules found is the answer", step.detail));
        }
    }

    fn tell(&self, out: &mut dyn io::Write, answer: &AskAnswer) -> io::Result<()> {
        let streamed = self.streams && answer.model.is_some() && answer.unverified == 0;
        if streamed {
            writeln!(out, "\n")?;
        } else {
            writeln!(out, "{}", format::visible(answer.text.trim_end()))?;
        }
        // The report of an operation ends with its verdict.
        let says_so = answer.model.is_none() && answer.operation.is_some();
        if !says_so {
            writeln!(out, "\n{}", prose::verdict(&answer.verdict, prose::Style::CHAT))?;
        }
        if answer.model.is_some() {
            writeln!(out, "{}", answer.checked())?;
        }
        Ok(())
    }
}
