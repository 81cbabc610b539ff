//! Communities as Markdown that a person reads, with citations that can be followed.

use std::fmt::Write as _;

use crate::cli::units::{count, thousands};
use crate::view::{Communities, CommunityView, NodeView};

/// Parts of a part that are named.
const PARTS: usize = 6;

/// The largest parts of the whole, at most so many: what each is, what stands in its middle, what it uses, what it is made of.
pub fn prose(communities: &Communities, limit: usize) -> String {
    let all = &communities.communities;
    let whole: Vec<&CommunityView> = all.iter().filter(|community| community.level == 0).collect();
    if whole.is_empty() {
        return match communities.members {
            0 => "The index holds no function and no type outside of tests: there is nothing to organise.\n".into(),
            members => format!(
                "{} in the index, and no three of them have enough to do with each other to be a part of the code.\n",
                match members {
                    1 => "One function or type is".to_owned(),
                    members => format!("{} functions and types are", thousands(members)),
                }
            ),
        };
    }
    let held: u64 = whole.iter().map(|community| u64::from(community.size)).sum();
    let mut text = format!(
        "By who calls whom and who shares data, {} of {} functions and types fall into {}.\n",
        thousands(held),
        thousands(communities.members),
        count(whole.len() as u64, "part")
    );
    for (number, community) in (1..).zip(whole.iter().take(limit)) {
        let _ = write!(
            text,
            "\n**{number}. {}**: {}\n",
            escaped(&community.name),
            summary(community)
        );
        let middle: Vec<String> = community.top.iter().map(cite).collect();
        if !middle.is_empty() {
            let _ = writeln!(text, "- in the middle: {}", middle.join(", "));
        }
        let uses = community.links.iter().filter_map(|link| {
            let other = all.iter().find(|other| other.id == link.to)?;
            Some(format!("{} ({})", escaped(&other.name), link.weight))
        });
        let uses: Vec<String> = uses.take(4).collect();
        if !uses.is_empty() {
            let _ = writeln!(text, "- uses: {}", uses.join(", "));
        }
        let parts: Vec<&CommunityView> = all.iter().filter(|part| part.parent == Some(community.id)).collect();
        if !parts.is_empty() {
            let named: Vec<String> = parts
                .iter()
                .take(PARTS)
                .map(|part| format!("{} ({})", escaped(&part.name), part.size))
                .collect();
            let more = match parts.len().saturating_sub(PARTS) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let _ = writeln!(text, "- made of: {}{more}", named.join(", "));
        }
    }
    if whole.len() > limit {
        let _ = writeln!(text, "\n… and {}", count((whole.len() - limit) as u64, "smaller part"));
    }
    text
}

/// What was said of it. What is made of facts names its middle, which follows with citations anyway.
fn summary(community: &CommunityView) -> &str {
    match community.summary.split_once(" In the middle: ") {
        Some((before, _)) if !community.by_model => before,
        _ => &community.summary,
    }
}

/// A member with its place.
fn cite(node: &NodeView) -> String {
    let name = escaped(&node.qualified_name);
    match node.line {
        0 => format!("`{name}`"),
        line => format!("[{name}]({}:{line})", node.file),
    }
}

/// Names come from source: none of them may be read as a link.
fn escaped(text: &str) -> String {
    let plain = |c: char| {
        if c.is_control() || matches!(c, '[' | ']' | '<' | '>' | '*') {
            ' '
        } else {
            c
        }
    };
    text.chars().map(plain).collect()
}
