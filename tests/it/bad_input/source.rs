//! Source that no program should have to read. The run ends well, the status says what was left out and why, and the graph
//! of everything else is whole.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::program::{Run, column, ripple, rows, run};
use crate::support::folder_of;

/// Two files in order, one per language, with one function each, and a flow in it.
const WHOLE: [(&str, &str); 2] = [
    ("whole.py", "def whole_py(a):\n    b = a\n    return b\n"),
    (
        "whole.go",
        "package main\n\nfunc wholeGo(a int) int {\n\tb := a\n\treturn b\n}\n",
    ),
];

/// Indexes a folder that holds something odd beside the files in order: the status lists just these troubles.
#[track_caller]
fn check(make: impl FnOnce(&Path), troubles: &[&str]) -> tempfile::TempDir {
    let folder = folder_of(WHOLE);
    make(folder.path());
    run(folder.path(), &["index"]).ok();
    let status = run(folder.path(), &["status", "--files"]).ok().out;
    intact(folder.path());
    assert_eq!(told(&status), troubles, "{status}");
    assert!(status.contains("work tree   as indexed"), "{status}");
    folder
}

/// The lines of the files in trouble.
fn told(status: &str) -> Vec<&str> {
    let lines = status.lines().skip_while(|line| *line != "trouble");
    lines
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.contains(": "))
        .collect()
}

/// The graph of the files in order is whole.
#[track_caller]
fn intact(folder: &Path) {
    let functions = column(
        folder,
        "MATCH (f:Function) WHERE f.file STARTS WITH 'whole' AND f.kind = 'function' RETURN f.name ORDER BY f.name",
    );
    assert_eq!(functions, ["wholeGo", "whole_py"]);
    let flows = "MATCH (a:Variable {name: 'a'})-[:FLOWS_TO* SHORTEST 1..3]->(r:Variable {kind: 'result'}) \
        WHERE a.file STARTS WITH 'whole' RETURN DISTINCT a.file ORDER BY a.file";
    assert_eq!(column(folder, flows), ["whole.go", "whole.py"]);
}

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    fs::write(folder.join(name), text).expect("the file can be written");
}

#[test]
fn whole_files_alone_are_no_trouble() {
    check(|_| {}, &[]);
}

#[test]
fn a_file_that_is_not_utf8() {
    let make = |folder: &Path| {
        write(folder, "latin.py", b"a = 1\nb = '\xe9'\n");
        write(folder, "latin.go", b"package main\n\n// caf\xe9\n");
        write(folder, "utf8.py", "def café(): pass\n");
    };
    let folder = check(
        make,
        &[
            "latin.go:0: not-utf8: line 3 is not UTF-8: not in the graph",
            "latin.py:0: not-utf8: line 2 is not UTF-8: not in the graph",
        ],
    );
    assert_eq!(
        column(folder.path(), "MATCH (f:Function {name: 'café'}) RETURN f.file"),
        ["utf8.py"]
    );
}

#[test]
fn an_empty_file() {
    let make = |folder: &Path| {
        ["empty.py", "empty.go", "blank.py"]
            .iter()
            .for_each(|name| write(folder, name, ""))
    };
    let folder = check(make, &[]);
    let files = column(
        folder.path(),
        "MATCH (f:File) WHERE f.name CONTAINS 'empty' RETURN f.name ORDER BY f.name",
    );
    assert_eq!(files, ["empty.go", "empty.py"]);
}

#[test]
fn fifty_megabytes_of_generated_code() {
    let line = "GENERATED_TABLE.append((1, 2, 3, 4, 5, 6, 7, 8))\n";
    let make = |folder: &Path| write(folder, "generated.py", line.repeat((50 << 20) / line.len() + 1));
    let hint = "not in the graph (raise the limit with --max-file-size, or name it in .rippleignore)";
    let folder = check(make, &[&format!("generated.py:0: too-large: larger than 8 MB: {hint}")]);
    write(folder.path(), ".rippleignore", "generated.py\n");
    run(folder.path(), &["index"]).ok();
    assert_eq!(
        told(&run(folder.path(), &["status", "--files"]).ok().out),
        Vec::<&str>::new()
    );
}

