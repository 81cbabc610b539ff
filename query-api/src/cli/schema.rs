//! `ripple schema`: what a query can name. Needs no index.

use clap::ValueEnum;
use ripple_schema::render;

use crate::{Error, view};

/// Show what a query can name: labels, relationships, properties
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// `text` is the short form that a language model reads
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Ddl,
    Markdown,
    Json,
}

impl Arguments {
    pub(super) fn run(self) -> Result<(), Error> {
        super::print(|out| match self.format {
            Format::Text => out.write_all(render::for_model().as_bytes()),
            Format::Ddl => out.write_all(render::ddl().as_bytes()),
            Format::Markdown => out.write_all(render::reference().as_bytes()),
            Format::Json => super::format::json(out, &view::Schema::current()),
        })
    }
}
