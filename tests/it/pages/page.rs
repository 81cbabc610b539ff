//! The form of a page: sections, files, and expectations with the position that their caret points to.

/// What stands between an expectation and today's answer where they differ.
pub const TODAY: &str = " — today: ";

const VERBS: &[&str] = &[
    "source",
    "sees",
    "holds",
    "calls",
    "asks",
    "type",
    "written by",
    "read by",
    "key",
];

/// A page.
#[derive(Debug, Default)]
pub struct Page {
    /// Its programs.
    pub sections: Vec<Section>,
}

/// One small program.
#[derive(Debug, Default)]
pub struct Section {
    /// Its files, expectation lines included: they are comments.
    pub files: Vec<File>,
    /// What must hold.
    pub expectations: Vec<Expectation>,
}

/// A file of a program.
#[derive(Debug)]
pub struct File {
    /// Where it stands.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// What must hold at a place.
#[derive(Debug)]
pub struct Expectation {
    /// Line on the page, from 1.
    pub line: usize,
    /// File of the program.
    pub file: String,
    /// Line in that file, from 1.
    pub code_line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// `sees`, `calls`, …
    pub verb: &'static str,
    /// The truth: names, separated by commas; `nothing` for none.
    pub expected: String,
    /// What is found today, where that differs.
    pub today: Option<String>,
}

impl Page {
    /// Every expectation, in order.
    pub fn all(&self) -> Vec<&Expectation> {
        self.sections.iter().flat_map(|section| &section.expectations).collect()
    }

    /// Reads a page.
    pub fn parse(text: &str) -> Self {
        let mut page = Self::default();
        let mut fence: Option<File> = None;
        let mut code_line = 0u32;
        let mut last_code = 0u32;
        for (index, line) in text.lines().enumerate() {
            if let Some(file) = &mut fence {
                if line.starts_with("```") {
                    let file = fence.take().expect("just looked");
                    page.sections
                        .last_mut()
                        .expect("code stands in a section")
                        .files
                        .push(file);
                    continue;
                }
                code_line += 1;
                file.text.push_str(line);
                file.text.push('\n');
                let marker = if file.path.ends_with(".go") { "//" } else { "#" };
                match expectation(line, marker) {
                    Some((column, verb, rest)) => {
                        let (expected, today) = match rest.split_once(TODAY) {
                            Some((expected, today)) => (expected.trim(), Some(today.trim().to_owned())),
                            None => (rest.trim(), None),
                        };
                        let expectation = Expectation {
                            line: index + 1,
                            file: file.path.clone(),
                            code_line: last_code,
                            column,
                            verb,
                            expected: expected.to_owned(),
                            today,
                        };
                        page.sections
                            .last_mut()
                            .expect("code stands in a section")
                            .expectations
                            .push(expectation);
                    }
                    None => last_code = code_line,
                }
            } else if line.starts_with("## ") {
                page.sections.push(Section::default());
            } else if let Some(info) = line.strip_prefix("```") {
                let (language, path) = info.split_once(' ').unwrap_or((info, ""));
                let path = match (language, path) {
                    (_, path) if !path.is_empty() => path.to_owned(),
                    ("go", _) => "main.go".to_owned(),
                    _ => "main.py".to_owned(),
                };
                fence = Some(File {
                    path,
                    text: String::new(),
                });
                code_line = 0;
                last_code = 0;
            }
        }
        for section in &mut page.sections {
            let is_go = section.files.iter().any(|file| file.path.ends_with(".go"));
            if is_go && !section.files.iter().any(|file| file.path == "go.mod") {
                let text = "module example.com/page\n\ngo 1.24\n".to_owned();
                section.files.push(File {
                    path: "go.mod".to_owned(),
                    text,
                });
            }
        }
        page
    }
}

/// Column of the caret, verb and the rest, if the line is an expectation.
fn expectation<'l>(line: &'l str, marker: &str) -> Option<(u32, &'static str, &'l str)> {
    let start = line.len() - line.trim_start().len();
    let comment = line[start..].strip_prefix(marker)?;
    let caret = comment.find('^')?;
    if !comment[..caret].trim().is_empty() {
        return None;
    }
    let rest = comment[caret + 1..].trim_start();
    let verb = VERBS.iter().find(|verb| rest.starts_with(**verb))?;
    let column = start + marker.len() + caret + 1;
    Some((column as u32, verb, rest[verb.len()..].trim()))
}
