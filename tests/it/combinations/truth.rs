//! What the programs print when they are run: Python's in one process, Go's as packages of one module.

use std::fs;
use std::process::Command;

use serde::Deserialize;

use super::table::{Program, programs};
use crate::program::Run;
use crate::support;

#[test]
fn python_combinations_are_true() {
    let version = ["-c", "import sys; print(sys.version_info >= (3, 10))"];
    if Run::of(Command::new("python3").args(version)).ok().out.trim() != "True" {
        println!("skipped: some programs use `match`, which Python has from 3.10 on");
        return;
    }
    let programs = programs("python");
    let lines: Vec<String> = programs
        .iter()
        .map(|program| serde_json::Value::from(program.text.as_str()).to_string() + "\n")
        .collect();
    let folder = support::folder_of([("programs.jsonl", lines.concat().as_str())]);
    let input = fs::File::open(folder.path().join("programs.jsonl")).expect("it was just written");
    let script = support::tests_folder().join("oracles/combinations/run.py");
    let run = Run::of(Command::new("python3").arg("-B").arg(script).stdin(input)).ok();
    let printed = run.out.lines().map(|line| {
        let answer: Printed = serde_json::from_str(line).expect("the runner writes JSON");
        answer.lines.into_iter().chain(answer.error).collect()
    });
    are_true(&programs, printed);
}

/// All programs are packages of one module, so that there is one build and one run.
#[test]
fn go_combinations_are_true() {
    if Command::new("go").arg("version").output().is_err() {
        println!("skipped: Go is not installed, and the programs have to be run");
        return;
    }
    let programs = programs("go");
    let name = |number: usize| format!("p{number}");
    let packages = programs.iter().enumerate().map(|(number, program)| {
        let text = program
            .text
            .replacen("package main", &format!("package {}", name(number)), 1)
            .replacen("func main()", "func Main()", 1);
        (format!("{}/program.go", name(number)), text)
    });
    let mut files: Vec<(String, String)> = packages.collect();
    files.push(("go.mod".to_owned(), "module example.com/page\n\ngo 1.23\n".to_owned()));
    files.push(("main.go".to_owned(), runner((0..programs.len()).map(name))));
    let folder = support::folder_of(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    // Without the folder's path in them, the packages of an earlier run are taken as they are.
    let run = Run::of(
        Command::new("go")
            .args(["run", "-trimpath", "."])
            .current_dir(folder.path()),
    );
    let run = run.ok();
    let printed = run.out.split_terminator(END);
    are_true(
        &programs,
        printed.map(|printed| printed.lines().map(str::to_owned).collect()),
    );
}

/// What the runner of Go's programs writes behind each of them.
const END: &str = "-- end of program --\n";

/// What the runner of Python's programs writes of each of them.
#[derive(Debug, Deserialize)]
struct Printed {
    lines: Vec<String>,
    error: Option<String>,
}

/// A `main` that runs these packages one after the other; all read the secret where they expect the program's own name.
fn runner(packages: impl Iterator<Item = String>) -> String {
    let (mut imports, mut runs) = (String::new(), String::new());
    for package in packages {
        imports += &format!("import \"example.com/page/{package}\"\n");
        runs += &format!("run({package}.Main)\n");
    }
    format!(
        "package main\n\nimport (\"fmt\"; \"os\")\n{imports}\n\
        func main() {{\nos.Args[0] = \"secret\"\n{runs}}}\n\n\
        func run(program func()) {{\n\
        defer func() {{\nif fault := recover(); fault != nil {{ fmt.Println(fault) }}\nfmt.Print({END:?})\n}}()\n\
        program()\n}}\n"
    )
}

/// Fails unless each program printed the secret first, and then something else.
fn are_true(programs: &[Program], printed: impl Iterator<Item = Vec<String>>) {
    let printed: Vec<Vec<String>> = printed.collect();
    assert_eq!(printed.len(), programs.len(), "programs that were run, and all");
    let has = |line: &String| line.contains("secret");
    let is_true = |lines: &[String]| matches!(lines, [first, second] if has(first) && !has(second));
    let wrong: Vec<String> = programs
        .iter()
        .zip(&printed)
        .filter(|(_, lines)| !is_true(lines))
        .map(|(program, lines)| format!("{} printed {lines:?}", program.title()))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} programs do not do what is said of them:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
