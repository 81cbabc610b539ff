//! Builds an index from a made-up graph and measures: seconds per table, memory, size, and a few queries.
//!
//! ```text
//! cargo run --release -p ripple-graphdb --example load_bench -- [NODES [EDGES [THREADS [MEGABYTES]]]]
//! ```
//!
//! The graph has the proportions of a real index (three quarters of the nodes are variables, flows stay within a function
//! or go to a near one), and is the same in every run.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ripple_graphdb::{Build, Limits, Reader, Writer, open};
use ripple_schema::{
    Edge, EdgeKind, FileId, FileStatus, Graph, How, IndexedFile, Language, Node, NodeId, NodeKind, Rule, Site,
};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let argument = |index: usize, default| arguments.get(index).copied().unwrap_or(default);
    let (nodes, edges) = (argument(0, 400_000), argument(1, 1_000_000));
    let (threads, megabytes) = (argument(2, 2), argument(3, 400));

    let graph = made_up(nodes, edges);
    println!(
        "{} nodes, {} edges, {threads} threads, pool {megabytes} MB",
        graph.nodes.len(),
        graph.edges.len()
    );
    println!("memory before the load: {}", memory("VmRSS"));
    let folder = tempfile::tempdir()?;
    let kept = std::env::var_os("LOAD_BENCH_KEEP").map(std::path::PathBuf::from);
    let dir = kept.as_deref().unwrap_or(folder.path());
    load(dir, &graph, threads, (megabytes as u64) << 20)?;
    println!("peak memory: {}", memory("VmHWM"));

    let ids: Vec<i64> = graph
        .nodes
        .iter()
        .filter(|node| node.label == NodeKind::Variable && node.name.ends_with('0'))
        .map(|node| node.id.0)
        .collect();
    drop(graph);
    queries(dir, &ids)
}

fn load(dir: &Path, graph: &Graph, threads: usize, memory_bytes: u64) -> Result<(), Box<dyn std::error::Error>> {
    let sources: Vec<Arc<[u8]>> = graph
        .files
        .iter()
        .map(|_| Arc::from("x = y + 1\n".repeat(200).as_bytes()))
        .collect();
    let seen = Mutex::new((Instant::now(), String::new(), BTreeMap::<String, f64>::new()));
    let writer = Writer::acquire(dir)?;
    let build = Build {
        graph,
        sources: &sources,
        mentions: &[],
        roots: Vec::new(),
        memory_bytes,
        most_memory_bytes: memory_bytes,
        threads,
        search: None,
    };
    let start = Instant::now();
    let manifest = writer.build(&build, &|progress| {
        if let Ok(mut seen) = seen.lock() {
            let (since, table, seconds) = &mut *seen;
            *seconds.entry(std::mem::replace(table, progress.table)).or_default() += since.elapsed().as_secs_f64();
            *since = Instant::now();
        }
    })?;
    println!(
        "whole build: {:.2} s, database {} MB",
        start.elapsed().as_secs_f64(),
        manifest.database_bytes >> 20
    );
    if let Ok(seen) = seen.lock() {
        for (table, seconds) in &seen.2 {
            let rows = manifest
                .nodes
                .get(table)
                .or_else(|| manifest.edges.get(table))
                .copied()
                .unwrap_or(0);
            println!(
                "  {seconds:>6.2} s  {rows:>8} rows  {}",
                if table.is_empty() { "(tables)" } else { table }
            );
        }
        println!("  {:>6.2} s  closing, publishing", seen.0.elapsed().as_secs_f64());
    }
    Ok(())
}

fn queries(dir: &Path, ids: &[i64]) -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let reader = open(dir)?;
    println!("open: {:.1} ms", millis(start.elapsed()));
    let reach = "-[:FLOWS_TO|RETURNS_TO|SUMMARIZES* SHORTEST 1..10]->";
    let up = "-[:FLOWS_TO|RETURNS_TO|SUMMARIZES* SHORTEST 1..4]->";
    let down = "-[:FLOWS_TO|PASSES_TO|SUMMARIZES* SHORTEST 1..4]->";
    for text in [
        "MATCH (n:Variable {id: $id}) RETURN n".to_owned(),
        "MATCH (n {id: $id}) RETURN n".to_owned(),
        "MATCH (f:Function {name: 'function_17'}) WHERE $id > 0 RETURN f".to_owned(),
        format!("MATCH (s:Variable {{id: $id}}){reach}(m) RETURN DISTINCT m.id"),
        format!("MATCH (s {{id: $id}}){reach}(m) RETURN DISTINCT m.id"),
        format!("MATCH (s:Variable {{id: $id}}){reach}(m:Variable) RETURN DISTINCT m.id"),
        format!("MATCH (s:Variable {{id: $id}}){up}(m) WITH DISTINCT m MATCH (m){down}(t) RETURN DISTINCT t.id"),
        format!("MATCH (s {{id: $id}}){up}(m) WITH DISTINCT m MATCH (m){down}(t) RETURN DISTINCT t"),
    ] {
        measure(&reader, &text, ids)?;
    }
    Ok(())
}

