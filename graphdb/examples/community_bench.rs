//! How long it takes to find the communities of an index: `cargo run --release --example community_bench -- .ripple`

use std::path::Path;
use std::time::Instant;

use ripple_graphdb::community;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name an index folder")?;
    let reader = ripple_graphdb::open(Path::new(&folder))?;
    let began = Instant::now();
    let net = reader.net()?;
    println!("read in {:.2} s: {net:?}", began.elapsed().as_secs_f64());
    for _ in 0..3 {
        let began = Instant::now();
        let found = community::find(&net, &|_| false, &|_| "");
        let seconds = began.elapsed().as_secs_f64();
        let levels: Vec<usize> = (0..3)
            .map(|level| found.all.iter().filter(|community| community.level == level).count())
            .collect();
        let held: u32 = found
            .all
            .iter()
            .filter(|c| c.level == 0)
            .map(|c| c.functions + c.types)
            .sum();
        println!(
            "{levels:?} communities of {held} of {} members in {seconds:.2} s",
            found.members
        );
    }
    Ok(())
}
