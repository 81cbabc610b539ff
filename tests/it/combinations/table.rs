//! The tables of ways, hand-overs and definitions, and how a way and a hand-over become a program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::ByWay;
use crate::support;

/// A way with a hand-over.
#[derive(Debug)]
pub struct Program {
    /// With its group in front: `called / by keyword`.
    pub way: String,
    /// By its name.
    pub hand_over: String,
    /// With the carets.
    pub text: String,
}

impl Program {
    /// Its name.
    pub fn title(&self) -> String {
        format!("{} / {}", self.way, self.hand_over)
    }

    /// It as a section of a page.
    pub fn section(&self, language: &str) -> String {
        format!("## {}\n\n```{language}\n{}```\n", self.title(), self.text)
    }
}

/// What is asked for by hand: programs whose title begins so.
pub fn wanted() -> Option<String> {
    std::env::var("RIPPLE_COMBINATION").ok()
}

/// Every program of a language, or those that are asked for.
pub fn programs(language: &str) -> Vec<Program> {
    let table: Table = read(language, "");
    let vocabulary: Vocabulary = read(language, "-definitions");
    let assemble: fn(&Vocabulary, &str, &HandOver) -> String = match language {
        "go" => go_program,
        _ => python_program,
    };
    let wanted = wanted().unwrap_or_default();
    let mut programs = Vec::new();
    for (group, ways) in [
        ("called", &table.called),
        ("travels", &table.travels),
        ("gathered", &table.gathered),
    ] {
        for (name, code) in ways {
            let way = format!("{group} / {name}");
            for hand_over in &table.hand_over {
                if table.makes(&way, &hand_over.name) {
                    programs.push(Program {
                        way: way.clone(),
                        hand_over: hand_over.name.clone(),
                        text: assemble(&vocabulary, code, hand_over),
                    });
                }
            }
        }
    }
    programs.retain(|program| program.title().starts_with(&wanted));
    programs
}

/// Ways, by name in groups, and hand-overs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    hand_over: Vec<HandOver>,
    called: BTreeMap<String, String>,
    travels: BTreeMap<String, String>,
    #[serde(default)]
    gathered: BTreeMap<String, String>,
    #[serde(default)]
    only: ByWay,
    #[serde(default)]
    except: ByWay,
}

impl Table {
    fn makes(&self, way: &str, hand_over: &str) -> bool {
        let names = |list: &ByWay| list.get(way).map(|names| names.iter().any(|name| name == hand_over));
        names(&self.only).unwrap_or(true) && !names(&self.except).unwrap_or(false)
    }
}

/// What a value is handed over in.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HandOver {
    name: String,
    /// In Go.
    #[serde(default, rename = "type")]
    of_type: String,
    value: String,
    read: String,
}

impl HandOver {
    fn fill(&self, code: &str) -> String {
        code.replace("{t}", &self.of_type).replace("{r}", &self.read)
    }

    fn hand(&self, value: &str) -> String {
        self.value.replace("{v}", value)
    }
}

/// What programs are written with, by name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Vocabulary {
    definitions: BTreeMap<String, String>,
    imports: BTreeMap<String, String>,
}

/// What a program mentions.
#[derive(Debug, Default)]
struct Mentioned {
    names: BTreeSet<String>,
    imports: BTreeSet<String>,
    /// Each behind those that it mentions itself.
    definitions: Vec<String>,
}

impl Vocabulary {
    fn look_up(&self, text: &str, hand_over: &HandOver, mentioned: &mut Mentioned) {
        for name in names(text) {
            mentioned.imports.extend(self.imports.get(name).cloned());
            if let Some(definition) = self.definitions.get(name)
                && mentioned.names.insert(name.to_owned())
            {
                let definition = hand_over.fill(definition);
                self.look_up(&definition, hand_over, mentioned);
                mentioned.definitions.push(definition);
            }
        }
    }
}

/// The names in a text, in order: of `copy.copy` the first, of `.append` none.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '.')))
        .map(|chain| chain.strip_prefix("...").unwrap_or(chain))
        .map(|chain| chain.split_once('.').map_or(chain, |(first, _)| first))
}

fn python_program(vocabulary: &Vocabulary, code: &str, hand_over: &HandOver) -> String {
    let code = hand_over.fill(code);
    let (above, code) = code.rsplit_once("\n\n").unwrap_or(("", code.as_str()));
    let mut main = "def main():\n    secret = input()\n#   ^ source secret\n".to_owned();
    for (value, outcome, object) in [("secret", "one", "this"), ("\"clean\"", "two", "that")] {
        let side = code.replace("{x}", &hand_over.hand(value));
        main += &indented(&side.replace("{o}", outcome).replace("{y}", object), "    ");
        if code.contains("{y}") {
            main += &format!("    {outcome} = work({object})\n");
        }
    }
    main += "    print(one)\n#         ^ sees secret\n    print(two)\n#         ^ sees nothing";
    let mut mentioned = Mentioned::default();
    vocabulary.look_up(&format!("{above}\n{main}"), hand_over, &mut mentioned);
    let imports: Vec<String> = mentioned.imports.into_iter().collect();
    let mut blocks = vec![imports.join("\n")];
    blocks.extend(mentioned.definitions);
    blocks.extend([above.to_owned(), main, "main()".to_owned()]);
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n\n\n") + "\n"
}

fn go_program(vocabulary: &Vocabulary, code: &str, hand_over: &HandOver) -> String {
    let code = hand_over.fill(code);
    let side = |value: &str| indented(&code.replace("{x}", &hand_over.hand(value)), "\t");
    let main = format!(
        "func dirty(secret string) string {{\n{}\treturn out\n}}\n\n\
        func clean() string {{\n{}\treturn out\n}}\n\n\
        func main() {{\n\
        \tsecret := os.Args[0]\n\
        \t//^ source secret\n\
        \tone := dirty(secret)\n\
        \tfmt.Println(one)\n\
        \t//          ^ sees secret\n\
        \ttwo := clean()\n\
        \tfmt.Println(two)\n\
        \t//          ^ sees nothing\n\
        }}",
        side("secret"),
        side("\"clean\"")
    );
    let mut mentioned = Mentioned::default();
    mentioned.imports.extend(["fmt".to_owned(), "os".to_owned()]);
    vocabulary.look_up(&main, hand_over, &mut mentioned);
    let imports: String = mentioned.imports.iter().map(|path| format!("\t\"{path}\"\n")).collect();
    let mut blocks = vec!["package main".to_owned(), format!("import (\n{imports})")];
    blocks.extend(mentioned.definitions);
    blocks.push(main);
    blocks.join("\n\n") + "\n"
}

/// Each line of a code further in.
fn indented(code: &str, by: &str) -> String {
    let line = |line: &str| match line {
        "" => "\n".to_owned(),
        _ => format!("{by}{line}\n"),
    };
    code.lines().map(line).collect()
}

/// Where a language's tables stand.
pub fn path(language: &str, part: &str) -> PathBuf {
    let folder = support::tests_folder().join("combinations");
    folder.join(format!("{language}{part}.toml"))
}

/// One of a language's tables.
pub fn read<T: DeserializeOwned>(language: &str, part: &str) -> T {
    let path = path(language, part);
    let text = fs::read_to_string(&path).expect("the table is there");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
