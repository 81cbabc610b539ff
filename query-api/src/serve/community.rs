//! How the code is organised, and what can be asked: `/api/v1/communities`, `/api/v1/examples`.
//!
//! ```text
//! GET /api/v1/communities?limit=20   ->  {"communities": [{"id": 0, "name": "…", "size": 56, …}], "found": 31, "members": 96}
//! GET /api/v1/examples               ->  {"questions": ["Who calls `…`?", …]}
//! ```
//!
//! Neither asks a language model; summaries that one wrote before are shown.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::{Extension, Json};
use ripple_graphdb::Reader;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Shared;
use super::rest::{Failed, Failures};
use crate::view::{Communities, Examples};
use crate::{Error, community};

/// Routes that ask for the token.
pub fn guarded() -> OpenApiRouter<Shared> {
    OpenApiRouter::new()
        .routes(routes!(communities))
        .routes(routes!(examples))
        .layer(Extension(Arc::<Drawn>::default()))
}

/// The questions of a generation: finding them runs a dozen operations.
#[derive(Default)]
struct Drawn {
    current: Mutex<Option<(String, Examples)>>,
}

impl Drawn {
    fn of(&self, reader: &Reader) -> Result<Examples, Error> {
        let generation = &reader.manifest().generation;
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, examples)) = current.as_ref()
            && of == generation
        {
            return Ok(examples.clone());
        }
        let examples = community::examples(reader)?;
        *current = Some((generation.clone(), examples.clone()));
        Ok(examples)
    }
}

/// How many to show.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct LimitQuery {
    /// Most communities; the largest come first. At most 5,000.
    #[serde(default = "limit")]
    limit: usize,
}

fn limit() -> usize {
    community::LIMIT
}

/// How the code is organised
///
/// Functions and types that have more to do with each other than with others, in up to three levels.
#[utoipa::path(
    get, path = "/api/v1/communities", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    params(LimitQuery),
    responses((status = 200, description = "The communities, the largest first", body = Communities), Failures),
)]
async fn communities(
    State(server): State<Shared>,
    query: Result<Query<LimitQuery>, QueryRejection>,
) -> Result<Json<Communities>, Failed> {
    const MOST: usize = 5_000;
    let Query(query) = query.map_err(|rejection| Error::Usage(rejection.body_text()))?;
    let work = move |reader: &Reader| community::overview_of(reader, query.limit.min(MOST));
    Ok(Json(server.store.read(work).await?))
}

/// Questions that this index can answer
#[utoipa::path(
    get, path = "/api/v1/examples", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    responses((status = 200, description = "At most ten questions; none of an empty index", body = Examples), Failures),
)]
async fn examples(
    State(server): State<Shared>,
    Extension(drawn): Extension<Arc<Drawn>>,
) -> Result<Json<Examples>, Failed> {
    let work = move |reader: &Reader| drawn.of(reader);
    Ok(Json(server.store.read(work).await?))
}
