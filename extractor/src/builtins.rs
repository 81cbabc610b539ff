//! Names that the languages bind by themselves.

use ripple_schema::Language;

use crate::facts::Constant;

/// Whether the language binds the name when nothing else does.
pub fn is_builtin(language: Language, name: &str) -> bool {
    match language {
        Language::Python => PYTHON.binary_search(&name).is_ok(),
        Language::Go => GO.binary_search(&name).is_ok(),
        Language::Any => false,
    }
}

/// Whether a type that is written so is no interface of Go's: one of its own without parts, a pointer, a slice.
pub fn is_concrete(written: &str) -> bool {
    let is_basic = is_builtin(Language::Go, written) && !is_open(Language::Go, written);
    is_basic || written.starts_with(['*', '['])
}

/// Whether a type, as it is written in Go, may be that of a constant.
pub fn may_hold<T>(written: &str, constant: Constant<T>) -> bool {
    let is_sized =
        || written.starts_with(['i', 'u', 'f', 'c']) && written.ends_with(|last: char| last.is_ascii_digit());
    match constant {
        Constant::Text(_) | Constant::Empty => written == "string",
        Constant::Truth(_) => written == "bool",
        Constant::Number(_) => matches!(written, "int" | "uint" | "uintptr") || is_sized(),
        _ => true,
    }
}

/// Whether a type says nothing of what it takes, and was written so on purpose.
pub fn takes_anything(language: Language, name: &str) -> bool {
    language == Language::Go && name == "any"
}

/// Whether a full name may be that of an object that a library keeps, as `flask.g.user` is: it is no type, and not of the language's own library, which
/// keeps none of anybody else's.
pub fn is_kept_object(language: Language, name: &str) -> bool {
    let (Some((module, _)), Some((_, last))) = (name.split_once('.'), name.rsplit_once('.')) else {
        return false;
    };
    let is_type = last.starts_with(char::is_uppercase) || last.ends_with(')');
    language == Language::Python && !is_type && !is_python_module(module)
}

/// Whether a module of that name comes with Python.
pub fn is_python_module(name: &str) -> bool {
    MODULES.lines().any(|own| own == name)
}

/// The modules of Python's library, by <https://docs.python.org/3/library/sys.html#sys.stdlib_module_names>.
const MODULES: &str = include_str!("python/modules.txt");

/// Whether a name that the language brings along may stand for anything, parts and all.
pub fn is_open(language: Language, name: &str) -> bool {
    match language {
        Language::Go => matches!(name, "any" | "error" | "comparable"),
        Language::Python | Language::Any => true,
    }
}

/// Classes of Python of which no object is two, but by deriving from them; a `bool` is an `int`.
pub fn is_plain_class(name: &str) -> bool {
    matches!(
        name,
        "str"
            | "bytes"
            | "bytearray"
            | "int"
            | "float"
            | "bool"
            | "complex"
            | "list"
            | "dict"
            | "tuple"
            | "set"
            | "frozenset"
            | "type"
            | "range"
            | "slice"
    )
}

/// Whether a built-in type has the member; none for what is no built-in type.
pub fn has_member(type_name: &str, member: &str) -> Option<bool> {
    let (_, members) = PYTHON_MEMBERS.iter().find(|(name, _)| *name == type_name)?;
    Some(members.binary_search(&member).is_ok())
}

/// Whether something is asked of a future that no future has: it is what that was awaited for.
/// <https://docs.python.org/3/library/asyncio-future.html>
pub fn is_asked_of_result(class: &str, member: &str) -> bool {
    const FUTURES: &[&str] = &["asyncio.Future", "asyncio.Task", "asyncio.futures.Future"];
    const MEMBERS: &[&str] = &[
        "add_done_callback",
        "cancel",
        "cancelled",
        "done",
        "exception",
        "get_coro",
        "get_loop",
        "get_name",
        "remove_done_callback",
        "result",
        "set_exception",
        "set_name",
        "set_result",
    ];
    FUTURES.contains(&class) && !member.starts_with('_') && !MEMBERS.contains(&member)
}

/// <https://docs.python.org/3/library/functions.html> and the built-in exceptions and constants, sorted.
const PYTHON: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "False",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "None",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "True",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
    "__build_class__",
    "__debug__",
    "__doc__",
    "__file__",
    "__import__",
    "__loader__",
    "__name__",
    "__package__",
    "__path__",
    "__spec__",
    "abs",
    "aiter",
    "all",
    "anext",
    "any",
    "ascii",
    "bin",
    "bool",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "classmethod",
    "compile",
    "complex",
    "copyright",
    "credits",
    "delattr",
    "dict",
    "dir",
    "divmod",
    "enumerate",
    "eval",
    "exec",
    "exit",
    "filter",
    "float",
    "format",
    "frozenset",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "license",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "property",
    "quit",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "vars",
    "zip",
];

/// <https://go.dev/ref/spec#Predeclared_identifiers>, sorted.
const GO: &[&str] = &[
    "any",
    "append",
    "bool",
    "byte",
    "cap",
    "clear",
    "close",
    "comparable",
    "complex",
    "complex128",
    "complex64",
    "copy",
    "delete",
    "error",
    "false",
    "float32",
    "float64",
    "imag",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "iota",
    "len",
    "make",
    "max",
    "min",
    "new",
    "nil",
    "panic",
    "print",
    "println",
    "real",
    "recover",
    "rune",
    "string",
    "true",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];

