//! One macro: an enum whose variants carry their wire name and their documentation.
//!
//! ```text
//! declare! {
//!     /// A direction.
//!     pub enum Way {
//!         /// Towards the sky.
//!         Up = "up",
//!     }
//! }
//! assert_eq!(Way::Up.name(), "up");
//! assert_eq!(Way::Up.doc(), "Towards the sky.");
//! assert_eq!(Way::ALL, &[Way::Up]);
//! ```

macro_rules! declare {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $( $(#[doc = $doc:literal])+ $variant:ident = $text:literal, )+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $( $(#[doc = $doc])+ $variant, )+
        }

        impl $name {
            /// Every variant, in order of declaration.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The name used in the graph.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $text, )+ }
            }

            /// What it means, as declared.
            pub const fn doc(self) -> &'static str {
                match self { $( Self::$variant => concat!($($doc, "\n"),+).trim_ascii(), )+ }
            }

            /// The variant of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.name() == name)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(crate) use declare;
