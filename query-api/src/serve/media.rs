//! What a request sends and wants: body, `Content-Type`, `Accept`.
//!
//! `Accept: application/x-ndjson, application/json;q=0.5`, where both are offered, means the first.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

use super::BODY_LIMIT;
use crate::Error;

/// Plain JSON.
pub const JSON: &str = "application/json";

/// The body as JSON, if it is of one of these types; and the type.
pub fn json<T: DeserializeOwned>(
    headers: &HeaderMap,
    types: &[&'static str],
    body: Result<Bytes, BytesRejection>,
) -> Result<(T, &'static str), Error> {
    let sent = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("none");
    let essence = essence(sent);
    let Some(found) = types.iter().find(|known| essence.eq_ignore_ascii_case(known)) else {
        return Err(Error::MediaType(essence.into()));
    };
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Error::TooLarge { limit: BODY_LIMIT },
        _ => Error::Usage(format!("the body cannot be read: {}", rejection.body_text())),
    })?;
    let value = serde_json::from_slice(&body)
        .map_err(|error| Error::Usage(format!("the body is not the JSON that this route reads: {error}")))?;
    Ok((value, found))
}

/// Which of the offered types the client likes best; the first offer if it does not say or likes none.
pub fn preferred(headers: &HeaderMap, offered: &[&'static str]) -> &'static str {
    let lines = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let mut wanted: Vec<(&str, f32)> = lines.flat_map(|line| line.split(',')).map(weighed).collect();
    wanted.sort_by(|a, b| b.1.total_cmp(&a.1));
    let matching = |wanted: &str| {
        offered.iter().copied().find(|offer| match wanted.strip_suffix('*') {
            Some("*/") => true,
            Some(family) => offer.starts_with(family),
            None => wanted.eq_ignore_ascii_case(offer),
        })
    };
    let found = wanted
        .iter()
        .filter(|(_, weight)| *weight > 0.0)
        .find_map(|(wanted, _)| matching(wanted));
    found.or(offered.first().copied()).unwrap_or(JSON)
}

/// `text/html;q=0.5` to `("text/html", 0.5)`.
fn weighed(entry: &str) -> (&str, f32) {
    let weight = entry
        .split(';')
        .skip(1)
        .find_map(|parameter| parameter.trim().strip_prefix("q="));
    (
        essence(entry),
        weight.and_then(|weight| weight.trim().parse().ok()).unwrap_or(1.0),
    )
}

/// The type without its parameters.
fn essence(text: &str) -> &str {
    text.split(';').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_best_liked_offer_wins() {
        let offered = ["application/json", "application/x-ndjson", "text/html"];
        let check = |accept: &'static str, expected: &str| {
            let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(preferred(&headers, &offered), expected, "{accept}");
        };
        check("application/x-ndjson", "application/x-ndjson");
        check("Application/X-NDJSON; charset=utf-8", "application/x-ndjson");
        check(
            "application/json;q=0.5, application/x-ndjson;q=0.9",
            "application/x-ndjson",
        );
        check(
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "text/html",
        );
        check("*/*", "application/json");
        check("text/*", "text/html");
        check("application/x-ndjson;q=0", "application/json");
        check("image/png", "application/json");
        check("", "application/json");
        assert_eq!(preferred(&HeaderMap::new(), &offered), "application/json");
    }

    #[test]
    fn a_body_is_json_and_says_so() {
        let read = |content_type: &'static str, body: &'static str| {
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(content_type))]);
            json::<Vec<u8>>(&headers, &[JSON], Ok(Bytes::from_static(body.as_bytes()))).map(|(value, _)| value)
        };
        assert_eq!(read("application/json; charset=utf-8", "[1]").ok(), Some(vec![1]));
        assert!(matches!(read("text/plain", "[1]"), Err(Error::MediaType(sent)) if sent == "text/plain"));
        assert!(matches!(read("application/json", "[1"), Err(Error::Usage(_))));
        assert!(matches!(read("application/json", "\"a\""), Err(Error::Usage(_))));
    }
}
