//! What git knows of the indexed source: diffs and history. It is asked as a program, as people ask it; where there is none, or no
//! repository, that is an error with its words.
//!
//! `diff(root, Some("main"), Some("HEAD"), false)` is `git diff main...HEAD` with paths below the root.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::Error;
use crate::view::Commit;

/// A unified diff without context: between two revisions (from where they parted), from one to the work tree, or of what is staged.
pub fn diff(root: &Path, base: Option<&str>, head: Option<&str>, staged: bool) -> Result<String, Error> {
    let mut arguments: Vec<String> = [
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--unified=0",
        "--relative",
    ]
    .map(str::to_owned)
    .to_vec();
    if staged {
        arguments.push("--cached".into());
    }
    match (base, head) {
        (Some(base), Some(head)) => arguments.push(format!("{}...{}", revision(base)?, revision(head)?)),
        (Some(base), None) => arguments.push(revision(base)?.to_owned()),
        (None, Some(_)) => {
            return Err(Error::Parameter {
                name: "head".into(),
                message: "it needs a `base` to compare with".into(),
            });
        }
        (None, None) => {}
    }
    arguments.push("--".into());
    // Outside of a repository `git diff` compares files, and says so at length.
    run(root, &["rev-parse".to_owned(), "--git-dir".to_owned()])?;
    run(root, &arguments)
}

/// The commits that touched these lines of a file, newest first, at most 20.
pub fn history(root: &Path, file: &str, first: u32, last: u32) -> Result<Vec<Commit>, Error> {
    // `:` separates path and range; git has no way to escape it.
    if file.contains([':', '\n']) || file.starts_with('/') || file.split('/').any(|part| part == "..") {
        return Err(Error::Parameter {
            name: "file".into(),
            message: "name a file of the index".into(),
        });
    }
    let arguments = [
        "log".to_owned(),
        "--no-patch".into(),
        "--max-count=20".into(),
        "--date=short".into(),
        "--format=%h%x1f%an%x1f%ad%x1f%s".into(),
        format!("-L{first},{last}:{file}"),
    ];
    let text = run(root, &arguments)?;
    let commits = text.lines().filter_map(|line| {
        let mut parts = line.splitn(4, '\u{1f}').map(str::to_owned);
        Some(Commit {
            hash: parts.next()?,
            author: parts.next()?,
            date: parts.next()?,
            subject: parts.next()?,
        })
    });
    Ok(commits.collect())
}

/// A name that git takes for a revision and never for an option or a range.
fn revision(name: &str) -> Result<&str, Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/~^@{}-+#".contains(c);
    let fits = !name.is_empty() && !name.starts_with('-') && !name.contains("..") && name.chars().all(plain);
    if fits {
        return Ok(name);
    }
    Err(Error::Parameter {
        name: "revision".into(),
        message: format!("`{name}` is no name of a revision; write a branch, a tag or a hash"),
    })
}

fn run(root: &Path, arguments: &[String]) -> Result<String, Error> {
    let what = || {
        format!(
            "git {} in {}",
            arguments.first().map_or("", String::as_str),
            root.display()
        )
    };
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null())
        .output()
        .map_err(crate::error::io(what()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it failed");
    // What git refuses is mostly what it was asked for: a revision that is not there, a folder without a repository.
    Err(Error::Usage(format!("{}: {}", what(), first.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_are_names_and_nothing_else() {
        for name in ["main", "origin/main", "v1.2.3", "HEAD~2", "HEAD@{1}", "0a1b2c3"] {
            assert!(revision(name).is_ok(), "{name}");
        }
        for name in ["", "--output=/tmp/x", "-p", "a..b", "a b", "$(touch x)", "a;b", "a\nb"] {
            assert!(revision(name).is_err(), "{name:?}");
        }
    }
}
