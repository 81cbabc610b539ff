//! Where an index lives: `.ripple/` of the indexed root, unless told otherwise.
//!
//! In `/src/shop/api`, with an index in `/src/shop/.ripple`, `ripple status` reads `/src/shop/.ripple`: the nearest folder
//! above that has one.

use std::path::{Path, PathBuf};

use crate::Error;

/// Name of the index folder inside an indexed root.
pub const FOLDER: &str = ".ripple";

/// Which index is meant. Part of every command that reads or writes one.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct IndexFolder {
    /// Folder of the index [default: `.ripple` of the first indexed folder]
    #[arg(long, value_name = "DIR", env = "RIPPLE_INDEX")]
    pub index: Option<PathBuf>,
}

impl IndexFolder {
    /// The folder to build into, for this first root.
    pub fn to_write(&self, root: &Path) -> PathBuf {
        self.index.clone().unwrap_or_else(|| root.join(FOLDER))
    }

    /// The folder to read: as told, or the nearest one at or above `start`.
    pub fn to_read(&self, start: &Path) -> Result<PathBuf, Error> {
        if let Some(index) = &self.index {
            return Ok(index.clone());
        }
        let absolute = start
            .canonicalize()
            .map_err(crate::error::io(format!("cannot read {}", start.display())))?;
        absolute
            .ancestors()
            .map(|folder| folder.join(FOLDER))
            .find(|folder| folder.is_dir())
            .ok_or(Error::NowhereIndexed { start: absolute })
    }
}

/// The index that a command reads, where the command's own words are about something else than a folder.
#[derive(Debug, Clone, clap::Args)]
pub struct IndexToRead {
    /// Folder to find the index from
    #[arg(long, value_name = "DIR", default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    folder: IndexFolder,
}

impl IndexToRead {
    /// The folder to read.
    pub fn folder(&self) -> Result<PathBuf, Error> {
        self.folder.to_read(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_above_is_found() -> std::io::Result<()> {
        let root = tempfile::tempdir()?;
        let inner = root.path().join("shop/api");
        std::fs::create_dir_all(&inner)?;
        let index = root.path().join("shop").join(FOLDER);
        std::fs::create_dir(&index)?;
        let folder = IndexFolder::default();
        assert_eq!(folder.to_read(&inner).ok(), index.canonicalize().ok());
        let told = IndexFolder {
            index: Some("/elsewhere".into()),
        };
        assert_eq!(told.to_read(&inner).ok(), Some("/elsewhere".into()));
        assert!(matches!(
            folder.to_read(&root.path().join("absent")),
            Err(Error::Io { .. })
        ));
        Ok(())
    }
}
