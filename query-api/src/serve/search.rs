//! `POST /api/v1/search` and `POST /api/v1/feedback`.
//!
//! The retriever of a generation is opened with the first search and kept until another generation is current, or a vote comes in.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::rest::{Failed, Failures, QueryFailures};
use super::{Shared, media};
use crate::retrieve::feedback;
use crate::view::{Feedback, FeedbackStored, SearchAnswer, SearchRequest};

/// Routes that ask for the token.
pub fn guarded() -> OpenApiRouter<Shared> {
    OpenApiRouter::new().routes(routes!(search)).routes(routes!(vote))
}

/// Find the nodes that a question is about
#[utoipa::path(
    post, path = "/api/v1/search", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    request_body = SearchRequest,
    responses((status = 200, description = "The hits, the best first", body = SearchAnswer), Failures, QueryFailures),
)]
async fn search(
    State(server): State<Shared>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<SearchAnswer>, Failed> {
    let (request, _) = media::json::<SearchRequest>(&headers, &[media::JSON], body)?;
    let shared = server.clone();
    let answer = server
        .store
        .read(move |reader| shared.searching.of(reader)?.search(&request));
    Ok(Json(answer.await?))
}

/// Say that a node was right, or wrong, for a question
///
/// The vote is kept beside the index and counts when such a question is asked again.
#[utoipa::path(
    post, path = "/api/v1/feedback", tag = "Ripple", security(("bearer" = []), ("basic" = [])),
    request_body = Feedback,
    responses((status = 200, description = "It was kept", body = FeedbackStored), Failures, QueryFailures),
)]
async fn vote(
    State(server): State<Shared>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<FeedbackStored>, Failed> {
    let (vote, _) = media::json::<Feedback>(&headers, &[media::JSON], body)?;
    let shared = server.clone();
    let stored = server.store.read(move |reader| {
        let retriever = shared.searching.of(reader)?;
        let stored = feedback::store(reader.folder(), retriever.index(), &vote)?;
        shared.searching.forget();
        Ok(FeedbackStored { stored })
    });
    Ok(Json(stored.await?))
}
