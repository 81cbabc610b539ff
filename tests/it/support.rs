//! What the tests share: where things are, and how source becomes a graph.

use std::path::{Path, PathBuf};

use ripple_extractor::{Extraction, Options, Root, extract};

/// The folder of the tests crate.
pub fn tests_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Indexes a folder, with nothing kept on disk.
pub fn extract_folder(folder: &Path) -> Extraction {
    let root = Root { path: folder.to_owned(), prefix: String::new() };
    extract(&[root], &Options::default(), &|_| {}).expect("the folder can be read")
}

/// Writes files below a fresh folder.
pub fn folder_of<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        std::fs::write(path, text).expect("the file can be written");
    }
    folder
}
