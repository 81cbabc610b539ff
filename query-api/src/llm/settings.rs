//! [`LlmSettings`]: which model, where, and with which key.
//!
//! ```
//! use ripple_query_api::llm::{LlmSettings, Secret};
//! let settings = LlmSettings {
//!     model: Some("llama3.1".into()),
//!     url: Some("http://localhost:11434/v1".into()),
//!     key: Some(Secret::new("sk-0123456789abcdef")),
//!     ..LlmSettings::default()
//! };
//! assert_eq!(settings.missing(), None);
//! assert!(!format!("{settings:?}").contains("0123456789"));
//! ```

use std::time::Duration;

use crate::Error;

/// Which model, where, with which key, and how long to wait for it.
#[derive(Debug, Clone)]
pub struct LlmSettings {
    /// The model's name, as the endpoint knows it.
    pub model: Option<String>,
    /// The model that embeds texts.
    pub embedding_model: Option<String>,
    /// Base address, up to and with `/v1`. Without it: OpenAI's own.
    pub url: Option<String>,
    /// The key. An endpoint on this machine needs none.
    pub key: Option<Secret>,
    /// Most time for one call.
    pub timeout: Duration,
    /// Most time that one question spends on retries.
    pub patience: Duration,
    /// The same when texts are embedded or described in bulk, where nobody is waiting.
    pub bulk_patience: Duration,
}

/// Where OpenAI's own models are.
const OPENAI: &str = "https://api.openai.com/v1";

impl Default for LlmSettings {
    fn default() -> Self {
        Self {
            model: None,
            embedding_model: None,
            url: None,
            key: None,
            timeout: Duration::from_secs(90),
            patience: Duration::from_secs(15),
            bulk_patience: Duration::from_secs(180),
        }
    }
}

/// The model, on the command line. The key is no option, since other users of a machine can read command lines.
#[derive(Debug, Clone, clap::Args)]
pub struct LlmArguments {
    /// Language model to help with questions; its key comes from OPENAI_API_KEY
    #[arg(long, env = "RIPPLE_MODEL", value_name = "NAME", help_heading = "Language model")]
    pub llm_model: Option<String>,
    /// Base address of an endpoint that speaks the OpenAI shape [default: OpenAI's own]
    #[arg(
        long,
        env = "OPENAI_BASE_URL",
        value_name = "URL",
        hide_env_values = true,
        help_heading = "Language model"
    )]
    pub llm_url: Option<String>,
    /// Answer without a language model, whatever the environment says
    #[arg(long, help_heading = "Language model")]
    pub no_llm: bool,
    /// Most time for one call of the language model
    #[arg(long, value_name = "TIME", default_value = "90s", value_parser = crate::cli::units::parse_duration, help_heading = "Language model")]
    pub llm_timeout: Duration,
}

impl LlmArguments {
    /// These, and from the environment the key and the model that embeds.
    pub fn settings(&self) -> Result<LlmSettings, Error> {
        if self.no_llm {
            return Ok(LlmSettings::default());
        }
        let read = |name: &str| match std::env::var(name) {
            Ok(text) => Ok(Some(text).filter(|text| !text.trim().is_empty())),
            Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => Err(Error::Usage(format!("{name} is not UTF-8"))),
        };
        let given = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        Ok(LlmSettings {
            model: given(&self.llm_model),
            embedding_model: read("RIPPLE_EMBEDDING_MODEL")?,
            url: given(&self.llm_url),
            key: read("OPENAI_API_KEY")?.map(|key| Secret::new(key.trim())),
            timeout: self.llm_timeout,
            ..LlmSettings::default()
        })
    }
}

/// What a request is sent to, after the settings were found sound.
pub(super) struct Endpoint {
    pub url: String,
    pub is_local: bool,
    pub is_tls: bool,
}

impl LlmSettings {
    /// What keeps these settings from naming a model, for people; nothing if they do.
    pub fn missing(&self) -> Option<&'static str> {
        match (&self.model, &self.url, &self.key) {
            (None, None, None) => Some("no language model is set: RIPPLE_MODEL, OPENAI_API_KEY or OPENAI_BASE_URL"),
            (None, ..) => Some("no language model is set: RIPPLE_MODEL is empty"),
            (Some(_), None, None) => Some("RIPPLE_MODEL is set, and neither OPENAI_API_KEY nor OPENAI_BASE_URL is"),
            (Some(_), ..) => None,
        }
    }

    /// The endpoint, if address and key can be sent as they are.
    pub(super) fn checked(&self) -> Result<Endpoint, Error> {
        if let Some(key) = &self.key
            && !key.0.bytes().all(|byte| byte.is_ascii_graphic())
        {
            return Err(Error::Usage(
                "OPENAI_API_KEY holds a space, a line end or a letter outside ASCII; copy it again".into(),
            ));
        }
        // The address is not repeated in what is said about it: it could hold a password.
        let wrong = |why: &str| {
            Error::Usage(format!(
                "the language model's address {why}; write http://localhost:11434/v1"
            ))
        };
        let url = self.url.as_deref().unwrap_or(OPENAI).trim().trim_end_matches('/');
        let parsed = reqwest::Url::parse(url).map_err(|error| wrong(&format!("cannot be read ({error})")))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(wrong("begins with neither http:// nor https://"));
        }
        if !parsed.username().is_empty() || parsed.password().is_some() {
            return Err(wrong("holds a user or password; put the secret into OPENAI_API_KEY"));
        }
        if parsed.query().is_some() || parsed.fragment().is_some() {
            return Err(wrong("holds a `?` or `#`; put the secret into OPENAI_API_KEY"));
        }
        let host = parsed.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let is_local = host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback());
        Ok(Endpoint {
            url: url.to_owned(),
            is_local,
            is_tls: parsed.scheme() == "https",
        })
    }
}

