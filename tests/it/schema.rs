//! The committed renderings of the schema are what the declarations render. `UPDATE_EXPECT=1` rewrites them.

use std::path::PathBuf;

use ripple_schema::render;

use crate::support;

#[test]
fn the_ddl_is_what_the_declarations_render() {
    check("graph.cypher", &render::ddl());
}

#[test]
fn the_reference_page_is_what_the_declarations_render() {
    check("graph.md", &render::reference());
}

#[test]
fn the_model_reads_of_every_kind() {
    let text = render::for_model();
    for kind in ripple_schema::NodeKind::ALL {
        assert!(text.contains(&format!("- {kind}: ")), "{kind} is missing:\n{text}");
    }
    for kind in ripple_schema::EdgeKind::ALL {
        assert!(text.contains(&format!("- {kind}: ")), "{kind} is missing:\n{text}");
    }
}

fn check(name: &str, rendered: &str) {
    let path: PathBuf = support::tests_folder().join("../schema").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, rendered).expect("the rendering can be written");
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let mut lines = committed.lines().zip(rendered.lines()).zip(1..);
    let first = lines.find(|((committed, rendered), _)| committed != rendered);
    let wanted = || {
        first.map_or(
            "one is longer than the other".to_owned(),
            |((committed, rendered), line)| format!("line {line}\n  is      {committed}\n  renders {rendered}"),
        )
    };
    assert!(
        committed == rendered,
        "schema/{name} has drifted from the declarations ({}); UPDATE_EXPECT=1 rewrites it",
        wanted()
    );
}
