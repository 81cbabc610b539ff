//! temp probe
use std::collections::BTreeMap;
use std::io::BufRead;
use std::time::{Duration, Instant};
fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let ms: u64 = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(5000);
    let mem: u64 = std::env::args().nth(3).and_then(|s| s.parse().ok()).unwrap_or(1024);
    let t = Instant::now();
    let r = ripple_graphdb::open_with(dir.as_ref(), mem << 20).unwrap();
    println!("open {:?}", t.elapsed());
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (text, params) = match line.split_once(" ## ") {
            Some((t, p)) => (t.to_owned(), serde_json::from_str(p).unwrap()),
            None => (line.clone(), BTreeMap::new()),
        };
        let t = Instant::now();
        let a = r.query(
            &text,
            &params,
            &ripple_graphdb::Limits {
                timeout: Duration::from_millis(ms),
                ..Default::default()
            },
        );
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let rss: String = status
            .lines()
            .filter(|l| l.starts_with("VmHWM") || l.starts_with("VmRSS"))
            .map(|l| l.replace("\t", " ") + " ")
            .collect();
        let short: String = text.chars().take(150).collect();
        match a {
            Ok(a) => {
                let j = serde_json::to_string(&a.rows.first()).unwrap();
                println!(
                    "OK {:?} {} rows trunc={} {rss}| {short}\n     {:?} {:?} {}",
                    t.elapsed(),
                    a.rows.len(),
                    a.truncated,
                    a.columns
                        .iter()
                        .map(|c| c.chars().take(40).collect::<String>())
                        .collect::<Vec<_>>(),
                    a.types
                        .iter()
                        .map(|c| c.chars().take(60).collect::<String>())
                        .collect::<Vec<_>>(),
                    j.chars().take(700).collect::<String>()
                )
            }
            Err(e) => println!(
                "ERR {:?} {rss}| {short}\n     {}",
                t.elapsed(),
                e.to_string().chars().take(300).collect::<String>()
            ),
        }
    }
    std::process::exit(0);
}
