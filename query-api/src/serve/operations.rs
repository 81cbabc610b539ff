//! Operations, impact of changes, source and history over REST: `/api/v1/operations/…`, `/api/v1/impact`, `/api/v1/source`,
//! `/api/v1/history`, `/api/v1/generations`.
//!
//! ```text
//! POST /api/v1/operations/callers  {"target": "Model.save"}     ->  OperationAnswer
//! POST /api/v1/impact              {"base": "main"}             ->  ImpactReport
//! GET  /api/v1/source?file=orders.py&from=10&to=20              ->  Excerpt
//! ```

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::rest::{Failed, Failures, QueryFailures};
use super::{Shared, media};
use crate::view::{
    Commit, Excerpt, Generations, History, ImpactReport, ImpactRequest, OperationAnswer, Operations, Parameters,
};
use crate::{Error, git, operation};

/// Routes that ask for the token.
pub fn guarded() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(operations))
        .routes(routes!(run))
        .routes(routes!(impact))
        .routes(routes!(source))
        .routes(routes!(history))
        .routes(routes!(generations))
}

/// What can be asked without writing Cypher
#[utoipa::path(
    get, path = "/api/v1/operations", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    responses((status = 200, description = "The table of operations", body = Operations), Failures),
)]
async fn operations() -> Json<Operations> {
    Json(operation::list())
}

/// Run an operation
///
/// The same as `ripple NAME` on the command line and the tool of that name over MCP.
#[utoipa::path(
    post, path = "/api/v1/operations/{name}", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    params(("name" = String, Path, description = "Name of the operation", example = "impact")),
    request_body = Parameters,
    responses(
        (status = 200, description = "Results with their ways, and how complete they are", body = OperationAnswer),
        (status = 404, description = "`no_match`: the target names nothing in the index; `not_found`: no such operation", body = crate::view::Failure),
        QueryFailures, Failures,
    ),
)]
async fn run(
    State(server): State<Shared>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<OperationAnswer>, Failed> {
    let (parameters, _) = media::json::<Parameters>(&headers, &[media::JSON], body)?;
    let work = move |reader: &ripple_graphdb::Reader| operation::run(reader, &name, &parameters);
    Ok(Json(server.store.read(work).await?))
}

/// What a change sets off
#[utoipa::path(
    post, path = "/api/v1/impact", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    request_body = ImpactRequest,
    responses(
        (status = 200, description = "Changed symbols, what changes with them, tests to run", body = ImpactReport),
        (status = 404, description = "`no_match`: the target names nothing in the index", body = crate::view::Failure),
        QueryFailures, Failures,
    ),
)]
async fn impact(
    State(server): State<Shared>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<ImpactReport>, Failed> {
    let (request, _) = media::json::<ImpactRequest>(&headers, &[media::JSON], body)?;
    let work = move |reader: &ripple_graphdb::Reader| operation::impact_of_change(reader, &request);
    Ok(Json(server.store.read(work).await?))
}

/// Lines of an indexed file.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct LinesQuery {
    /// Path of the file, as the graph has it.
    file: String,
    /// First line, from 1.
    #[serde(default = "first")]
    from: u32,
    /// Last line.
    to: Option<u32>,
}

fn first() -> u32 {
    1
}

/// Indexed source
///
/// As it was when it was indexed; at most 5,000 lines.
#[utoipa::path(
    get, path = "/api/v1/source", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    params(LinesQuery),
    responses((status = 200, description = "The lines", body = Excerpt), (status = 404, description = "`not_found`: the index does not hold them", body = crate::view::Failure), Failures),
)]
async fn source(
    State(server): State<Shared>,
    query: Result<Query<LinesQuery>, QueryRejection>,
) -> Result<Json<Excerpt>, Failed> {
    const MOST: u32 = 5_000;
    let Query(query) = query.map_err(|rejection| Error::Usage(rejection.body_text()))?;
    let last = query.from.saturating_add(MOST - 1).min(query.to.unwrap_or(u32::MAX));
    let work = move |reader: &ripple_graphdb::Reader| {
        let lines = operation::explain::lines(reader, &query.file, query.from, last)?;
        lines.ok_or_else(|| Error::NotFound(format!("the index holds no line {} of {}", query.from, query.file)))
    };
    Ok(Json(server.store.read(work).await?))
}

/// Commits that touched some lines
///
/// From `git log -L`; none where the source is not under git.
#[utoipa::path(
    get, path = "/api/v1/history", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    params(LinesQuery),
    responses((status = 200, description = "The commits, newest first, at most 20", body = History), Failures),
)]
async fn history(
    State(server): State<Shared>,
    query: Result<Query<LinesQuery>, QueryRejection>,
) -> Result<Json<History>, Failed> {
    let Query(query) = query.map_err(|rejection| Error::Usage(rejection.body_text()))?;
    let work = move |reader: &ripple_graphdb::Reader| -> Result<Vec<Commit>, Error> {
        let manifest = reader.manifest();
        let inside = |prefix: &str| prefix.is_empty() || query.file.starts_with(&format!("{prefix}/"));
        let Some(root) = manifest.roots.iter().find(|root| inside(&root.prefix)) else {
            return Ok(Vec::new());
        };
        let file = query
            .file
            .strip_prefix(&root.prefix)
            .unwrap_or(&query.file)
            .trim_start_matches('/');
        let last = query.to.unwrap_or(query.from).max(query.from);
        match git::history(&root.path, file, query.from, last) {
            // No git, no repository, or lines that were never committed: there is no history to tell.
            Err(Error::Io { .. } | Error::Usage(_)) => Ok(Vec::new()),
            other => other,
        }
    };
    let commits = server.store.read(work).await?;
    Ok(Json(History { commits }))
}

/// Builds of this index
#[utoipa::path(
    get, path = "/api/v1/generations", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    responses((status = 200, description = "The current one, the one before, and the one being built", body = Generations), Failures),
)]
async fn generations(State(server): State<Shared>) -> Result<Json<Generations>, Failed> {
    let index = server.settings.index.clone();
    let work = move |reader: &ripple_graphdb::Reader| Generations::of(&index, reader);
    Ok(Json(server.store.read(work).await?))
}
