//! [`Token`]: the one secret that a request may have to carry.
//!
//! For the token `s3cret`, each of these headers is good:
//!
//! ```text
//! Authorization: Bearer s3cret
//! Authorization: Bearer czNjcmV0          the same in base64, as Neo4j's Query API documents it
//! Authorization: Basic bmVvNGo6czNjcmV0   any user, the token as password: neo4j:s3cret
//! ```

use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use subtle::ConstantTimeEq as _;

use crate::Error;

/// A secret. Neither logged nor shown, and compared in constant time.
pub struct Token(Vec<u8>);

impl Token {
    /// From its text.
    pub fn new(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }

    /// Whether the headers carry it.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), Error> {
        let Some(value) = headers.get(header::AUTHORIZATION) else {
            return Err(Error::Unauthorized("this route asks for a token, and none was sent"));
        };
        if self.is_in(value.as_bytes()) {
            Ok(())
        } else {
            Err(Error::Unauthorized("the token is another one"))
        }
    }

    fn is_in(&self, header: &[u8]) -> bool {
        let Some(at) = header.iter().position(|byte| *byte == b' ') else {
            return false;
        };
        let (scheme, secret) = (&header[..at], header[at..].trim_ascii());
        let decoded = BASE64_STANDARD.decode(secret).unwrap_or_default();
        if scheme.eq_ignore_ascii_case(b"bearer") {
            return self.is(secret) | self.is(decoded.trim_ascii_end());
        }
        let password = decoded
            .iter()
            .position(|byte| *byte == b':')
            .map(|at| &decoded[at + 1..]);
        scheme.eq_ignore_ascii_case(b"basic") && password.is_some_and(|password| self.is(password))
    }

    fn is(&self, other: &[u8]) -> bool {
        self.0.ct_eq(other).into()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bearer_and_basic() {
        let token = Token::new("s3cret");
        let check = |header: &str, good: bool| assert_eq!(token.is_in(header.as_bytes()), good, "{header}");
        check("Bearer s3cret", true);
        check("bearer  s3cret ", true);
        check("Bearer czNjcmV0", true);
        check("Bearer czNjcmV0Cg==", true);
        check("Basic bmVvNGo6czNjcmV0", true);
        check("Basic OnMzY3JldA==", true);
        for wrong in [
            "",
            "Bearer",
            "Bearer ",
            "Bearer s3cre",
            "Bearer s3cret2",
            "s3cret",
            "Basic s3cret",
            "Digest s3cret",
        ] {
            check(wrong, false);
        }
        check("Basic czNjcmV0", false);
    }

    #[test]
    fn it_is_not_shown() {
        assert_eq!(format!("{:?}", Token::new("s3cret")), "Token(…)");
    }
}
