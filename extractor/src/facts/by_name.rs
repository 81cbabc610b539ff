//! What names alone join: the values of functions that whoever runs another function hands it by name, and texts that name something.
//!
//! ```python
//! @pytest.fixture
//! def client(app): return app.client()      # given: `client`; it asks for `app` itself
//! def test_home(client): client.get("/")    # asks for `client`
//! def setUp(self): self.shop = open_shop()  # runs around all tests of its class
//! POLICY = "shop.cache.DummyPolicy"         # names a class, and somebody may look it up by that
//! monkeypatch.setattr(shop, "DEBUG", True)  # sets `DEBUG` for others
//! ```

use serde::{Deserialize, Serialize};

use super::order::Point;
use super::{FunctionId, Name, PlaceId, Position, TypeExpressionId, TypeId};

/// The attribute of a function that dispatches by class which stands for what other files register with it.
pub const REGISTERED: &str = "__registered__";

/// Of one file.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct ByName {
    /// Functions whose value is handed to who asks for that name.
    pub given: Vec<Given>,
    /// What functions ask for.
    pub asked: Vec<Asked>,
    /// Functions that run before or after tests, asked for or not: those of the class, or all of the file, and of those below.
    pub around: Vec<Given>,
    /// Tests, each with the callee of the call that stands for what runs around it.
    pub tests: Vec<Asked>,
    /// Texts that may name something of the program, and where they stand.
    pub texts: Vec<(Name, Position)>,
    /// Members and variables that somebody sets by name for others: `monkeypatch.setattr(shop, "DEBUG", True)`, `patch("shop.DEBUG", True)`.
    pub set: Vec<Name>,
    /// Of what members are set by names of which only some are known before the program runs.
    pub set_any: Vec<PlaceId>,
    /// What is written under names that others hand in.
    pub members_set: Vec<MembersSet>,
    /// What is given here is given to all files of the folder and of those below it.
    pub below: bool,
}

/// Members that are set under names that may come from other files.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct MembersSet {
    /// Whose members.
    pub base: PlaceId,
    /// Which, and to what.
    pub to: SetTo,
    /// By whom.
    pub function: FunctionId,
    /// Where.
    pub position: Position,
    /// When.
    pub point: Point,
}

/// See [`MembersSet`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum SetTo {
    /// What lies in this table, under the same names: `for name, value in table.items(): setattr(row, name, value)`.
    PartsOf(PlaceId),
    /// The member that a parameter names, to this value: `setattr(row, name, value)`.
    Named(PlaceId, Option<PlaceId>),
}

/// A function whose value is handed by name.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Given {
    /// The name.
    pub name: Name,
    /// The function.
    pub function: FunctionId,
    /// Given to the methods of this class alone.
    pub owner: Option<TypeId>,
}

/// A function that asks for a value by name.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Asked {
    /// The name.
    pub name: Name,
    /// The function.
    pub function: FunctionId,
    /// The callee of the call that stands for it.
    pub callee: PlaceId,
}

/// What is done to some member of an object, by a name that nobody knows before the program runs: `setattr(row, name, value)`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ComputedUse {
    /// The object.
    pub base: PlaceId,
    /// Whether the member is written.
    pub is_written: bool,
    /// By whom.
    pub function: FunctionId,
    /// Where.
    pub position: Position,
}

/// `Alias = Base`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ClassName {
    /// What the variable is called.
    pub name: Name,
    /// The class.
    pub class: TypeExpressionId,
    /// It is so on systems and in versions alone that few have.
    pub rarely: bool,
}
