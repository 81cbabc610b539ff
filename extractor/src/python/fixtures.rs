//! Fixtures: tests that ask for values by the names of their parameters ([pytest's manual](https://docs.pytest.org/en/stable/how-to/fixtures.html)).
//!
//! ```python
//! @pytest.fixture
//! def client(app):                   # what is yielded, or returned, is the value
//!     yield Client(app)
//!
//! def test_home(client):             # as if it began with `client = client(app())`
//!     client.get("/")
//! ```
//!
//! Which function a name means is told when all files are known: one of the same class, of the file, one that the file imports, or one of the
//! nearest `conftest.py` above it. What runs around all tests of a class or file (`setUp`, `setup_module`, a fixture with `autouse=True`) is called by each of
//! them ([unittest's manual](https://docs.python.org/3/library/unittest.html#class-and-module-fixtures)).

use ripple_schema::How;
use tree_sitter::Node;

use super::Walker;
use super::definition::last_name;
use crate::facts::by_name::{Asked, Given};
use crate::facts::{FunctionId, ParameterKind, PlaceKind, Position, TypeId};
use crate::tree::children;

/// The call that takes the value out of what a fixture gave: what its generator yields, or itself.
pub(crate) const TAKE: &str = "__fixture__";

/// What a class has run before and after its tests: the names of `unittest`, of Django, and of pytest.
const AROUND_CLASS: &[&str] = &[
    "asyncSetUp",
    "asyncTearDown",
    "setUp",
    "setUpClass",
    "setUpTestData",
    "setup_class",
    "setup_method",
    "tearDown",
    "tearDownClass",
    "teardown_class",
    "teardown_method",
];

/// What a module has run so.
const AROUND_MODULE: &[&str] = &[
    "setUpModule",
    "setup_function",
    "setup_module",
    "tearDownModule",
    "teardown_function",
    "teardown_module",
];

/// Whether the fixtures of a file are given to all files below its folder.
pub(super) fn is_given_below(name: &str) -> bool {
    name == "conftest.py"
}

impl<'t> Walker<'t> {
    /// Notes that a function is a fixture, and what it asks for; its parameters are declared, its body was not walked yet.
    pub(super) fn note_fixtures(
        &mut self,
        (name, decorators): (&str, &[Node<'t>]),
        (function, owner): (FunctionId, Option<TypeId>),
        is_method: bool,
    ) {
        let fixture = decorators
            .iter()
            .find(|decorator| self.is_called(**decorator, &["fixture", "yield_fixture"]));
        if let Some(fixture) = fixture {
            let given = self.name_given(*fixture);
            let name = self.builder.name(given.as_deref().unwrap_or(name));
            let given = Given { name, function, owner };
            self.builder.facts.by_name.given.push(given);
            if self.is_for_all(*fixture) {
                self.builder.facts.by_name.around.push(given);
            }
        } else if self.test && name.starts_with("test") {
            self.builder.run_around(function);
        } else {
            let names = owner.map_or(AROUND_MODULE, |_| AROUND_CLASS);
            if names.contains(&name) {
                let name = self.builder.name(name);
                let given = Given { name, function, owner };
                self.builder.facts.by_name.around.push(given);
            }
            return;
        }
        let parameters = self.builder.function_mut().parameters.clone();
        let asked = parameters.into_iter().skip(usize::from(is_method)).filter(|parameter| {
            let is_plain = matches!(parameter.kind, ParameterKind::Normal | ParameterKind::KeywordOnly);
            is_plain && parameter.required
        });
        for parameter in asked.collect::<Vec<_>>() {
            let text = self.builder.facts.text(parameter.name).to_owned();
            if text == "request"
                || decorators
                    .iter()
                    .any(|decorator| self.is_parametrized(*decorator, &text))
            {
                continue;
            }
            let at = self.builder.facts.places[parameter.place.0 as usize].position;
            let value = self.ask_for((parameter.name, function), at);
            self.builder.flow(Some(value), parameter.place, How::Assign, at);
        }
        for (name, at) in self.used_fixtures(decorators) {
            let name = self.builder.name(&name);
            self.ask_for((name, function), at);
        }
    }

    fn ask_for(&mut self, (name, function): (crate::facts::Name, FunctionId), at: Position) -> crate::facts::PlaceId {
        let callee = self.builder.place(PlaceKind::Value, name, at);
        let asked = Asked { name, function, callee };
        self.builder.facts.by_name.asked.push(asked);
        let given = self.builder.call(callee, name, None, Vec::new(), at, How::Implicit);
        self.builder.implicit_call(given, TAKE, Vec::new(), at)
    }

    /// `@pytest.fixture(name="client")`.
    fn name_given(&self, decorator: Node<'t>) -> Option<String> {
        let value = self.keyword(decorator, "name")?;
        self.constant_text(Some(value).filter(|value| value.kind() == "string")?)
    }

    /// `@pytest.fixture(autouse=True)`.
    fn is_for_all(&self, decorator: Node<'t>) -> bool {
        let value = self.keyword(decorator, "autouse");
        value.is_some_and(|value| value.kind() != "false")
    }

    /// Whether the last part of a decorator's name is one of these.
    pub(super) fn is_called(&self, decorator: Node<'t>, names: &[&str]) -> bool {
        names.contains(&last_name(self.text_of(decorator)).trim())
    }

    /// `@pytest.mark.parametrize("size, color", …)`: these come from there.
    fn is_parametrized(&self, decorator: Node<'t>, parameter: &str) -> bool {
        self.names_marked(decorator).contains(&parameter)
    }

    /// `@pytest.mark.usefixtures("database")`.
    fn used_fixtures(&self, decorators: &[Node<'t>]) -> Vec<(String, Position)> {
        let marks = decorators
            .iter()
            .filter(|decorator| self.is_called(**decorator, &["usefixtures"]));
        let arguments = marks.filter_map(|mark| mark.child_by_field_name("arguments"));
        let texts = arguments
            .flat_map(children)
            .filter(|argument| argument.kind() == "string");
        texts
            .filter_map(|text| Some((self.constant_text(text)?, super::position(text))))
            .collect()
    }
}