/// Members of Python's built-in types, and of two that classes often stand on, beyond those of every object, each list sorted
/// (<https://docs.python.org/3/library/stdtypes.html>, `typing.html`, `enum.html`).
const PYTHON_MEMBERS: &[(&str, &[&str])] = &[
    (
        "str",
        &[
            "__add__",
            "__contains__",
            "__getitem__",
            "__getnewargs__",
            "__iter__",
            "__len__",
            "__mod__",
            "__mul__",
            "__rmod__",
            "__rmul__",
            "capitalize",
            "casefold",
            "center",
            "count",
            "encode",
            "endswith",
            "expandtabs",
            "find",
            "format",
            "format_map",
            "index",
            "isalnum",
            "isalpha",
            "isascii",
            "isdecimal",
            "isdigit",
            "isidentifier",
            "islower",
            "isnumeric",
            "isprintable",
            "isspace",
            "istitle",
            "isupper",
            "join",
            "ljust",
            "lower",
            "lstrip",
            "maketrans",
            "partition",
            "removeprefix",
            "removesuffix",
            "replace",
            "rfind",
            "rindex",
            "rjust",
            "rpartition",
            "rsplit",
            "rstrip",
            "split",
            "splitlines",
            "startswith",
            "strip",
            "swapcase",
            "title",
            "translate",
            "upper",
            "zfill",
        ],
    ),
    (
        "bytes",
        &[
            "__add__",
            "__bytes__",
            "__contains__",
            "__getitem__",
            "__getnewargs__",
            "__iter__",
            "__len__",
            "__mod__",
            "__mul__",
            "__rmod__",
            "__rmul__",
            "capitalize",
            "center",
            "count",
            "decode",
            "endswith",
            "expandtabs",
            "find",
            "fromhex",
            "hex",
            "index",
            "isalnum",
            "isalpha",
            "isascii",
            "isdigit",
            "islower",
            "isspace",
            "istitle",
            "isupper",
            "join",
            "ljust",
            "lower",
            "lstrip",
            "maketrans",
            "partition",
            "removeprefix",
            "removesuffix",
            "replace",
            "rfind",
            "rindex",
            "rjust",
            "rpartition",
            "rsplit",
            "rstrip",
            "split",
            "splitlines",
            "startswith",
            "strip",
            "swapcase",
            "title",
            "translate",
            "upper",
            "zfill",
        ],
    ),
    (
        "list",
        &[
            "__add__",
            "__class_getitem__",
            "__contains__",
            "__delitem__",
            "__getitem__",
            "__iadd__",
            "__imul__",
            "__iter__",
            "__len__",
            "__mul__",
            "__reversed__",
            "__rmul__",
            "__setitem__",
            "append",
            "clear",
            "copy",
            "count",
            "extend",
            "index",
            "insert",
            "pop",
            "remove",
            "reverse",
            "sort",
        ],
    ),
    (
        "dict",
        &[
            "__class_getitem__",
            "__contains__",
            "__delitem__",
            "__getitem__",
            "__ior__",
            "__iter__",
            "__len__",
            "__or__",
            "__reversed__",
            "__ror__",
            "__setitem__",
            "clear",
            "copy",
            "fromkeys",
            "get",
            "items",
            "keys",
            "pop",
            "popitem",
            "setdefault",
            "update",
            "values",
        ],
    ),
    (
        "tuple",
        &[
            "__add__",
            "__class_getitem__",
            "__contains__",
            "__getitem__",
            "__getnewargs__",
            "__iter__",
            "__len__",
            "__mul__",
            "__rmul__",
            "count",
            "index",
        ],
    ),
    (
        "set",
        &[
            "__and__",
            "__class_getitem__",
            "__contains__",
            "__iand__",
            "__ior__",
            "__isub__",
            "__iter__",
            "__ixor__",
            "__len__",
            "__or__",
            "__rand__",
            "__ror__",
            "__rsub__",
            "__rxor__",
            "__sub__",
            "__xor__",
            "add",
            "clear",
            "copy",
            "difference",
            "difference_update",
            "discard",
            "intersection",
            "intersection_update",
            "isdisjoint",
            "issubset",
            "issuperset",
            "pop",
            "remove",
            "symmetric_difference",
            "symmetric_difference_update",
            "union",
            "update",
        ],
    ),
    (
        "generator",
        &[
            "__del__",
            "__iter__",
            "__name__",
            "__next__",
            "__qualname__",
            "close",
            "gi_code",
            "gi_frame",
            "gi_running",
            "gi_suspended",
            "gi_yieldfrom",
            "send",
            "throw",
        ],
    ),
    (
        "typing.NamedTuple",
        &[
            "__add__",
            "__contains__",
            "__getitem__",
            "__getnewargs__",
            "__iter__",
            "__len__",
            "__mul__",
            "__rmul__",
            "_asdict",
            "_field_defaults",
            "_fields",
            "_make",
            "_replace",
            "count",
            "index",
        ],
    ),
    (
        "enum.Enum",
        &[
            "__call__",
            "__contains__",
            "__getitem__",
            "__iter__",
            "__len__",
            "__members__",
            "_generate_next_value_",
            "_ignore_",
            "_missing_",
            "_name_",
            "_value_",
            "name",
            "value",
        ],
    ),
];

#[cfg(test)]
mod tests {
    #[test]
    fn lists_are_sorted() {
        assert!(super::PYTHON.is_sorted());
        assert!(super::GO.is_sorted());
        assert!(super::PYTHON_MEMBERS.iter().all(|(_, members)| members.is_sorted()));
    }
}
