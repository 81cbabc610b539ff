//! Facts of a file kept on disk by content hash: a second run reads them back and parses nothing that has not changed.
//!
//! An entry is named by the hash of everything the facts depend on: the text, the language, the build target and
//! [`REVISION`]. Writes go through a temporary file and a rename; an entry that cannot be read is made again.

use std::path::{Path, PathBuf};

use super::FileFacts;

/// Counts changes of the facts' shape or of what the walkers find, so that old entries are not believed.
pub const REVISION: u32 = 51;

/// A folder of facts.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Opens the folder, made if it is missing; none if that fails (the run then goes without).
    pub fn open(folder: &Path) -> Option<Self> {
        let folder = folder.join(format!("v{REVISION}"));
        std::fs::create_dir_all(&folder).ok()?;
        Some(Self { folder })
    }

    /// The facts kept under this key.
    pub fn get(&self, key: u64) -> Option<FileFacts> {
        let bytes = std::fs::read(self.path(key)).ok()?;
        postcard::from_bytes(&bytes).ok()
    }

    /// Keeps facts. Failing to is no harm.
    pub fn put(&self, key: u64, facts: &FileFacts) {
        let Ok(bytes) = postcard::to_stdvec(facts) else { return };
        let path = self.path(key);
        if let Some(folder) = path.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let temporary = path.with_extension(format!("{}.tmp", std::process::id()));
        if std::fs::write(&temporary, bytes)
            .and_then(|()| std::fs::rename(&temporary, &path))
            .is_err()
        {
            let _ = std::fs::remove_file(&temporary);
        }
    }

    fn path(&self, key: u64) -> PathBuf {
        let name = format!("{key:016x}");
        self.folder.join(&name[..2]).join(&name[2..])
    }
}
