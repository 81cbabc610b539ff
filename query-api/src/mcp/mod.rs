//! Tools for agents: the Model Context Protocol over stdin and stdout, and over HTTP at `/mcp`.
//!
//! First, some terminology:
//!
//! - **tool**: what an agent can call: each operation, `search`, `cypher`, `ask` ([`tools`]).
//! - **resource**: what it can read: `ripple://schema`, `ripple://status`.
//! - **desk**: what a server needs to answer: the index and the rooms behind it.
//!
//! ```text
//! -> tools/call {"name": "cypher", "arguments": {"query": "MATCH (k:Key) RETURN k.name"}}
//! <- {"content": [{"type": "text", "text": "k.name\nemail\nitems\n2 rows"}], "isError": false}
//! ```
//!
//! Answers are short texts: what an agent reads, it pays for ([`compact`]). An error of a tool is an answer too, with what was wrong and
//! where, so that the agent can do better; nothing that an agent sends ends the server. No session is kept: each request over HTTP stands alone.

pub mod compact;
pub(crate) mod table;
#[cfg(test)]
mod tests;
mod tools;

use std::path::PathBuf;
use std::sync::Arc;

use ripple_graphdb::Limits;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    Resource, ResourceContents, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};

use crate::Error;
use crate::error::io;
use crate::seam::Rooms;
use crate::serve::store::Store;
use crate::view::Status;

/// What a server needs to answer.
pub(crate) struct Desk {
    /// The index.
    pub store: Store,
    /// The rooms behind the doors.
    pub rooms: Rooms,
    /// Its folder.
    pub index: PathBuf,
    /// The most that a query may use.
    pub limits: Limits,
}

/// Serves over stdin and stdout until stdin is closed.
pub(crate) fn stdio(desk: Desk) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(io("cannot start the server's threads"))?;
    let outcome = runtime.block_on(async {
        let tools = Tools { desk: Arc::new(desk) };
        let (input, output) = rmcp::transport::stdio();
        let server = match tools.serve((input, output)).await {
            Ok(server) => server,
            // Nobody said a word: as good as an end.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(Error::Usage(format!("stdin does not speak MCP: {error}"))),
        };
        let ended = server.waiting().await;
        ended.map(drop).map_err(|error| Error::Internal(error.to_string()))
    });
    // A read of stdin that still waits would hold the process up.
    runtime.shutdown_background();
    outcome
}

/// The same over HTTP. Token and `Host` are checked before it.
pub(crate) fn http(
    desk: Desk,
    origins: &[String],
    hosts: &[String],
    body_limit: usize,
) -> StreamableHttpService<Tools, NeverSessionManager> {
    let desk = Arc::new(desk);
    let own = ["localhost", "127.0.0.1", "[::1]"]
        .into_iter()
        .map(str::to_owned)
        .chain(hosts.iter().cloned());
    let own = own.flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:*")));
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_allowed_origins(own.chain(origins.iter().cloned()))
        .enforce_origin_validation()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(body_limit);
    let tools = move || Ok(Tools { desk: desk.clone() });
    StreamableHttpService::new(tools, Arc::default(), config)
}

/// The server of one connection.
#[derive(Clone)]
pub(crate) struct Tools {
    desk: Arc<Desk>,
}

const SCHEMA: &str = "ripple://schema";
const STATUS: &str = "ripple://status";

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let mut config = ServerConfig::new(capabilities).with_instructions(include_str!("../../../prompts/mcp.md"));
        config.server_info = Implementation::new("ripple", env!("CARGO_PKG_VERSION"));
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::list(&self.desk)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let result = match tools::call(&self.desk, &request.name, arguments).await {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.report())]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resource = |uri: &str, name: &str, words: &str, kind: &str| {
            Resource::new(uri, name).with_description(words).with_mime_type(kind)
        };
        Ok(ListResourcesResult::with_all_items(vec![
            resource(
                SCHEMA,
                "schema",
                "Labels, relationships and properties that a Cypher query can name",
                "text/plain",
            ),
            resource(
                STATUS,
                "status",
                "What the index holds, what it left out, and how old it is",
                "application/json",
            ),
        ]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = match request.uri.as_str() {
            SCHEMA => ResourceContents::text(ripple_schema::render::for_model(), SCHEMA),
            STATUS => {
                let index = self.desk.index.clone();
                let status = self
                    .desk
                    .store
                    .read(move |reader| Status::of(&index, reader, false))
                    .await;
                let status = status.map_err(|error| ErrorData::internal_error(error.report(), None))?;
                let text = serde_json::to_string(&status)
                    .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
                ResourceContents::text(text, STATUS).with_mime_type("application/json")
            }
            other => {
                let words = format!("there is no resource {other}; there are {SCHEMA} and {STATUS}");
                return Err(ErrorData::resource_not_found(words, None));
            }
        };
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}
