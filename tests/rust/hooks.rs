//! Hook registry with the semantics of `@wordpress/hooks`.

use cf_forms::hooks::{Callback, Kind, NameError, Registry};

fn add(registry: &mut Registry, name: &str, number: u32, priority: f64) {
    add_to(registry, Kind::Action, name, number, "my/plugin", priority);
}

/// Adds a callback to a hook of a kind.
pub fn add_to(
    registry: &mut Registry,
    kind: Kind,
    name: &str,
    number: u32,
    namespace: &str,
    priority: f64,
) {
    let callback = Callback {
        number,
        namespace: namespace.to_owned(),
        priority,
    };
    registry
        .add(kind, name, callback)
        .expect("a valid callback");
}

/// Runs a hook; after each callback the test may change the registry.
fn run(
    registry: &mut Registry,
    name: &str,
    mut during: impl FnMut(&mut Registry, u32),
) -> Vec<u32> {
    let id = registry.begin(Kind::Action, name);
    let mut called = Vec::new();
    while let Some(callback) = registry.next(id) {
        called.push(callback.number);
        during(registry, callback.number);
    }
    registry.end(id);
    called
}

fn order(registry: &mut Registry, name: &str) -> Vec<u32> {
    run(registry, name, |_, _| {})
}

#[test]
fn callbacks_run_by_priority_then_in_the_order_of_their_addition() {
    let mut registry = Registry::default();
    for (number, priority) in [
        (1, 10.0),
        (2, -5.0),
        (3, 10.0),
        (4, 9.5),
        (5, f64::INFINITY),
        (6, f64::NEG_INFINITY),
    ] {
        add(&mut registry, "saved", number, priority);
    }
    assert_eq!(order(&mut registry, "saved"), [6, 2, 4, 1, 3, 5]);
}

#[test]
fn a_priority_that_is_not_a_number_comes_first() {
    let mut registry = Registry::default();
    add(&mut registry, "saved", 1, -1000.0);
    add(&mut registry, "saved", 2, f64::NAN);
    assert_eq!(order(&mut registry, "saved"), [2, 1]);
}

#[test]
fn the_same_callback_may_be_added_many_times() {
    let mut registry = Registry::default();
    for _ in 0..3 {
        add(&mut registry, "saved", 7, 10.0);
    }
    assert_eq!(order(&mut registry, "saved"), [7, 7, 7]);
}

#[test]
fn names_are_checked_when_adding_removing_and_counting() {
    let mut registry = Registry::default();
    let callback = |namespace: &str| Callback {
        number: 1,
        namespace: namespace.to_owned(),
        priority: 10.0,
    };
    let cases = [
        ("", "my/plugin", NameError::EmptyHook),
        ("__saved", "my/plugin", NameError::ReservedHook),
        ("1saved", "my/plugin", NameError::HookCharacters),
        ("sa ved", "my/plugin", NameError::HookCharacters),
        ("saved/now", "my/plugin", NameError::HookCharacters),
        ("saved", "", NameError::EmptyNamespace),
        ("saved", "/plugin", NameError::NamespaceCharacters),
        ("saved", "my\\plugin", NameError::NamespaceCharacters),
    ];
    for (name, namespace, error) in cases {
        assert_eq!(
            registry.add(Kind::Action, name, callback(namespace)),
            Err(error),
            "{name} {namespace}"
        );
        assert_eq!(
            registry.remove(Kind::Action, name, namespace),
            Err(error),
            "{name} {namespace}"
        );
    }
    assert_eq!(
        registry.remove_all(Kind::Action, "__saved"),
        Err(NameError::ReservedHook)
    );
    assert_eq!(
        registry.did(Kind::Action, "sa ved"),
        Err(NameError::HookCharacters)
    );
    assert!(
        registry
            .add(Kind::Action, "a.b-c_9", callback("v/p.q-r_s/9"))
            .is_ok()
    );
}

#[test]
fn removing_a_namespace_removes_all_of_its_callbacks_and_no_others() {
    let mut registry = Registry::default();
    add(&mut registry, "saved", 1, 10.0);
    add_to(
        &mut registry,
        Kind::Action,
        "saved",
        2,
        "other/plugin",
        10.0,
    );
    add(&mut registry, "saved", 3, 20.0);
    assert_eq!(
        registry.remove(Kind::Action, "saved", "my/plugin"),
        Ok(Some(vec![1, 3]))
    );
    assert_eq!(
        registry.remove(Kind::Action, "saved", "my/plugin"),
        Ok(Some(vec![]))
    );
    assert_eq!(
        registry.remove(Kind::Action, "unknown", "my/plugin"),
        Ok(None)
    );
    assert_eq!(order(&mut registry, "saved"), [2]);
}

#[test]
fn removing_all_callbacks_keeps_the_count_of_runs() {
    let mut registry = Registry::default();
    add(&mut registry, "saved", 1, 10.0);
    order(&mut registry, "saved");
    assert_eq!(
        registry.remove_all(Kind::Action, "saved"),
        Ok(Some(vec![1]))
    );
    assert_eq!(registry.did(Kind::Action, "saved"), Ok(1));
    assert_eq!(order(&mut registry, "saved"), [0; 0]);
}