#[test]
fn the_limit_on_size_can_be_moved() {
    let folder = folder_of([(
        "large.py",
        "def large(): pass\n# and some more words, so that it is the largest file here\n",
    )]);
    run(folder.path(), &["index", "--max-file-size", "20"])
        .ok()
        .ended(0, "1 file skipped or partial");
    assert_eq!(
        rows(
            folder.path(),
            "MATCH (f:Function {name: 'large', kind: 'function'}) RETURN f.name"
        ),
        json!([])
    );
    run(folder.path(), &["index"]).ok();
    assert_eq!(
        rows(
            folder.path(),
            "MATCH (f:Function {name: 'large', kind: 'function'}) RETURN f.name"
        ),
        json!([["large"]])
    );
}

#[test]
fn syntax_errors() {
    let make = |folder: &Path| {
        write(
            folder,
            "broken.py",
            "def before(a):\n    return a\n\ndef broken(:\n    return (\n\ndef after(a):\n    return a\n",
        );
        write(
            folder,
            "broken.go",
            "package main\n\nfunc before() {}\n\nfunc broken( {\n\nfunc after(b int) int { return b }\n",
        );
        write(
            folder,
            "noise.py",
            ")]}{[( \"\"\" \\ \u{0} @ ü 🦀 ''' def class := -> ...",
        );
        write(folder, "noise.go", "}}} func ] type ( `unclosed 'x \u{0} := <- 🦀");
    };
    let folder = folder_of(WHOLE);
    make(folder.path());
    run(folder.path(), &["index"])
        .ok()
        .ended(0, "4 files skipped or partial (ripple status --files)");
    let status = run(folder.path(), &["status", "--files"]).ok().out;
    intact(folder.path());
    for file in ["broken.py", "broken.go", "noise.py", "noise.go"] {
        let line = told(&status)
            .into_iter()
            .find(|line| line.starts_with(file))
            .unwrap_or_default();
        assert!(
            line.contains(": syntax: syntax error: the graph holds what could be read around it"),
            "{file}: {status}"
        );
    }
    let around = "MATCH (f:Function) WHERE f.name = 'before' RETURN f.file ORDER BY f.file";
    assert_eq!(column(folder.path(), around), ["broken.go", "broken.py"]);
}

