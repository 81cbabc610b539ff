//! Django 5.1.4: questions that search boxes and call graphs are known to get wrong, answered from the whole source distribution.
//!
//! `save` is the name of methods of models, sessions, files, forms and storages; a caller of `Model.save` is one whose receiver is a model,
//! or who says `super().save()` in one. The lists were read off the source.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use ripple_schema::{EdgeKind, Graph, Node, NodeId};

use crate::counts::test_data;
use crate::support;

static GRAPH: LazyLock<Graph> = LazyLock::new(|| support::extract_folder(&test_data("django")).graph);

/// Every call of `Model.save` outside the tests whose receiver the source tells.
///
/// `auth.models.update_last_login` is none of them: the user that a signal hands it is an `AbstractBaseUser`, which has a `save` of its own.
/// It is found today nevertheless: tests hand models to what wraps views, and through the parameter `request` of the wrappers they come to
/// where the user is taken from.
#[test]
fn callers_of_model_save() {
    let found = sources(EdgeKind::Calls, "django.db.models.base.Model.save");
    let found: BTreeSet<&str> = found
        .iter()
        .filter(|node| !node.test)
        .map(|node| node.qualified_name.as_str())
        .collect();
    let known = BTreeSet::from([
        "django.contrib.admin.models.LogEntryManager.log_actions",
        // What a form of a model saves without committing, or holds, is an instance of that model.
        "django.contrib.admin.options.ModelAdmin.save_model",
        // By `super().save()`.
        "django.contrib.auth.base_user.AbstractBaseUser.save",
        "django.contrib.auth.forms.SetPasswordMixin.set_password_and_save",
        "django.contrib.auth.forms.SetUnusablePasswordMixin.set_password_and_save",
        "django.contrib.gis.utils.layermapping.LayerMapping.save._save",
        // The session's own `save` is another; the model in it is saved.
        "django.contrib.sessions.backends.db.SessionStore.asave.sync_transaction",
        "django.contrib.sessions.backends.db.SessionStore.save",
        // `self.model(…)` of its manager.
        "django.contrib.sessions.base_session.BaseSessionManager.save",
        // An instance of the model that goes by that name.
        "django.contrib.sites.management.create_default_site",
        // Handed to `sync_to_async`, which calls it.
        "django.db.models.base.Model.asave",
        "django.forms.models.BaseModelForm.save",
    ]);
    // Users have a `save` of their own; of a manager's model it is not known that it is theirs.
    let false_alarms = BTreeSet::from([
        "django.contrib.auth.models.UserManager._create_user",
        "django.contrib.auth.models.update_last_login",
    ]);
    assert_eq!(found, &known | &false_alarms);
}

/// Who reads and writes the cache of a query set, and not that of a raw one.
///
/// Three writers are missed: in `contenttypes/prefetch.py`, `Prefetch.get_current_querysets` and `prefetch_one_level`, the query set
/// comes from a parameter or a descriptor of which nothing says what it is.
#[test]
fn readers_and_writers_of_the_result_cache() {
    let field = "django.db.models.query.QuerySet._result_cache";
    let names = |kind| -> BTreeSet<String> {
        sources(kind, field)
            .iter()
            .filter(|node| !node.test)
            .map(|node| node.qualified_name.replace("django.db.models.", ""))
            .collect()
    };
    let set = |names: &[&str]| -> BTreeSet<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    assert_eq!(
        names(EdgeKind::Reads),
        set(&[
            "deletion.Collector.delete",
            "query.QuerySet.__aiter__.generator",
            "query.QuerySet.__bool__",
            "query.QuerySet.__getitem__",
            "query.QuerySet.__iter__",
            "query.QuerySet.__len__",
            "query.QuerySet._fetch_all",
            "query.QuerySet._prefetch_related_objects",
            "query.QuerySet.contains",
            "query.QuerySet.count",
            "query.QuerySet.exists",
            "query.QuerySet.get",
        ])
    );
    assert_eq!(
        names(EdgeKind::Writes),
        set(&[
            "query.QuerySet.__init__",
            "query.QuerySet._fetch_all",
            "query.QuerySet._update",
            "query.QuerySet.delete",
            "query.QuerySet.update",
        ])
    );
}

/// Calls of `QuerySet.filter` are found where the receiver is told, and counted as unresolved where it is not: most go through managers
/// that a metaclass makes. Nobody is told that a query set is not filtered.
#[test]
fn callers_of_filter_are_found_or_counted() {
    let found = sources(EdgeKind::Calls, "django.db.models.query.QuerySet.filter");
    assert!(found.len() >= 10, "{}", found.len());
    let unresolved = sources(EdgeKind::Calls, "?.filter");
    assert!(unresolved.len() > 500, "{}", unresolved.len());
}

/// The functions with an edge of a kind to the nodes of that name.
fn sources(kind: EdgeKind, to: &str) -> Vec<&'static Node> {
    static NODES: LazyLock<BTreeMap<NodeId, &'static Node>> =
        LazyLock::new(|| GRAPH.nodes.iter().map(|node| (node.id, node)).collect());
    let is_target = |id: &NodeId| NODES.get(id).is_some_and(|node| node.qualified_name == to);
    let edges = GRAPH
        .edges
        .iter()
        .filter(|edge| edge.kind == kind && is_target(&edge.to));
    edges.filter_map(|edge| NODES.get(&edge.from).copied()).collect()
}
