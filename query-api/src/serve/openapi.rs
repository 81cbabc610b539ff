//! The manual: `/openapi.json` for programs and `/docs` for people.
//!
//! The document is collected from the routes themselves, so it cannot name one that is not served. The page and its
//! scripts come out of the binary; it asks no other host for anything.

use axum::Router;
use axum::http::header;
use axum::routing::get;
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::neo4j::shape::{ErrorEntry, Errors};
use super::{Shared, media};
use crate::Error;
use crate::view::{Failure, FailureDetail, Header, Span, Trailer};

/// The document, before the routes add themselves.
pub fn document() -> OpenApi {
    let mut document = Manual::openapi();
    let components = document.components.get_or_insert_default();
    for (name, scheme) in [("bearer", HttpAuthScheme::Bearer), ("basic", HttpAuthScheme::Basic)] {
        components.add_security_scheme(name, SecurityScheme::Http(Http::new(scheme)));
    }
    document
}

/// The routes that serve the finished document and the page.
pub fn pages(document: &OpenApi) -> Result<Router<Shared>, Error> {
    let text = document.to_json().map_err(|error| Error::Internal(error.to_string()))?;
    let json = get(move || async move { ([(header::CONTENT_TYPE, media::JSON)], text) });
    // Without this the page asks a public service what it thinks of the document.
    let config = Config::from(PATH).validator_url("none").try_it_out_enabled(true);
    Ok(Router::new()
        .route(PATH, json)
        .merge(SwaggerUi::new("/docs").config(config)))
}

const PATH: &str = "/openapi.json";

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Ripple", description = DESCRIPTION, license(name = "Apache-2.0", identifier = "Apache-2.0")),
    tags(
        (name = "Ripple", description = "The graph, in shapes of our own"),
        (name = "OpenAI", description = "Questions in words, in the shape of OpenAI's API"),
        (name = "Neo4j", description = "The graph, in the shape of Neo4j's Query API"),
        (name = "Manual", description = "What you are reading"),
    ),
    paths(openapi_json, docs, mcp),
    // Named by responses, which do not bring their shapes along.
    components(schemas(Failure, FailureDetail, Span, Header, Trailer, Errors, ErrorEntry)),
)]
struct Manual;

const DESCRIPTION: &str = "\
A graph of the data flow in Go and Python source, to ask in Cypher. Queries only read.\n\n\
When the server has a token, every route but `/`, `/health`, `/openapi.json` and `/docs` asks for it: \
`Authorization: Bearer <token>`, or Basic with any user and the token as password.";

/// This document
#[utoipa::path(get, path = "/openapi.json", tag = "Manual", responses((status = 200, description = "OpenAPI 3.1", body = Object)))]
#[expect(
    dead_code,
    reason = "it holds the documentation of a route that is served from elsewhere"
)]
fn openapi_json() {}

/// Tools for agents
///
/// The Model Context Protocol over streamable HTTP, without sessions. `ripple mcp` speaks the same over stdin and stdout.
#[utoipa::path(
    post, path = "/mcp", tag = "Ripple", security(("bearer" = []), ("basic" = [])), request_body = Object,
    responses(
        (status = 200, description = "The answer, as JSON-RPC 2.0", body = Object),
        (status = 202, description = "A notification was taken"),
        (status = 400, description = "No JSON-RPC, or of another version of the protocol"),
        (status = 401, description = "`unauthorized`: the token is missing or another one", body = Failure),
        (status = 403, description = "A page of another origin asks"),
        (status = 406, description = "`Accept` has to name `application/json` and `text/event-stream`"),
        (status = 413, description = "The body is over 1 MB"),
        (status = 415, description = "The body is not `application/json`"),
        (status = 421, description = "`unknown_host`: the server does not answer for this host", body = Failure),
    ),
)]
#[expect(
    dead_code,
    reason = "it holds the documentation of a route that is served from elsewhere"
)]
fn mcp() {}

/// This page
#[utoipa::path(get, path = "/docs/", tag = "Manual", responses((status = 200, description = "HTML", content_type = "text/html")))]
#[expect(
    dead_code,
    reason = "it holds the documentation of a route that is served from elsewhere"
)]
fn docs() {}
