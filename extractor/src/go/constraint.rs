//! Which files belong to the build: file name suffixes and `//go:build` lines
//! (<https://pkg.go.dev/cmd/go#hdr-Build_constraints>).
//!
//! For `linux/amd64`, `open_windows.go` does not fit, nor does a file with `//go:build ignore`; `//go:build linux && !cgo` does not
//! either, because cgo is taken to be on.

use crate::Options;

const SYSTEMS: &[&str] = &[
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];
const ARCHITECTURES: &[&str] = &[
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le", "riscv64",
    "s390x", "wasm",
];
const UNIX: &[&str] = &[
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "linux",
    "netbsd",
    "openbsd",
    "solaris",
];

/// Whether a file belongs to the build for the options' system and architecture.
pub fn fits(file_name: &str, text: &str, options: &Options) -> bool {
    name_fits(file_name, options) && line_fits(text, options)
}

fn name_fits(file_name: &str, options: &Options) -> bool {
    let stem = file_name.trim_end_matches(".go").trim_end_matches("_test");
    let parts: Vec<&str> = stem.split('_').skip(1).collect();
    let architecture = |part: &str| ARCHITECTURES.contains(&part);
    let system = |part: &str| SYSTEMS.contains(&part);
    match parts.as_slice() {
        [.., first, second] if system(first) && architecture(second) => {
            *first == options.goos && *second == options.goarch
        }
        [.., last] if system(last) => *last == options.goos,
        [.., last] if architecture(last) => *last == options.goarch,
        _ => true,
    }
}

fn line_fits(text: &str, options: &Options) -> bool {
    for line in text.lines() {
        let line = line.trim();
        if let Some(expression) = line.strip_prefix("//go:build ") {
            let mut tokens = tokens(expression);
            tokens.reverse();
            return either(&mut tokens, options);
        }
        if !line.is_empty() && !line.starts_with("//") && !line.starts_with("/*") && !line.starts_with('*') {
            return true;
        }
    }
    true
}

fn tokens(expression: &str) -> Vec<String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('!', " ! ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// `a || b`; the next token is the last of the list.
fn either(tokens: &mut Vec<String>, options: &Options) -> bool {
    let mut value = both(tokens, options);
    while tokens.last().is_some_and(|token| token == "||") {
        tokens.pop();
        let right = both(tokens, options);
        value |= right;
    }
    value
}

fn both(tokens: &mut Vec<String>, options: &Options) -> bool {
    let mut value = one(tokens, options);
    while tokens.last().is_some_and(|token| token == "&&") {
        tokens.pop();
        let right = one(tokens, options);
        value &= right;
    }
    value
}

fn one(tokens: &mut Vec<String>, options: &Options) -> bool {
    match tokens.pop().as_deref() {
        Some("!") => !one(tokens, options),
        Some("(") => {
            let value = either(tokens, options);
            tokens.pop();
            value
        }
        Some(tag) => {
            tag == options.goos
                || tag == options.goarch
                || matches!(tag, "cgo" | "gc")
                || tag == "unix" && UNIX.contains(&options.goos.as_str())
                || tag.starts_with("go1.")
        }
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_picked_as_the_go_command_picks_them() {
        let options = Options::default();
        for (name, text, expected) in [
            ("a.go", "package a", true),
            ("a_windows.go", "package a", false),
            ("a_linux_amd64.go", "package a", true),
            ("a_linux_arm64_test.go", "package a", false),
            ("linux.go", "package a", true),
            ("a.go", "//go:build ignore\n\npackage a", false),
            (
                "a.go",
                "// Copyright\n\n//go:build !windows && (linux || darwin)\n\npackage a",
                true,
            ),
            ("a.go", "//go:build go1.18\npackage a", true),
            ("a.go", "package a\n//go:build ignore\n", true),
        ] {
            assert_eq!(fits(name, text, &options), expected, "{name}: {text}");
        }
    }
}
