//! The shape of Neo4j's Query API, so that clients written for it work unchanged. The database is called `ripple`.
//!
//! ```text
//! POST /db/ripple/query/v2  {"statement": "RETURN $x AS x", "parameters": {"x": 1}}
//! 202  {"data": {"fields": ["x"], "values": [[1]]}, "bookmarks": ["ripple:000001"], "queryType": "r"}
//! ```
//!
//! Spoken: plain and typed JSON in both directions, both also as a stream of events, counters, `maxExecutionTime`, Basic
//! and Bearer. Not spoken: explicit transactions (every query reads one unchanging generation, so there is nothing for
//! them to hold together). Fields that steer writes, clusters or users (`accessMode`, `bookmarks`, `txMetadata`,
//! `impersonatedUser`, …) are accepted and change nothing.

mod parameter;
pub mod shape;
mod value;

use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use ripple_graphdb::Value;
use serde::Serialize;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{Shared, dashboard, layers, media, rest};
use crate::Error;
use crate::cli::format;
use crate::view::Answer;
use parameter::untyped;
use shape::{Data, Discovery, ErrorEntry, Errors, Failures, Reply, Statement, Summary};
use value::Shaped;

/// Routes that ask for the token.
pub fn guarded() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(query))
}

/// Routes that do not.
pub fn open() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(discover))
}

/// The one database.
const DATABASE: &str = "ripple";

/// The release whose Query API this is: the last before explicit transactions.
const NEO4J_VERSION: &str = "5.25.0";

/// What a request may be written in.
const SENT: [&str; 5] = [
    media::JSON,
    "application/vnd.neo4j.query",
    "application/vnd.neo4j.query.v1.0",
    "application/vnd.neo4j.query.v1.1",
    "application/vnd.neo4j.query.v1.2",
];

/// What an answer can be written in.
const OFFERED: [&str; 9] = [
    media::JSON,
    "application/jsonl",
    "application/vnd.neo4j.query",
    "application/vnd.neo4j.query.v1.0",
    "application/vnd.neo4j.query.v1.1",
    "application/vnd.neo4j.query.v1.2",
    "application/vnd.neo4j.query.v1.0+jsonl",
    "application/vnd.neo4j.query.v1.1+jsonl",
    "application/vnd.neo4j.query.v1.2+jsonl",
];

/// Run a query that only reads, in the shape of Neo4j's Query API
///
/// The content types `application/vnd.neo4j.query` and `application/vnd.neo4j.query.v1.0` to `.v1.2` carry values with
/// their types; `application/jsonl` and the suffix `+jsonl` ask for a stream of events.
#[utoipa::path(
    post, path = "/db/{database}/query/v2", tag = "Neo4j", security(("bearer" = []), ("basic" = [])),
    params(("database" = String, Path, description = "`ripple`", example = "ripple")),
    request_body(content((Statement = "application/json"), (Statement = "application/vnd.neo4j.query"))),
    responses(
        (status = 202, description = "The answer", content(
            (Reply = "application/json"),
            (Reply = "application/vnd.neo4j.query"),
            (String = "application/jsonl"),
            (String = "application/vnd.neo4j.query.v1.0+jsonl"),
        )),
        Failures,
    ),
)]
async fn query(
    State(server): State<Shared>,
    Path(database): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Failed> {
    if database != DATABASE {
        let message = format!("The database requested does not exist. Requested database name: '{database}'.");
        return Err(Error::NotFound(format!("{message} The one here is '{DATABASE}'.")).into());
    }
    let (sent, content_type) = media::json::<Statement>(&headers, &SENT, body)?;
    let parameters = if content_type == media::JSON {
        sent.parameters
    } else {
        untyped(sent.parameters)?
    };
    let limits = server.bounded(None, sent.max_execution_time.map(Duration::from_secs));
    let answer = server.ask(sent.statement, parameters, limits).await?;
    let summary = Summary::of(
        &server.store.reader().manifest().generation,
        &answer,
        sent.include_counters,
    );
    Ok(write(answer, summary, media::preferred(&headers, &OFFERED))?)
}

/// What a client of Neo4j asks first
///
/// Asks for no token. A browser is sent to the dashboard.
#[utoipa::path(
    get, path = "/", tag = "Neo4j",
    responses(
        (status = 200, description = "Where to ask", body = Discovery),
        (status = 307, description = "To a browser: the dashboard"),
    ),
)]
async fn discover(headers: HeaderMap, uri: Uri) -> Response {
    if media::preferred(&headers, &[media::JSON, "text/html"]) == "text/html" {
        return Redirect::temporary(dashboard::PATH).into_response();
    }
    let host = layers::host_of(&headers, &uri);
    Json(Discovery {
        query: format!("http://{host}/db/{{databaseName}}/query/v2"),
        neo4j_version: NEO4J_VERSION,
        neo4j_edition: "community",
        ripple_version: env!("CARGO_PKG_VERSION"),
    })
    .into_response()
}

/// The answer in the content type that the client likes best.
fn write(answer: Answer, summary: Summary, content_type: &'static str) -> Result<Response, Error> {
    let typed = content_type.starts_with("application/vnd.neo4j.query");
    if content_type.ends_with("jsonl") {
        return Ok(rest::lines(
            content_type,
            StatusCode::ACCEPTED,
            events(answer, summary, typed),
        ));
    }
    let values: Vec<_> = answer.rows.iter().map(|row| shaped(row, typed)).collect();
    let reply = Reply {
        data: Data {
            fields: answer.columns,
            values,
        },
        summary,
    };
    let body = serde_json::to_string(&reply).map_err(|error| Error::Internal(error.to_string()))?;
    // The types are compared to the letter by clients: no parameter is added.
    Ok((StatusCode::ACCEPTED, [(header::CONTENT_TYPE, content_type)], body).into_response())
}

/// The lines of a streamed answer: header, records, summary.
fn events(
    answer: Answer,
    summary: Summary,
    typed: bool,
) -> impl Iterator<Item = std::io::Result<String>> + Send + 'static {
    let event = |name: &str, body: serde_json::Value| format::line(&json!({"$event": name, "_body": body}));
    let Answer { columns, rows, .. } = answer;
    let records = rows.into_iter().map(move |row| {
        #[derive(Serialize)]
        struct Record<T> {
            #[serde(rename = "$event")]
            event: &'static str,
            #[serde(rename = "_body")]
            body: T,
        }
        format::line(&Record {
            event: "Record",
            body: shaped(&row, typed),
        })
    });
    std::iter::once_with(move || event("Header", json!({"fields": columns})))
        .chain(records)
        .chain(std::iter::once_with(move || event("Summary", json!(summary))))
}

fn shaped(row: &[Value], typed: bool) -> Vec<Shaped<'_>> {
    row.iter().map(|value| Shaped { value, typed }).collect()
}

/// An error as a response of these routes.
pub fn failure(error: &Error) -> Response {
    let entry = ErrorEntry {
        code: error.kind().outcome().neo4j,
        message: error.to_string(),
    };
    rest::respond(error, Errors { errors: [entry] }, "Basic realm=\"ripple\"")
}

/// Lets a handler use `?`.
struct Failed(Error);

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
