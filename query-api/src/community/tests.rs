//! Names, summaries and text of communities that are made up.

use ripple_graphdb::Community;

use super::name::{first_sentence, name, package, summary, with_names};
use super::{distinguish, prose};
use crate::view::{Communities, CommunityView, LinkView, NodeView};

fn node(kind: &str, qualified_name: &str, doc: &str) -> NodeView {
    NodeView {
        kind: kind.into(),
        name: qualified_name.rsplit('.').next().unwrap_or_default().into(),
        qualified_name: qualified_name.into(),
        file: "a/b.py".into(),
        line: 7,
        doc: doc.into(),
        ..NodeView::default()
    }
}

fn view(id: u32, name: &str, parent: Option<u32>) -> CommunityView {
    CommunityView {
        id,
        name: name.into(),
        level: u32::from(parent.is_some()),
        parent,
        size: 10 - id,
        files: 1,
        package: "a".into(),
        top: vec![
            node("function", "a.f", ""),
            node("function", "a.g", ""),
            node("function", "a.h", ""),
        ],
        summary: "Ten functions in 1 file. In the middle: `f`.".into(),
        by_model: false,
        links: Vec::new(),
    }
}

#[test]
fn the_innermost_package_of_most_gives_its_name() {
    let check = |packages: &[(&str, u32)], expected: &str| {
        let packages: Vec<(String, u32)> = packages
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect();
        assert_eq!(package(&packages), expected, "{packages:?}");
    };
    check(&[("a.b.c", 7), ("a.b.d", 3)], "a.b.c");
    check(&[("a.b.c", 5), ("a.b.d", 5)], "a.b");
    check(&[("a.b", 2), ("a.b.d", 5), ("a.b.e", 5)], "a.b");
    check(&[("ab", 5), ("abc", 5)], "");
    check(&[("github.com/x/y/z", 5), ("github.com/x/y", 5)], "github.com/x/y");
    check(&[("github.com/x", 5), ("python", 5)], "");
    check(&[], "");
}

#[test]
fn names_tell_the_middle() {
    let top = [node("method", "a.b.Cart.total", ""), node("class", "a.b.Cart", "")];
    assert_eq!(name("a.b", &top), "a.b · Cart.total");
    assert_eq!(with_names("a.b", &top, 2), "a.b · Cart.total, Cart");
    assert_eq!(name("", &top), "Cart.total");
    assert_eq!(name("a.b", &[]), "a.b");
    assert_eq!(name("", &[]), "");
    let hidden = [node("method", "a.Cart.__init__", ""), node("class", "a.Cart", "")];
    assert_eq!(with_names("a", &hidden, 2), "a · Cart, Cart.__init__");
    assert_eq!(name("a", &hidden[..1]), "a · Cart.__init__");
}

#[test]
fn communities_of_one_name_are_told_apart() {
    let mut two = [view(0, "a · f", None), view(1, "a · f", None), view(2, "a · x", None)];
    two[1].top.swap(1, 2);
    distinguish(&mut two);
    assert_eq!(two.map(|community| community.name), ["a · f, g", "a · f, h", "a · x"]);
    // Where nothing tells them apart, it ends all the same.
    let mut same = [view(0, "a · f", None), view(1, "a · f", None)];
    distinguish(&mut same);
    assert_eq!(same[0].name, "a · f, g, h");
}

#[test]
fn a_summary_says_what_there_is() {
    let community = Community {
        functions: 1_200,
        types: 1,
        files: 2,
        packages: vec![("a.b".into(), 1_201)],
        ..Community::default()
    };
    let top = [
        node("function", "a.b.load", "Loads the\n  orders. Slowly."),
        node("class", "a.b.Cart", ""),
    ];
    assert_eq!(
        summary(&community, "a.b", &top),
        "1,200 functions and 1 type in 2 files, mostly `a.b`. In the middle: `load` (Loads the orders), `Cart`."
    );
    assert_eq!(summary(&Community::default(), "", &[]), "0 functions in 0 files.");
}

#[test]
fn the_first_sentence_is_short_and_on_one_line() {
    assert_eq!(first_sentence("One.\nTwo."), "One");
    assert_eq!(first_sentence("no\u{1b}[31m end"), "no [31m end");
    assert_eq!(first_sentence(""), "");
    let long = first_sentence(&"word ".repeat(500));
    assert!(long.chars().count() <= 111 && long.ends_with('…'), "{long}");
    assert_eq!(first_sentence(&"ä".repeat(200)).chars().count(), 111);
}

#[test]
fn prose_cites_and_names_parts_and_uses() {
    let mut communities = Communities {
        communities: vec![
            view(0, "a · f", None),
            view(1, "b · g", None),
            view(2, "a.x · h", Some(0)),
        ],
        found: 3,
        members: 20,
    };
    communities.communities[0].links = vec![LinkView { to: 1, weight: 5 }];
    communities.communities[1].top[0].qualified_name = "b.[evil](http://x)<b>".into();
    let text = prose(&communities, 5);
    for part in [
        "19 of 20 functions and types fall into 2 parts",
        "**1. a · f**: Ten functions in 1 file.\n",
        "- in the middle: [a.f](a/b.py:7), [a.g](a/b.py:7)",
        "- uses: b · g (5)",
        "- made of: a.x · h (8)",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("[evil]") && !text.contains("<b>"), "{text}");
    let one = prose(&communities, 1);
    assert!(one.contains("and 1 smaller part") && !one.contains("**2."), "{one}");
    // A model's words are told whole.
    communities.communities[0].by_model = true;
    assert!(prose(&communities, 5).contains("In the middle: `f`."));
}

#[test]
fn prose_of_nothing_says_so() {
    assert!(prose(&Communities::default(), 5).contains("nothing to organise"));
    let two = Communities {
        members: 2,
        ..Communities::default()
    };
    assert!(prose(&two, 5).starts_with("2 functions and types are in the index"));
}