/// A key. Neither logged nor shown, and struck out of what others send back.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// Shorter keys are placeholders (`ollama`, `none`), and words of any text.
const SECRET_LENGTH: usize = 12;

/// As much of a key in one piece is struck out, also where the rest is missing.
const TELLING_LENGTH: usize = 10;

/// What stands for a key.
const STRUCK_OUT: &str = "[key]";

impl Secret {
    /// From its text.
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text itself: for the request's header alone.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    /// What must not be shown of it, unless it is a placeholder.
    pub(super) fn telling(&self) -> Option<&str> {
        (self.0.len() >= SECRET_LENGTH).then_some(&*self.0)
    }

    /// The text with every longer piece of the key struck out.
    pub(super) fn scrub(&self, text: &str) -> String {
        let Some(key) = self.telling() else {
            return text.to_owned();
        };
        let (key, bytes) = (key.as_bytes(), text.as_bytes());
        let longest = |at: usize| {
            let common = |start: usize| {
                key[start..]
                    .iter()
                    .zip(&bytes[at..])
                    .take_while(|(a, b)| a == b)
                    .count()
            };
            (0..key.len()).map(common).max().unwrap_or(0)
        };
        let mut clean = String::with_capacity(text.len());
        let mut rest = 0;
        while rest < text.len() {
            let length = longest(rest);
            if length >= TELLING_LENGTH {
                clean.push_str(STRUCK_OUT);
                rest += length;
            } else {
                let next = text[rest..].chars().next().map_or(1, char::len_utf8);
                clean.push_str(&text[rest..rest + next]);
                rest += next;
            }
        }
        clean
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_url(url: &str) -> Result<String, String> {
        let settings = LlmSettings {
            url: Some(url.into()),
            ..LlmSettings::default()
        };
        settings
            .checked()
            .map(|endpoint| endpoint.url)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn addresses() {
        assert_eq!(with_url(" http://[::1]:8000/v1/ "), Ok("http://[::1]:8000/v1".into()));
        for wrong in [
            "localhost:11434",
            "ftp://a/v1",
            "",
            "http://",
            "http://u:p4ssword@a/v1",
            "http://a/v1?key=p4ssword",
        ] {
            let said = with_url(wrong).expect_err(wrong);
            assert!(said.contains("address") && !said.contains("p4ssword"), "{said}");
        }
    }

    #[test]
    fn a_key_that_is_no_header_is_not_shown() {
        for key in ["sk-abc def", "sk-abc\ndef", "schlüssel"] {
            let settings = LlmSettings {
                key: Some(Secret::new(key)),
                ..LlmSettings::default()
            };
            let said = settings
                .checked()
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default();
            assert!(said.contains("OPENAI_API_KEY") && !said.contains("abc"), "{said}");
        }
    }

    #[test]
    fn what_is_missing_is_said() {
        let mut settings = LlmSettings::default();
        assert!(
            settings
                .missing()
                .is_some_and(|said| said.contains("no language model"))
        );
        settings.key = Some(Secret::new("sk-0123456789abcdef"));
        assert!(settings.missing().is_some_and(|said| said.contains("RIPPLE_MODEL")));
        settings.model = Some("m".into());
        assert_eq!(settings.missing(), None);
        settings.key = None;
        assert!(settings.missing().is_some_and(|said| said.contains("OPENAI_API_KEY")));
    }

    #[test]
    fn keys_are_struck_out() {
        let key = Secret::new("sk-0123456789abcdef");
        let check = |text: &str, clean: &str| assert_eq!(key.scrub(text), clean, "{text}");
        check("bad key sk-0123456789abcdef!", "bad key [key]!");
        check("bad key sk-0123456789***", "bad key [key]***");
        check("ends in 456789abcdef.", "ends in [key].");
        check("sk-0123 is shown: übung", "sk-0123 is shown: übung");
        check("sk-0123456789abcdefsk-0123456789abcdef", "[key][key]");
        assert_eq!(Secret::new("ollama").scrub("runs on ollama"), "runs on ollama");
        assert_eq!(format!("{key:?}"), "Secret(…)");
    }
}