fn measure(reader: &Reader, text: &str, ids: &[i64]) -> Result<(), Box<dyn std::error::Error>> {
    let mut times = Vec::new();
    let mut rows = 0;
    for id in ids.iter().step_by(ids.len() / 9 + 1) {
        let params = BTreeMap::from([("id".to_owned(), json!(id))]);
        let answer = match reader.query(
            text,
            &params,
            &Limits {
                timeout: Duration::from_secs(10),
                ..Limits::default()
            },
        ) {
            Ok(answer) => answer,
            Err(error) => {
                println!("{error}: {text}");
                return Ok(());
            }
        };
        times.push(millis(answer.elapsed));
        rows = rows.max(answer.rows.len());
    }
    let first = times.first().copied().unwrap_or_default();
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let worst = times.last().copied().unwrap_or_default();
    println!("first {first:>7.1} ms, median {median:>7.1} ms, worst {worst:>7.1} ms, to {rows} rows: {text}");
    Ok(())
}

fn made_up(nodes: usize, edges: usize) -> Graph {
    let mut random = Random(1);
    let mut graph = Graph::default();
    let files = nodes / 150 + 1;
    for file in 0..files {
        graph.files.push(IndexedFile {
            path: format!("shop/service_{}/module_{file}.py", file % 40),
            language: Language::Python,
            hash: 0,
            bytes: 2_000,
            lines: 200,
            status: FileStatus::Indexed,
        });
    }
    let shares: [(NodeKind, usize); 8] = [
        (NodeKind::Package, 5),
        (NodeKind::File, 6),
        (NodeKind::Type, 15),
        (NodeKind::Function, 90),
        (NodeKind::Field, 60),
        (NodeKind::Variable, 760),
        (NodeKind::Key, 14),
        (NodeKind::External, 50),
    ];
    let mut by_label: BTreeMap<NodeKind, Vec<NodeId>> = BTreeMap::new();
    for (label, share) in shares {
        for ordinal in 0..(nodes * share / 1_000).max(1) {
            let node = node(label, ordinal, files, &mut random);
            by_label.entry(label).or_default().push(node.id);
            graph.nodes.push(node);
        }
    }
    let shares: [(EdgeKind, usize); 12] = [
        (EdgeKind::Contains, 380),
        (EdgeKind::Imports, 10),
        (EdgeKind::HasType, 60),
        (EdgeKind::Inherits, 5),
        (EdgeKind::Calls, 90),
        (EdgeKind::Reads, 50),
        (EdgeKind::Writes, 30),
        (EdgeKind::SerializedAs, 5),
        (EdgeKind::FlowsTo, 190),
        (EdgeKind::PassesTo, 90),
        (EdgeKind::ReturnsTo, 40),
        (EdgeKind::Summarizes, 50),
    ];
    for (kind, share) in shares {
        let pairs = kind.endpoints();
        for _ in 0..edges * share / 1_000 {
            // Most edges join the first pair, as most flows join variables; every pair occurs.
            let pair = if random.below(10) < 7 {
                0
            } else {
                random.below(pairs.len())
            };
            let (from, to) = pairs[pair];
            let (from, to) = (&by_label[&from], &by_label[&to]);
            // A tenth of the places carries the flows, so that walks go far.
            let start = random.below(from.len()) / 10 * 10;
            let near = (start * to.len() / from.len() + random.below(100)) / 10 * 10;
            let end = if random.below(50) == 0 {
                random.below(to.len())
            } else {
                near.min(to.len() - 1)
            };
            graph.edges.push(Edge {
                kind,
                from: from[start],
                to: to[end],
                site: site(random.below(files), &mut random),
                rule: Rule::ALL[random.below(12)],
                how: How::ALL[random.below(How::ALL.len())],
            });
        }
    }
    graph.normalize();
    graph
}

fn node(label: NodeKind, ordinal: usize, files: usize, random: &mut Random) -> Node {
    let name = format!("{}_{ordinal}", label.name().to_lowercase());
    let qualified_name = format!("shop.service_{}.module_{}.{name}", ordinal % 40, ordinal % files);
    let function = label == NodeKind::Function;
    Node {
        id: NodeId::of(Language::Python, label, &qualified_name, 0),
        label,
        signature: if function {
            format!("def {name}(self, request: Request, limit: int = 10) -> Response")
        } else {
            String::new()
        },
        doc: if function {
            format!("Handles {name} and gives the response; raises when the request is not valid.")
        } else {
            String::new()
        },
        name,
        qualified_name,
        kind: "local",
        language: Language::Python,
        site: Some(site(ordinal % files, random)),
        end_line: 7,
        type_text: if ordinal.is_multiple_of(3) {
            "Optional[str]".into()
        } else {
            String::new()
        },
        exported: ordinal.is_multiple_of(2),
        test: false,
        whole: false,
        tags: String::new(),
    }
}

fn site(file: usize, random: &mut Random) -> Site {
    Site {
        file: FileId(file as u32),
        line: random.below(2_000) as u32 + 1,
        column: random.below(80) as u32 + 1,
    }
}

/// A small generator of pseudo-random numbers (xorshift), so that every run builds the same graph.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// A line of the kernel's account of this process.
fn memory(field: &str) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.map_or_else(|| "unknown".into(), |value| value.trim().into())
}
