//! What stands before every route: log, security headers, `Host` check, token; and the answer where nothing is served.
//!
//! The `Host` check is for browsers: a page of `evil.example`, whose name was made to point at this machine, sends
//! `Host: evil.example` and gets status 421 instead of the graph.

use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use tracing::info;

use super::{Shared, dashboard, neo4j, openai, rest};
use crate::Error;

/// One line per request: method, path, status, milliseconds. Neither queries nor parameters nor tokens.
pub async fn log(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let ms = began.elapsed().as_secs_f64() * 1000.0;
    info!(%method, path, status = response.status().as_u16(), ms = (ms * 10.0).round() / 10.0);
    response
}

/// Headers that keep a browser from doing more with an answer than it was asked to.
pub async fn security_headers(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let (policy, is_page) = if path.starts_with("/docs") {
        (MANUAL_POLICY, true)
    } else if path.starts_with(dashboard::PATH) {
        (dashboard::POLICY, true)
    } else {
        ("default-src 'none'; frame-ancestors 'none'", false)
    };
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_SECURITY_POLICY, policy);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    if !is_page {
        set(header::CACHE_CONTROL, "no-store");
    }
    response
}

/// The page of the manual: its own scripts, styles and answers, nothing from elsewhere. It sets styles on elements.
const MANUAL_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Turns away requests for a host that this server does not answer for.
pub async fn host(State(server): State<Shared>, request: Request, next: Next) -> Response {
    let host = host_of(request.headers(), request.uri());
    if server.hosts.answers_for(&host) {
        return next.run(request).await;
    }
    failure(request.uri(), &Error::Host(host))
}

/// Turns away requests without the token, if there is one.
pub async fn token(State(server): State<Shared>, request: Request, next: Next) -> Response {
    match server
        .settings
        .token
        .as_ref()
        .map_or(Ok(()), |token| token.check(request.headers()))
    {
        Ok(()) => next.run(request).await,
        Err(error) => failure(request.uri(), &error),
    }
}

/// The answer where nothing is served.
pub async fn not_found(uri: Uri) -> Response {
    failure(
        &uri,
        &Error::NotFound(format!(
            "nothing is served at {}; /openapi.json lists what is",
            uri.path()
        )),
    )
}

/// The answer where something is served, but not like that.
pub async fn method_not_allowed(method: Method, uri: Uri) -> Response {
    failure(&uri, &Error::Method(method.to_string()))
}

/// An error in the shape of the routes beside it.
fn failure(uri: &Uri, error: &Error) -> Response {
    if uri.path().starts_with("/db/") {
        neo4j::failure(error)
    } else if uri.path().starts_with("/v1/") {
        openai::failure(error)
    } else {
        rest::failure(error)
    }
}

/// The host that the request is for, as sent.
pub fn host_of(headers: &HeaderMap, uri: &Uri) -> String {
    let sent = headers
        .get(header::HOST)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    sent.or_else(|| uri.authority().map(ToString::to_string))
        .unwrap_or_default()
}

/// The hosts that the server answers for.
pub struct Hosts {
    names: Vec<String>,
    /// Listening on every address of the machine: an address is as good as another. A name made to point here is not.
    any_address: bool,
}

impl Hosts {
    /// The loopback names, the address that is listened on, and what was allowed besides.
    pub fn new(address: SocketAddr, allowed: &[String]) -> Self {
        let always = [
            "localhost".to_owned(),
            "127.0.0.1".to_owned(),
            "::1".to_owned(),
            address.ip().to_string(),
        ];
        let allowed = allowed.iter().map(|host| name(host));
        Self {
            names: always.into_iter().chain(allowed).collect(),
            any_address: address.ip().is_unspecified(),
        }
    }

    fn answers_for(&self, host: &str) -> bool {
        let name = name(host);
        self.names.contains(&name) || (self.any_address && name.parse::<IpAddr>().is_ok())
    }
}

/// A host without its port, brackets, last dot and capitals.
fn name(host: &str) -> String {
    let host = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => match host.rsplit_once(':') {
            Some((name, port)) if !name.contains(':') && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        },
    };
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_hosts_are_answered_for() {
        let loopback = Hosts::new(SocketAddr::from(([127, 0, 0, 2], 7474)), &["Graph.Example.com".into()]);
        for good in [
            "localhost",
            "LOCALHOST:7474",
            "127.0.0.1:1",
            "127.0.0.2",
            "[::1]:7474",
            "::1",
            "graph.example.com.",
        ] {
            assert!(loopback.answers_for(good), "{good}");
        }
        for bad in [
            "",
            "evil.example",
            "localhost.evil.example",
            "10.0.0.1",
            "localhost:x",
            "[::2]:7474",
            "127.0.0.1.nip.io",
        ] {
            assert!(!loopback.answers_for(bad), "{bad}");
        }
        let everywhere = Hosts::new(SocketAddr::from(([0, 0, 0, 0], 7474)), &[]);
        assert!(everywhere.answers_for("10.0.0.1:7474"));
        assert!(!everywhere.answers_for("evil.example:7474"));
    }
}