/// What opens, repeated, then what closes, with code behind it. One case a file, so that each is looked at.
#[test]
fn ten_thousand_levels_deep() {
    let nest = |head: &str, open: &str, inner: &str, close: &str, tail: &str| {
        format!("{head}{}{inner}{}{tail}", open.repeat(10_000), close.repeat(10_000))
    };
    let python = "\n\ndef behind(a):\n    return a\n";
    let go = "\n\nfunc behind(a int) int { return a }\n";
    let cases = [
        ("brackets.py", nest("x = ", "(", "1", ")", python)),
        ("lists.py", nest("x = ", "[", "", "]", python)),
        ("maps.py", nest("x = ", "{1: ", "1", "}", python)),
        ("calls.py", nest("x = ", "f(", "1", ")", python)),
        ("fields.py", nest("x = a", ".b", "", "", python)),
        ("sums.py", nest("x = 1", " + 1", "", "", python)),
        ("nots.py", nest("x = ", "not ", "1", "", python)),
        ("lambdas.py", nest("x = ", "lambda: ", "1", "", python)),
        ("ternaries.py", nest("x = ", "1 if a else ", "1", "", python)),
        ("subscripts.py", nest("x = ", "a[", "1", "]", python)),
        ("brackets.go", nest("package main\nvar x = ", "(", "1", ")", go)),
        (
            "blocks.go",
            nest("package main\nfunc f() {", "{", "", "}", &format!("}}{go}")),
        ),
        (
            "closures.go",
            nest("package main\nvar x = ", "func() { _ = ", "1", " }", go),
        ),
        ("calls.go", nest("package main\nvar x = ", "f(", "1", ")", go)),
        ("fields.go", nest("package main\nvar x = a", ".b", "", "", go)),
        ("sums.go", nest("package main\nvar x = 1", " + 1", "", "", go)),
        ("pointers.go", nest("package main\nvar x ", "*", "int", "", go)),
        ("slices.go", nest("package main\nvar x ", "[]", "int", "", go)),
        (
            "structs.go",
            nest("package main\ntype X ", "struct { a ", "int", " }", go),
        ),
    ];
    let folder = folder_of(WHOLE);
    cases.iter().for_each(|(name, text)| write(folder.path(), name, text));
    run(folder.path(), &["index"]).ok();
    let status = run(folder.path(), &["status", "--files"]).ok().out;
    intact(folder.path());
    let behind = column(folder.path(), "MATCH (f:Function {name: 'behind'}) RETURN f.file");
    for (name, _) in &cases {
        let told = told(&status)
            .into_iter()
            .any(|line| line.starts_with(&format!("{name}:")));
        assert!(told, "{name} is not told of: {status}");
        assert!(
            behind.contains(&json!(name)),
            "what is behind the depth of {name} is missing: {behind:?}\n{status}"
        );
    }
}

#[test]
fn ten_thousand_levels_of_indentation() {
    let mut text = String::new();
    for level in 0..10_000_usize {
        // A space more each time; the first thousand are enough for depth and keep the file below the limit on size.
        text.push_str(&" ".repeat(level.min(1_000)));
        text.push_str("if a:\n");
    }
    text.push_str(&" ".repeat(1_001));
    text.push_str("pass\n");
    let folder = folder_of(WHOLE);
    write(folder.path(), "ifs.py", text + "\ndef behind(a):\n    return a\n");
    run(folder.path(), &["index"]).ok();
    let status = run(folder.path(), &["status", "--files"]).ok().out;
    intact(folder.path());
    assert!(told(&status).iter().any(|line| line.starts_with("ifs.py:")), "{status}");
}

#[test]
fn line_ends_of_windows_and_a_byte_order_mark() {
    let make = |folder: &Path| {
        write(
            folder,
            "marked.py",
            "\u{feff}def marked(a):\r\n    b = a\r\n    return b\r\n",
        );
        write(
            folder,
            "marked.go",
            "\u{feff}package main\r\n\r\nfunc marked(a int) int {\r\n\tb := a\r\n\treturn b\r\n}\r\n",
        );
    };
    let folder = check(make, &[]);
    let places = rows(
        folder.path(),
        "MATCH (f:Function {name: 'marked', kind: 'function'}) RETURN f.file, f.line, f.end_line ORDER BY f.file",
    );
    assert_eq!(places, json!([["marked.go", 3, 6], ["marked.py", 1, 3]]));
    let flow = "MATCH (a:Variable {name: 'a'})-[e:FLOWS_TO]->(b:Variable {name: 'b'}) WHERE a.file STARTS WITH 'marked' RETURN e.file, e.line ORDER BY e.file";
    assert_eq!(rows(folder.path(), flow), json!([["marked.go", 4], ["marked.py", 2]]));
}

