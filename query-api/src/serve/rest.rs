//! Our own REST: `/api/v1/…` and `/health`. Shapes are in [`crate::view`].
//!
//! ```text
//! POST /api/v1/cypher  {"query": "RETURN $x AS x", "params": {"x": 1}}
//! 200  {"columns": ["x"], "types": ["INT64"], "rows": [[1]], "truncated": false, "elapsed_ms": 0.4}
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use ripple_graphdb::Limits;
use serde::{Deserialize, Serialize};
use tracing::error;
use utoipa::IntoResponses;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Server, Shared, media};
use crate::Error;
use crate::cli::format;
use crate::view::{Answer, Failure, Health, Question, Schema, Status};

/// Routes that ask for the token.
pub fn guarded() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(cypher))
        .routes(routes!(schema))
        .routes(routes!(status))
}

/// Routes that do not: they tell nothing of the code.
pub fn open() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(health))
}

/// JSON lines.
const NDJSON: &str = "application/x-ndjson";

/// Run a query that only reads
///
/// With `Accept: application/x-ndjson` the answer is streamed: a line `{columns, types}`, a line per row, and a last line
/// `{truncated, elapsed_ms, rows}`.
#[utoipa::path(
    post, path = "/api/v1/cypher", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    request_body = Question,
    responses(
        (status = 200, description = "The answer", content((Answer = "application/json"), (String = "application/x-ndjson"))),
        Failures, QueryFailures,
    ),
)]
async fn cypher(
    State(server): State<Shared>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Failed> {
    let (question, _) = media::json::<Question>(&headers, &[media::JSON], body)?;
    let limits = server.bounded(question.limit, question.timeout_ms.map(Duration::from_millis));
    let answer = server.ask(question.query, question.params, limits).await?;
    if media::preferred(&headers, &[media::JSON, NDJSON]) == NDJSON {
        return Ok(lines(NDJSON, StatusCode::OK, format::lines(answer)));
    }
    Ok(Json(answer).into_response())
}

/// What a query can name
#[utoipa::path(
    get, path = "/api/v1/schema", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    responses((status = 200, description = "Labels, relationships and properties", body = Schema), Failures),
)]
async fn schema() -> Json<Schema> {
    Json(Schema::current())
}

/// What the index holds
#[utoipa::path(
    get, path = "/api/v1/status", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    params(StatusQuery),
    responses((status = 200, description = "Counts per kind, files left out, calls resolved", body = Status), Failures),
)]
async fn status(
    State(server): State<Shared>,
    query: Result<Query<StatusQuery>, QueryRejection>,
) -> Result<Json<Status>, Failed> {
    let Query(query) = query.map_err(|rejection| Error::Usage(rejection.body_text()))?;
    let (index, source) = (server.settings.index.clone(), server.settings.source.clone());
    let status = server.store.read(move |reader| {
        let mut status = Status::of(&index, reader, query.files)?;
        if query.work_tree {
            status.compare(reader, &source);
        }
        Ok(status)
    });
    Ok(Json(status.await?))
}

/// What to add to the status.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct StatusQuery {
    /// List the files that were skipped or read in part, and why.
    #[serde(default)]
    files: bool,
    /// Compare with the source on disk. Reads every source file.
    #[serde(default)]
    work_tree: bool,
}

/// Whether the server is up
///
/// Asks for no token.
#[utoipa::path(
    get, path = "/health", tag = "Ripple",
    responses((status = 200, description = "It is", body = Health)),
)]
async fn health(State(server): State<Shared>) -> Json<Health> {
    Json(Health::ok(&server.store.reader()))
}

impl Server {
    /// The request's bounds, where they are within the server's.
    pub fn bounded(&self, rows: Option<usize>, timeout: Option<Duration>) -> Limits {
        let most = self.settings.limits;
        Limits {
            timeout: timeout.map_or(most.timeout, |wanted| {
                wanted.clamp(Duration::from_millis(1), most.timeout)
            }),
            rows: rows.map_or(most.rows, |wanted| wanted.min(most.rows)),
            memory_bytes: most.memory_bytes,
        }
    }

    /// Runs a query, when there is a place for it.
    pub async fn ask(
        &self,
        text: String,
        params: BTreeMap<String, serde_json::Value>,
        limits: Limits,
    ) -> Result<Answer, Error> {
        self.store.query(text, params, limits).await
    }
}

/// A response whose lines are written as they are sent.
pub fn lines(
    content_type: &'static str,
    status: StatusCode,
    lines: impl Iterator<Item = std::io::Result<String>> + Send + 'static,
) -> Response {
    let body = Body::from_stream(stream::iter(lines));
    (status, [(header::CONTENT_TYPE, content_type)], body).into_response()
}

/// An error as a response of these routes.
pub fn failure(error: &Error) -> Response {
    respond(error, Failure::from(error), "Bearer realm=\"ripple\"")
}

/// An error with this body; faults of the server are logged. `challenge` says how to send the token.
pub fn respond(error: &Error, body: impl Serialize, challenge: &'static str) -> Response {
    let status = error.kind().outcome().status;
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Json(body)).into_response();
    let header = match status {
        StatusCode::UNAUTHORIZED => (header::WWW_AUTHENTICATE, challenge),
        StatusCode::SERVICE_UNAVAILABLE => (header::RETRY_AFTER, "1"),
        StatusCode::INTERNAL_SERVER_ERROR => {
            error!(%error, "a request failed");
            return response;
        }
        _ => return response,
    };
    response
        .headers_mut()
        .insert(header.0, HeaderValue::from_static(header.1));
    response
}

/// Lets a handler use `?`.
pub struct Failed(pub Error);

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        failure(&self.0)
    }
}

/// Errors of every route under `/api/v1`.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "read by the OpenAPI document only")]
pub enum Failures {
    /// `bad_request`: the request cannot be understood.
    #[response(status = 400)]
    BadRequest(Failure),
    /// `unauthorized`: the token is missing or another one.
    #[response(status = 401)]
    Unauthorized(Failure),
    /// `unknown_host`: the server does not answer for this host.
    #[response(status = 421)]
    Host(Failure),
    /// `io` or `internal`: a fault on the server's side.
    #[response(status = 500)]
    Internal(Failure),
    /// `overloaded`, `no_index` or `index_format`: try again later.
    #[response(status = 503)]
    Unavailable(Failure),
}

/// Errors of a query. (`query_error` has status 400.)
#[derive(IntoResponses)]
#[expect(dead_code, reason = "read by the OpenAPI document only")]
pub enum QueryFailures {
    /// `query_refused`: the query does more than read the graph.
    #[response(status = 403)]
    Refused(Failure),
    /// `body_too_large`: the body is over 1 MB.
    #[response(status = 413)]
    TooLarge(Failure),
    /// `unsupported_media_type`: the body is not `application/json`.
    #[response(status = 415)]
    MediaType(Failure),
    /// `bad_parameter`: a parameter is missing, unknown or of the wrong type.
    #[response(status = 422)]
    Parameter(Failure),
    /// `timeout`: the query passed its time limit.
    #[response(status = 504)]
    Timeout(Failure),
    /// `memory_limit`: the query passed its memory limit.
    #[response(status = 507)]
    Memory(Failure),
}
