//! The HTTP server: routes over one index.
//!
//! A request passes, from the outside in: the log, the security headers, the `Host` check, CORS, the token, its route. The
//! route hands the query to [`store::Store`], which runs it on a blocking thread, a bounded number at a time.
//!
//! ```text
//! POST /api/v1/cypher          our own shape                          rest
//! GET  /api/v1/schema, /api/v1/status, /health
//! POST /api/v1/ask             a question in words                    ask
//! POST /v1/chat/completions    the same, in the shape of OpenAI's API  openai
//! POST /mcp                    tools for agents                       crate::mcp
//! POST /api/v1/search, /api/v1/feedback                               search
//! GET  /api/v1/communities, /api/v1/examples                          community
//! POST /db/ripple/query/v2     the shape of Neo4j's Query API         neo4j
//! GET  /                       what a Neo4j client asks first
//! GET  /openapi.json, /docs    the manual, for programs and people    openapi
//! GET  /ui/                    the dashboard                          dashboard
//! ```
//!
//! Commands of the same user ask over a [`socket`] in the index folder; where no server runs, a [`resident`] reader.
//!
//! What is not here: a session, a write, an answer that depends on an earlier request.

mod ask;
mod auth;
mod community;
mod dashboard;
mod layers;
mod media;
mod neo4j;
mod openai;
mod openapi;
mod operations;
#[cfg(unix)]
pub(crate) mod resident;
mod rest;
mod search;
#[cfg(unix)]
mod socket;
pub(crate) mod store;
#[cfg(test)]
pub(crate) mod tests;

use std::future::{Future, IntoFuture as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{from_fn, from_fn_with_state};
use ripple_graphdb::Limits;
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};
use tower_http::cors::CorsLayer;
use tracing::info;
use utoipa_axum::router::OpenApiRouter;

use crate::Error;
use crate::engine::Engine;
use crate::error::io;
use crate::llm::{Llm, LlmSettings};
use crate::mcp::Desk;
use crate::mcp::table::Table;
use crate::retrieve::Searching;
use crate::seam::Rooms;
use store::Store;

pub use auth::Token;

/// Everything that is decided before the server starts.
pub struct Settings {
    /// The index folder.
    pub index: PathBuf,
    /// The address to listen on.
    pub address: SocketAddr,
    /// The token to ask for.
    pub token: Option<Token>,
    /// Host names to answer for, beside the loopback names and the address.
    pub hosts: Vec<String>,
    /// Origins whose pages may read answers.
    pub origins: Vec<String>,
    /// The most that a query may use; a request can ask for less.
    pub limits: Limits,
    /// Queries that run at once.
    pub concurrency: usize,
    /// Models that search with; nothing set leaves the choice to the index.
    pub search: crate::retrieve::Options,
    /// How the source was read, to tell whether it has moved on.
    pub source: ripple_extractor::Options,
    /// The language model that helps with questions.
    pub llm: LlmSettings,
}

/// What every route sees.
struct Server {
    settings: Settings,
    hosts: layers::Hosts,
    store: Store,
    rooms: Rooms,
    /// Places for questions in words.
    asking: Arc<Semaphore>,
    searching: Arc<Searching>,
}

type Shared = Arc<Server>;

/// Largest body of a request, in bytes.
const BODY_LIMIT: usize = 1 << 20;

/// Questions in words that are worked on at once; most of their time is the language model's.
const ASKING: usize = 64;

/// Time that running requests get to end in after a signal.
const GRACE: Duration = Duration::from_secs(10);

/// Serves until Ctrl-C or SIGTERM. `ready` is told the address once the port is open.
pub fn run(settings: Settings, ready: impl FnOnce(SocketAddr) -> Result<(), Error>) -> Result<(), Error> {
    let address = settings.address;
    let (app, server) = router(settings)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(io("cannot start the server's threads"))?;
    let outcome = runtime.block_on(async {
        let cannot = || format!("cannot listen on {address}; is another server there? --addr takes another address");
        let listener = TcpListener::bind(address).await.map_err(io(cannot()))?;
        // Who is told the address may send a signal at once.
        let signal = signal();
        #[cfg(unix)]
        let _socket = socket::listen(socket::Desk {
            index: server.settings.index.clone(),
            store: server.store.clone(),
            limits: server.settings.limits,
            stays: None,
        });
        ready(listener.local_addr().map_err(io(cannot()))?)?;
        serve(listener, app, signal).await
    });
    // A query that is still running would hold the process up until its time limit.
    runtime.shutdown_background();
    outcome
}

/// All routes, over the index that the settings name.
fn router(settings: Settings) -> Result<(Router, Shared), Error> {
    let llm = Llm::from_settings(&settings.llm)?;
    let helped = match &llm {
        Some(llm) => format!("questions are answered with a language model: {llm:?}"),
        None => format!(
            "questions are answered without a language model: {}",
            settings.llm.missing().unwrap_or_default()
        ),
    };
    let router = router_with(settings, |store, searching| rooms(store, searching, llm))?;
    info!("{helped}");
    Ok(router)
}