#[cfg(unix)]
#[test]
fn loops_of_links_and_what_is_no_file() {
    use std::os::unix::fs::symlink;
    let make = |folder: &Path| {
        fs::create_dir_all(folder.join("inner/folder.py")).expect("folders can be made");
        write(folder, "inner/folder.py/inside.py", "def inside(): pass\n");
        for (to, link) in [
            (".", "loop"),
            ("..", "inner/up"),
            ("itself.py", "itself.py"),
            ("nowhere.py", "dangling.py"),
            ("b.py", "a.py"),
            ("a.py", "b.py"),
        ] {
            symlink(to, folder.join(link)).expect("a link can be made");
        }
        // A pipe that nobody writes to: to read it is to wait for ever.
        let made = std::process::Command::new("mkfifo")
            .arg(folder.join("pipe.py"))
            .status();
        assert!(
            made.is_ok_and(|status| status.success()),
            "mkfifo is part of every Unix"
        );
    };
    let folder = check(make, &[]);
    let files = column(folder.path(), "MATCH (f:File) RETURN f.file ORDER BY f.file");
    assert_eq!(files, ["inner/folder.py/inside.py", "whole.go", "whole.py"]);
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let make = |folder: &Path| {
        let odd = folder.join(OsStr::from_bytes(b"caf\xe9.py"));
        if let Err(error) = fs::write(odd, "def odd(): pass\n") {
            println!("skipped: this file system takes no such name: {error}");
            write(folder, "caf\u{fffd}.py", b"\xe9");
        }
        fs::write(folder.join(OsStr::from_bytes(b"no-source-\xe9.txt")), "").unwrap_or_default();
    };
    let folder = folder_of(WHOLE);
    make(folder.path());
    run(folder.path(), &["index"]).ok();
    let status = run(folder.path(), &["status", "--files"]).ok().out;
    intact(folder.path());
    let told = told(&status);
    assert!(
        told.len() == 1 && told[0].starts_with("caf\u{fffd}.py:0: not-utf8: "),
        "{status}"
    );
}

/// Root may read everything, so the program runs as a user who may not.
#[cfg(unix)]
#[test]
fn an_unreadable_file_and_an_unreadable_folder() {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65_534;
    let folder = folder_of(
        WHOLE
            .into_iter()
            .chain([("secret.py", "x = 1\n"), ("closed/inside.py", "x = 1\n")]),
    );
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    mode(folder.path(), 0o755);
    mode(&folder.path().join("secret.py"), 0);
    mode(&folder.path().join("closed"), 0);
    let privileged = fs::read(folder.path().join("secret.py")).is_ok();
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    let copy = elsewhere.path().join("ripple");
    if privileged {
        chown(folder.path(), Some(NOBODY), Some(NOBODY)).expect("the superuser may");
        // Nobody may look into the folder of the builds.
        mode(elsewhere.path(), 0o755);
        fs::copy(crate::program::binary(), &copy).expect("there is place for a copy");
    }
    let as_nobody = |arguments: &[&str]| {
        let mut command = ripple(folder.path(), arguments);
        if privileged {
            command = std::process::Command::new(&copy);
            command
                .current_dir(folder.path())
                .args(arguments)
                .env_clear()
                .uid(NOBODY)
                .gid(NOBODY);
        }
        Run::of(&mut command)
    };
    as_nobody(&["index"]).ok();
    let status = as_nobody(&["status", "--files"]).ok().out;
    intact(folder.path());
    mode(&folder.path().join("closed"), 0o755);
    let denied = "Permission denied (os error 13)";
    assert!(
        status.contains(&format!(
            "secret.py:0: unreadable: cannot be read ({denied}): not in the graph"
        )),
        "{status}"
    );
    let closed = told(&status)
        .into_iter()
        .find(|line| line.contains("could not be walked"))
        .unwrap_or_default();
    assert!(closed.contains("closed") && closed.contains(denied), "{status}");
}

#[test]
fn a_folder_without_source_and_what_is_no_folder() {
    let folder = folder_of([("notes.txt", "nothing\n")]);
    run(folder.path(), &["index"])
        .ok()
        .ended(0, "note: no source file of a known language was found there");
    assert_eq!(column(folder.path(), "MATCH (n) RETURN count(n)"), [0]);
    run(folder.path(), &["index", "notes.txt"]).ended(7, "notes.txt");
    run(folder.path(), &["index", "absent"]).ended(7, "absent");
}
