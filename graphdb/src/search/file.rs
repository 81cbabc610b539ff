//! How the search files are written and mapped: a head that is read at once, a body that is read where it is asked.
//!
//! `nodes.bin` is the length of its head (8 bytes, little endian), the head (columns, postcard), then the texts end to end.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tantivy::Directory as _;
use tantivy::directory::{MmapDirectory, OwnedBytes};

use crate::Error;

/// Writes head and body, onto the disk.
pub(crate) fn write_two<H: Serialize>(path: &Path, head: &H, body: &[u8]) -> Result<(), Error> {
    let head = postcard::to_allocvec(head).map_err(encode(path))?;
    let write = || -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 18, File::create(path)?);
        out.write_all(&(head.len() as u64).to_le_bytes())?;
        out.write_all(&head)?;
        out.write_all(body)?;
        out.into_inner()?.sync_data()
    };
    write().map_err(Error::io(path))
}

/// Maps a file and reads its head.
pub(crate) fn read_two<H: DeserializeOwned>(folder: &Path, name: &str) -> Result<(H, OwnedBytes), Error> {
    let path = folder.join(name);
    let damaged = |message: &str| Error::Damaged {
        path: path.clone(),
        message: message.into(),
    };
    let failed = |error: &dyn std::fmt::Display| Error::io(&path)(io::Error::other(error.to_string()));
    // The directory of the full-text engine maps files without a line of unsafe code here.
    let directory = MmapDirectory::open(folder).map_err(|error| failed(&error))?;
    let slice = directory.open_read(Path::new(name)).map_err(|error| failed(&error))?;
    let bytes = slice.read_bytes().map_err(Error::io(&path))?;
    let start: [u8; 8] = bytes
        .get(..8)
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| damaged("too short"))?;
    let end = usize::try_from(u64::from_le_bytes(start))
        .ok()
        .and_then(|length| length.checked_add(8))
        .filter(|&end| end <= bytes.len())
        .ok_or_else(|| damaged("its head is longer than the file"))?;
    let head = postcard::from_bytes(&bytes[8..end]).map_err(|error| damaged(&error.to_string()))?;
    let body = bytes.slice(end..bytes.len());
    Ok((head, body))
}

/// Ready for `map_err`: what could not be written down.
pub(crate) fn encode(path: &Path) -> impl FnOnce(postcard::Error) -> Error {
    let path = path.to_path_buf();
    move |error| Error::io(&path)(io::Error::other(error.to_string()))
}
