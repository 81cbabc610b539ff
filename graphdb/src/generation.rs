//! The folders on disk: which generations there are, which one is current, which can go.
//!
//! ```text
//! .ripple/
//!   .gitignore  CURRENT  lock
//!   generations/
//!     000007/   the one before: a reader may have just found its name
//!     000008/   what CURRENT names: the database, files.json, diagnostics.json, mentions.json, sources.bin, manifest.json
//!     000009/   half-built: no manifest.json yet
//! ```
//!
//! A build fills a new folder, writes its manifest last, then replaces `CURRENT` by a rename. Whenever the machine stops, `CURRENT`
//! names a complete generation, and the next writer sweeps the rest away.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Error, Manifest};

/// Paths within one generation.
#[derive(Debug, Clone)]
pub(crate) struct Generation {
    /// Its name: a number that grows.
    pub(crate) name: String,
    /// Its folder.
    pub(crate) folder: PathBuf,
}

impl Generation {
    pub(crate) fn new(dir: &Path, name: &str) -> Self {
        Self {
            name: name.into(),
            folder: dir.join("generations").join(name),
        }
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join(crate::engine::FILE_NAME)
    }

    pub(crate) fn files(&self) -> PathBuf {
        self.folder.join("files.json")
    }

    pub(crate) fn diagnostics(&self) -> PathBuf {
        self.folder.join("diagnostics.json")
    }

    /// Names that stand in files which are not source.
    pub(crate) fn mentions(&self) -> PathBuf {
        self.folder.join("mentions.json")
    }

    pub(crate) fn sources(&self) -> PathBuf {
        self.folder.join("sources.bin")
    }

    /// The graph as arrays.
    pub(crate) fn net(&self) -> PathBuf {
        self.folder.join("net.bin")
    }

    /// Sites of its edges.
    pub(crate) fn sites(&self) -> PathBuf {
        self.folder.join("sites.bin")
    }

    /// Properties of its nodes.
    pub(crate) fn cards(&self) -> PathBuf {
        self.folder.join("cards.bin")
    }

    /// The parts of the code.
    pub(crate) fn communities(&self) -> PathBuf {
        self.folder.join("communities.json")
    }

    pub(crate) fn search(&self) -> PathBuf {
        self.folder.join(crate::search::FOLDER)
    }

    pub(crate) fn manifest(&self) -> PathBuf {
        self.folder.join("manifest.json")
    }
}

/// The generation that `CURRENT` names; `None` if nothing was built yet.
pub(crate) fn current(dir: &Path) -> Result<Option<Generation>, Error> {
    let path = dir.join("CURRENT");
    let name = match fs::read_to_string(&path) {
        Ok(name) => name,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io(&path)(error)),
    };
    match number(name.trim()) {
        Some(_) => Ok(Some(Generation::new(dir, name.trim()))),
        None => Err(Error::Damaged {
            path,
            message: "it does not name a generation".into(),
        }),
    }
}

/// The name of the generation that readers open now; `None` if nothing was built yet.
pub fn current_generation(dir: &Path) -> Result<Option<String>, Error> {
    Ok(current(dir)?.map(|generation| generation.name))
}

/// A new, empty folder, named after every other.
pub(crate) fn create(dir: &Path) -> Result<Generation, Error> {
    let last = names(dir)?.iter().filter_map(|name| number(name)).max().unwrap_or(0);
    let generation = Generation::new(dir, &format!("{:06}", last + 1));
    fs::create_dir_all(&generation.folder).map_err(Error::io(&generation.folder))?;
    Ok(generation)
}

/// Makes a generation the current one: writes its manifest, then switches.
pub(crate) fn publish(dir: &Path, generation: &Generation, manifest: &Manifest) -> Result<(), Error> {
    write_json(&generation.manifest(), manifest)?;
    sync_folder(&generation.folder)?;
    let next = dir.join("CURRENT.next");
    let write = || -> io::Result<()> {
        let mut file = File::create(&next)?;
        writeln!(file, "{}", generation.name)?;
        file.sync_all()?;
        fs::rename(&next, dir.join("CURRENT"))
    };
    write().map_err(Error::io(&next))?;
    sync_folder(dir)
}

/// Removes every generation but the current one and the one before it: what a killed build left, and what is old. What
/// cannot be removed stays for the next time. Where `CURRENT` is damaged, all stay: the next build mends it.
pub(crate) fn sweep(dir: &Path) -> Result<(), Error> {
    let current = match current(dir) {
        Err(Error::Damaged { .. }) => return Ok(()),
        current => current?.and_then(|generation| number(&generation.name)),
    };
    let complete = |name: &&String| Generation::new(dir, name).manifest().exists();
    let names = names(dir)?;
    let before = names
        .iter()
        .filter(complete)
        .filter_map(|name| number(name))
        .filter(|&n| Some(n) < current)
        .max();
    for name in &names {
        let number = number(name);
        if number.is_none() || (number != current && number != before) {
            let folder = Generation::new(dir, name).folder;
            if let Err(error) = fs::remove_dir_all(&folder) {
                tracing::warn!("{} could not be removed: {error}", folder.display());
            }
        }
    }
    Ok(())
}

/// Writes a file of a generation and sees it onto the disk.
pub(crate) fn write_json<T: Serialize + ?Sized>(path: &Path, value: &T) -> Result<(), Error> {
    let write = || -> io::Result<()> {
        let mut out = io::BufWriter::new(File::create(path)?);
        serde_json::to_writer(&mut out, value)?;
        out.into_inner()?.sync_all()
    };
    write().map_err(Error::io(path))
}

/// Reads a file of a generation.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let text = fs::read(path).map_err(Error::io(path))?;
    serde_json::from_slice(&text).map_err(|error| Error::Damaged {
        path: path.into(),
        message: error.to_string(),
    })
}

/// What the complete generations of an index hold, oldest first. One that is damaged is left out.
pub fn manifests(dir: &Path) -> Result<Vec<Manifest>, Error> {
    let mut names = names(dir)?;
    names.sort();
    let read = |name: &String| read_json(&Generation::new(dir, name).manifest()).ok();
    Ok(names.iter().filter_map(read).collect())
}

fn names(dir: &Path) -> Result<Vec<String>, Error> {
    let folder = dir.join("generations");
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::io(&folder)(error)),
    };
    Ok(entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect())
}

fn number(name: &str) -> Option<u64> {
    if name.bytes().all(|byte| byte.is_ascii_digit()) {
        name.parse().ok()
    } else {
        None
    }
}

/// Makes the names in a folder durable, where the system can.
fn sync_folder(folder: &Path) -> Result<(), Error> {
    if cfg!(unix) {
        File::open(folder)
            .and_then(|file| file.sync_all())
            .map_err(Error::io(folder))
    } else {
        Ok(())
    }
}
