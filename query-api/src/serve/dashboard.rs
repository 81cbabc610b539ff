//! The dashboard: the web pages of `query-api/dashboard/`, out of the binary.
//!
//! ```text
//! GET /ui/                        index.html, looked at anew each time
//! GET /ui/assets/index-1a2b.js    named by its content, kept by browsers; compressed for those who can read it
//! ```
//!
//! The pages hold nothing of the code: they ask the REST interface for it, with the token if there is one. So they need none
//! themselves. Built without Node there are no assets; `/ui/` then says how to get them.

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use axum::routing::get;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::{Shared, rest};
use crate::Error;

/// Where the pages are.
pub const PATH: &str = "/ui/";

/// What the pages may do: their own scripts, styles, fonts and answers; nothing inline, nothing from elsewhere. Pictures that are
/// saved are made as `blob:` or `data:` in the page.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[derive(RustEmbed)]
#[folder = "dashboard/dist"]
#[allow_missing = true]
struct Assets;

/// The routes of the pages and what belongs to them.
pub fn pages() -> Router<Shared> {
    Router::new()
        .route("/ui", get(|| async { Redirect::permanent(PATH) }))
        .route(PATH, get(index))
        .route("/ui/{*path}", get(asset))
}

async fn index() -> Response {
    match Assets::get("index.html") {
        Some(page) => respond("index.html", page, None),
        None => (
            StatusCode::NOT_FOUND,
            [(header::CACHE_CONTROL, "no-store")],
            Html(MISSING),
        )
            .into_response(),
    }
}

async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let reads_gzip = headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.split(',').any(|coding| coding.trim().starts_with("gzip")));
    if reads_gzip && let Some(small) = Assets::get(&format!("{path}.gz")) {
        return respond(&path, small, Some("gzip"));
    }
    match Assets::get(&path) {
        Some(file) => respond(&path, file, None),
        None => rest::failure(&Error::NotFound(format!("the dashboard has no file {path}"))),
    }
}

fn respond(path: &str, file: EmbeddedFile, coding: Option<&'static str>) -> Response {
    // The file's own type, and not that of its compressed form.
    let content_type = match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    };
    // Names under assets/ change with their content.
    let kept = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let mut response = file.data.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(coding) = coding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    response
}

/// The page of a binary that was built without the dashboard.
const MISSING: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Ripple</title>
<h1>This binary was built without the dashboard</h1>
<p>To have it, build it with Node 20 or newer and then build Ripple again:</p>
<pre>cd query-api/dashboard
npm ci
npm run build
cd ../..
cargo build --release</pre>
<p>Everything it shows can be asked over REST as well: <a href=\"/docs/\">the manual</a>.</p>
</html>
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_inline_is_let_in() {
        assert!(!POLICY.contains("unsafe"), "{POLICY}");
        assert!(!POLICY.contains("http"), "{POLICY}");
    }

    /// Whichever of the two this binary holds is whole: the page, or the words that say how to get it.
    #[tokio::test]
    async fn the_page_or_the_way_to_it() {
        let response = index().await;
        let built = Assets::get("index.html").is_some();
        assert_eq!(response.status() == StatusCode::OK, built);
        let headers = HeaderMap::new();
        let missing = asset(Path("no/such/file.js".into()), headers).await;
        assert_eq!(missing.status(), StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn compressed_files_keep_their_type() {
        let Some(script) = Assets::iter().find(|path| path.starts_with("assets/") && path.ends_with(".js.gz")) else {
            return;
        };
        let path = script.trim_end_matches(".gz").to_owned();
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("br, gzip;q=0.8"));
        let response = asset(Path(path.clone()), headers).await;
        assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip");
        assert_eq!(
            response.headers()[header::CONTENT_TYPE],
            "text/javascript; charset=utf-8"
        );
        let plain = asset(Path(path), HeaderMap::new()).await;
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
    }
}
