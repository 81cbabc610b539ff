//! Types of library code: what its functions give and ask for, what its fields hold, which methods its interfaces have.
//!
//! ```text
//! os.Open(-)os.File,error                    a function: what it asks for, what it gives; `-` has neither methods nor fields
//! net/http.Request.Header net/http.Header    a field or variable
//! io.Writer{Write(List[]uint8)int,error}     an interface with its methods
//! os.File.ReadDir(-)[] io/fs.DirEntry,error  containers: `[]`, `map`, `chan`, and what is in them
//! ```
//!
//! A name without a line is not known. The table of a language is made from its library's own source.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::ContainerKind;

/// Interfaces of which no table says what they ask for, or not under this name: nobody else can have all of it.
const CLOSED: &[&str] = &[
    "go/ast.Node",
    "go/types.Type",
    "os.FileInfo",
    "reflect.Type",
    "testing.TB",
];

/// The types of a language's library.
#[derive(Debug, Default, Clone)]
pub struct Signatures {
    functions: FxHashMap<&'static str, Signature>,
    members: FxHashMap<&'static str, Given>,
    interfaces: FxHashMap<&'static str, Vec<Method>>,
    /// Types that have methods or fields.
    types: FxHashSet<&'static str>,
}

/// What a function asks for and gives.
#[derive(Debug, Default, Clone)]
pub struct Signature {
    /// By parameter.
    pub asked: Vec<Asked>,
    /// By result.
    pub given: Vec<Given>,
}

/// What a parameter asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Nothing that library code could call.
    Plain,
    /// A function.
    Function,
    /// Something with the methods of this interface.
    Interface(&'static str),
}

/// A value of library code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// The containers around it, from the outside in.
    pub containers: Vec<ContainerKind>,
    /// The name of its type; empty if it has neither methods nor fields.
    pub name: &'static str,
}

/// A method of an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// The types of its parameters; `?` for one that is not told.
    pub parameters: Vec<&'static str>,
    /// The types of its results.
    pub results: Vec<&'static str>,
}

impl Signatures {
    /// Reads a table.
    pub fn read(text: &'static str) -> Self {
        let mut signatures = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some(end) = line.find(['(', '{', ' ']) else {
                continue;
            };
            let (name, rest) = line.split_at(end);
            if let Some((of, _)) = name.rsplit_once('.')
                && of.rsplit('/').next().is_some_and(|own| own.contains('.'))
            {
                signatures.types.insert(of);
            }
            match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
                Some((asked, given)) => {
                    let signature = Signature {
                        asked: list(asked).map(asked_of).collect(),
                        given: list(given).map(given_of).collect(),
                    };
                    signatures.functions.insert(name, signature);
                }
                None => match rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                    Some(methods) => {
                        let methods = methods.split(';').filter_map(method_of).collect();
                        signatures.interfaces.insert(name, methods);
                    }
                    None => {
                        signatures.members.insert(name, given_of(rest.trim_start()));
                    }
                },
            }
        }
        signatures
    }

    /// What a function asks for and gives.
    pub fn function(&self, name: &str) -> Option<&Signature> {
        self.functions.get(name)
    }

    /// Whether there is a type of that name with methods or fields.
    pub fn has_type(&self, name: &str) -> bool {
        self.types.contains(name)
    }

    /// What a field or variable holds.
    pub fn member(&self, name: &str) -> Option<&Given> {
        self.members.get(name)
    }

    /// The names of all interfaces.
    pub fn interfaces(&self) -> impl Iterator<Item = &'static str> {
        self.interfaces.keys().copied()
    }

    /// Whether a name is that of an interface.
    pub fn is_interface(&self, name: &str) -> bool {
        self.interfaces.contains_key(name) || CLOSED.contains(&name)
    }

    /// The methods of an interface.
    pub fn interface(&self, name: &str) -> Option<&[Method]> {
        self.interfaces.get(name).map(Vec::as_slice)
    }
}

fn list(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(',').filter(|part| !part.is_empty())
}

fn asked_of(text: &'static str) -> Asked {
    match text {
        "-" => Asked::Plain,
        "func" => Asked::Function,
        name => Asked::Interface(name),
    }
}

fn given_of(text: &'static str) -> Given {
    let mut given = Given::default();
    for word in text.split(' ') {
        match word {
            "[]" => given.containers.push(ContainerKind::List),
            "map" => given.containers.push(ContainerKind::Map),
            "chan" => given.containers.push(ContainerKind::Channel),
            "-" => {}
            name => given.name = name,
        }
    }
    given
}

fn method_of(text: &'static str) -> Option<Method> {
    let (name, rest) = text.split_once('(')?;
    let (parameters, results) = rest.split_once(')')?;
    Some(Method {
        name,
        parameters: list(parameters).collect(),
        results: list(results).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read() {
        let table = Signatures::read(
            "# Types\nio.Writer{Write(List[]uint8)int,error}\nnet/http.Request.Header net/http.Header\n\
             os.File.ReadDir(-)[] io/fs.DirEntry,error\nsort.Slice(-,func)\nsort.Sort(sort.Interface)\nsort.Ints()",
        );
        let [write] = table.interface("io.Writer").unwrap_or_default() else {
            panic!("one method")
        };
        assert_eq!(
            (write.name, write.parameters.as_slice(), write.results.as_slice()),
            ("Write", &["List[]uint8"][..], &["int", "error"][..])
        );
        assert_eq!(
            table.member("net/http.Request.Header").map(|given| given.name),
            Some("net/http.Header")
        );
        let read = table.function("os.File.ReadDir").cloned().unwrap_or_default();
        assert_eq!(read.asked, [Asked::Plain]);
        assert_eq!(
            (read.given[0].name, read.given[0].containers.len(), read.given[1].name),
            ("io/fs.DirEntry", 1, "error")
        );
        assert_eq!(
            table.function("sort.Slice").map(|row| row.asked[1]),
            Some(Asked::Function)
        );
        let sort = table.function("sort.Sort").map(|row| row.asked[0]);
        assert_eq!(sort, Some(Asked::Interface("sort.Interface")));
        assert_eq!(table.function("sort.Ints").map(|row| row.given.len()), Some(0));
        assert!(table.function("os.Open").is_none());
    }
}