/// The rooms over this store.
pub(crate) fn rooms(store: &Store, searching: &Arc<Searching>, llm: Option<Llm>) -> Rooms {
    Rooms {
        answerer: Some(Arc::new(Engine::new(store.clone(), searching.clone(), llm))),
        operations: Some(Arc::new(Table::new(store.clone(), searching.clone()))),
    }
}

/// All routes, with the rooms that `rooms` opens.
fn router_with(
    settings: Settings,
    rooms: impl FnOnce(&Store, &Arc<Searching>) -> Rooms,
) -> Result<(Router, Shared), Error> {
    let cors = cors(&settings.origins)?;
    let store = Store::open(&settings.index, settings.limits.memory_bytes, settings.concurrency)?;
    let searching = Arc::new(Searching::new(settings.search.clone()));
    let desk = Desk {
        rooms: rooms(&store, &searching),
        store: store.clone(),
        index: settings.index.clone(),
        limits: settings.limits,
    };
    let shared: Shared = Arc::new(Server {
        store,
        rooms: desk.rooms.clone(),
        asking: Arc::new(Semaphore::new(ASKING)),
        hosts: layers::Hosts::new(settings.address, &settings.hosts),
        searching,
        settings,
    });
    let mut guarded = OpenApiRouter::new()
        .merge(rest::guarded())
        .merge(operations::guarded())
        .merge(search::guarded())
        .merge(community::guarded())
        .merge(neo4j::guarded());
    if shared.rooms.answerer.is_some() {
        guarded = guarded.merge(ask::guarded()).merge(openai::guarded());
    }
    let tools = crate::mcp::http(desk, &shared.settings.origins, &shared.settings.hosts, BODY_LIMIT);
    let guarded = guarded
        .route_service("/mcp", tools)
        .route_layer(from_fn_with_state(shared.clone(), layers::token));
    let (routes, document) = OpenApiRouter::with_openapi(openapi::document())
        .merge(guarded)
        .merge(rest::open())
        .merge(neo4j::open())
        .split_for_parts();
    let routes = routes
        .merge(openapi::pages(&document)?)
        .merge(dashboard::pages())
        .fallback(layers::not_found)
        .method_not_allowed_fallback(layers::method_not_allowed)
        .layer(DefaultBodyLimit::max(BODY_LIMIT));
    let routes = match cors {
        Some(cors) => routes.layer(cors),
        None => routes,
    };
    let router = routes
        .layer(from_fn_with_state(shared.clone(), layers::host))
        .layer(from_fn(layers::security_headers))
        .layer(from_fn(layers::log))
        .with_state(shared.clone());
    Ok((router, shared))
}

async fn serve(
    listener: TcpListener,
    app: Router,
    signal: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Error> {
    let stopping = Arc::new(Notify::new());
    let stopped = stopping.clone();
    let server = axum::serve(listener, app).with_graceful_shutdown(async move {
        signal.await;
        info!("stopping: running requests have {} s to end", GRACE.as_secs());
        stopping.notify_one();
    });
    tokio::select! {
        ended = server.into_future() => ended.map_err(io("the server ended")),
        () = async { stopped.notified().await; tokio::time::sleep(GRACE).await } => Ok(()),
    }
}

/// Ends at Ctrl-C or SIGTERM; listened for from this call on. A signal that cannot be listened for never comes.
#[cfg(unix)]
fn signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{Signal, SignalKind, signal};
    async fn next(signal: std::io::Result<Signal>) {
        match signal {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    }
    let [interrupt, terminate] = [SignalKind::interrupt(), SignalKind::terminate()].map(signal);
    async {
        tokio::select! {
            () = next(interrupt) => {}
            () = next(terminate) => {}
        }
    }
}

/// Ends at Ctrl-C. A signal that cannot be listened for never comes.
#[cfg(not(unix))]
async fn signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}

/// Leave for pages of these origins to read answers; without an origin, nothing is said about it.
fn cors(origins: &[String]) -> Result<Option<CorsLayer>, Error> {
    if origins.is_empty() {
        return Ok(None);
    }
    let parse = |origin: &String| {
        let whole = origin
            .split_once("://")
            .is_some_and(|(_, host)| !host.is_empty() && !host.contains(['/', '*']));
        let value = whole.then(|| HeaderValue::from_str(origin).ok()).flatten();
        value.ok_or_else(|| {
            Error::Usage(format!(
                "--allow-origin {origin}: write scheme, host and port: https://graph.example.com"
            ))
        })
    };
    let origins = origins.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    let layer = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE, header::ACCEPT]);
    Ok(Some(layer))
}
