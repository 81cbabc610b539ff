//! `ripple communities`: how the code is organised.
//!
//! ```text
//! $ ripple communities
//!    23  example.com/shop/api · Order
//!        17 functions and 6 types in 7 files, mostly `example.com/shop/api`. In the middle: `Order` (An Order is what …), …
//!        uses example.com/shop/api/mail · Mailer (4), …
//! ```

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;

use super::{format, say};
use crate::Error;
use crate::community;
use crate::llm::{Llm, LlmArguments};
use crate::locate::IndexFolder;
use crate::view::Communities;

/// Show how the code is organised: parts that have more to do with themselves than with others
///
/// With a language model, the largest parts that have no summary by one yet are summarised with one request; summaries are kept.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Folder to find the index from
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    folder: IndexFolder,
    /// Most parts
    #[arg(long, value_name = "PARTS", default_value_t = 12)]
    limit: usize,
    /// How the answer is written; `json` holds the parts of parts too, down to the smallest
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    llm: LlmArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Markdown,
    Json,
}

const EXAMPLES: &str = "\
Examples:
  ripple communities
  ripple communities --format markdown > ORGANISATION.md
  ripple communities --format json | jq '.communities[] | select(.level == 0) | .name'";

impl Arguments {
    pub(super) fn run(self) -> Result<(), Error> {
        let reader = ripple_graphdb::open(&self.folder.to_read(&self.path)?)?;
        let mut communities = community::overview(&reader)?;
        if let Some(llm) = Llm::from_settings(&self.llm.settings()?)? {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(crate::error::io("cannot start the threads"))?;
            let asked = community::summarise(&llm, reader.folder(), &mut communities, self.limit);
            // Nothing needs a model.
            if let Err(error) = runtime.block_on(asked) {
                say(&format!("note: not summarised by a model: {error}"));
            }
        }
        super::print(|out| match self.format {
            Format::Json => format::json(out, &communities),
            Format::Markdown => out.write_all(community::prose(&communities, self.limit).as_bytes()),
            Format::Text => text(out, &communities, self.limit),
        })
    }
}

fn text(out: &mut dyn Write, communities: &Communities, limit: usize) -> io::Result<()> {
    let all = &communities.communities;
    let whole = all.iter().filter(|community| community.level == 0);
    if all.is_empty() {
        return out.write_all(community::prose(communities, limit).as_bytes());
    }
    for community in whole.take(limit) {
        writeln!(out, "{:5}  {}", community.size, format::visible(&community.name))?;
        writeln!(out, "       {}", format::visible(&community.summary))?;
        let uses = community.links.iter().filter_map(|link| {
            let other = all.iter().find(|other| other.id == link.to)?;
            Some(format!("{} ({})", other.name, link.weight))
        });
        let uses: Vec<String> = uses.take(4).collect();
        if !uses.is_empty() {
            writeln!(out, "       uses {}", format::visible(&uses.join(", ")))?;
        }
        for part in all.iter().filter(|part| part.parent == Some(community.id)).take(8) {
            writeln!(out, "       {:5}  {}", part.size, format::visible(&part.name))?;
        }
    }
    Ok(())
}