#[test]
fn a_hook_stays_known_but_a_namespace_only_while_it_has_callbacks() {
    let mut registry = Registry::default();
    assert!(!registry.has(Kind::Action, "saved", None));
    add(&mut registry, "saved", 1, 10.0);
    assert!(registry.has(Kind::Action, "saved", Some("my/plugin")));
    assert!(!registry.has(Kind::Action, "saved", Some("other/plugin")));
    assert!(
        !registry.has(Kind::Filter, "saved", None),
        "filters are stored separately"
    );
    registry
        .remove(Kind::Action, "saved", "my/plugin")
        .expect("a valid name");
    assert!(registry.has(Kind::Action, "saved", None));
    assert!(!registry.has(Kind::Action, "saved", Some("my/plugin")));
    order(&mut registry, "ran");
    assert!(registry.has(Kind::Action, "ran", None));
}

#[test]
fn runs_without_callbacks_are_counted() {
    let mut registry = Registry::default();
    assert_eq!(registry.did(Kind::Action, "saved"), Ok(0));
    order(&mut registry, "saved");
    order(&mut registry, "saved");
    assert_eq!(registry.did(Kind::Action, "saved"), Ok(2));
    assert_eq!(registry.did(Kind::Filter, "saved"), Ok(0));
}

#[test]
fn the_last_started_run_is_the_current_one() {
    let mut registry = Registry::default();
    assert_eq!(registry.current(Kind::Action), None);
    let outer = registry.begin(Kind::Action, "outer");
    let filter = registry.begin(Kind::Filter, "filter");
    let inner = registry.begin(Kind::Action, "inner");
    assert_eq!(registry.current(Kind::Action), Some("inner"));
    assert_eq!(registry.current(Kind::Filter), Some("filter"));
    assert!(registry.doing(Kind::Action, Some("outer")));
    assert!(registry.doing(Kind::Action, None));
    registry.end(outer);
    assert_eq!(registry.current(Kind::Action), Some("inner"));
    registry.end(inner);
    assert!(!registry.doing(Kind::Action, None));
    registry.end(filter);
    assert!(!registry.doing(Kind::Filter, Some("filter")));
}

#[test]
fn a_callback_added_during_a_run_runs_if_its_priority_is_still_ahead() {
    let mut registry = Registry::default();
    add(&mut registry, "saved", 1, 10.0);
    add(&mut registry, "saved", 2, 20.0);
    let called = run(&mut registry, "saved", |registry, number| {
        if number == 1 {
            add(registry, "saved", 3, 5.0);
            add(registry, "saved", 4, 10.0);
            add(registry, "saved", 5, 30.0);
        }
    });
    assert_eq!(called, [1, 4, 2, 5]);
    assert_eq!(order(&mut registry, "saved"), [3, 1, 4, 2, 5]);
}

#[test]
fn a_callback_removed_before_its_turn_does_not_run() {
    let mut registry = Registry::default();
    for (number, namespace) in [(1, "a"), (2, "b"), (3, "c"), (4, "a"), (5, "d")] {
        add_to(
            &mut registry,
            Kind::Action,
            "saved",
            number,
            namespace,
            10.0,
        );
    }
    let called = run(&mut registry, "saved", |registry, number| {
        if number == 2 {
            registry
                .remove(Kind::Action, "saved", "a")
                .expect("a valid name");
            registry
                .remove(Kind::Action, "saved", "b")
                .expect("a valid name");
        }
    });
    assert_eq!(called, [1, 2, 3, 5]);
}

#[test]
fn removing_all_callbacks_does_not_stop_the_current_run() {
    let mut registry = Registry::default();
    add(&mut registry, "saved", 1, 10.0);
    add(&mut registry, "saved", 2, 10.0);
    let called = run(&mut registry, "saved", |registry, number| {
        if number == 1 {
            registry
                .remove_all(Kind::Action, "saved")
                .expect("a valid name");
            add(registry, "saved", 3, 10.0);
        }
    });
    assert_eq!(called, [1, 2]);
    assert_eq!(order(&mut registry, "saved"), [3]);
}

#[test]
fn the_hook_all_sees_every_hook_of_its_kind_except_hook_added() {
    let mut registry = Registry::default();
    add(&mut registry, "all", 9, 1.0);
    add(&mut registry, "saved", 1, 10.0);
    for _ in 0..3 {
        assert_eq!(
            order(&mut registry, "saved"),
            [1, 9],
            "each callback runs once"
        );
    }
    assert_eq!(order(&mut registry, "unknown"), [9]);
    assert_eq!(order(&mut registry, "hookRemoved"), [9]);
    assert_eq!(order(&mut registry, "hookAdded"), [0; 0]);
    assert_eq!(order(&mut registry, "all"), [9]);
    let filter = registry.begin(Kind::Filter, "saved");
    assert_eq!(
        registry.next(filter),
        None,
        "an action on `all` does not see filters"
    );
}

#[test]
fn a_hook_may_run_recursively() {
    let mut registry = Registry::default();
    add(&mut registry, "saved", 1, 10.0);
    let mut inner = Vec::new();
    run(&mut registry, "saved", |registry, _| {
        inner = order(registry, "saved")
    });
    assert_eq!(inner, [1]);
    assert_eq!(registry.did(Kind::Action, "saved"), Ok(2));
}
