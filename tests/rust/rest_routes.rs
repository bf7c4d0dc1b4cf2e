//! Invariants of every route of the table.

use cf_forms::http::{Principal, READ_HEADERS, Request};
use cf_forms::rest::routes::{ROUTES, Route};
use serde_json::Value;

use crate::host::Host;

/// Returns a request for the route with an invalid body, which shows the order of the checks.
fn request(host: &Host, route: &Route, method: &str) -> Request {
    let segments = route.path.split('/').map(|segment| match segment {
        "{name}" | "{type}" => "a",
        variable if variable.starts_with('{') => "1",
        fixed => fixed,
    });
    let path = segments.collect::<Vec<_>>().join("/");
    let mut request = host.request(method, &path, None);
    request.body = b"{".to_vec();
    request
}

#[test]
fn every_route_checks_the_capability_before_the_request() {
    let mut host = Host::new();
    let reader = Principal {
        access: String::new(),
        id: "3".to_owned(),
        login: "reader".to_owned(),
        capabilities: vec!["read".to_owned()],
    };
    for route in ROUTES {
        for method in route.methods() {
            for principal in [None, Some(reader.clone())] {
                let mut request = request(&host, route, method);
                request.principal = principal;
                let response = host.handle(request);
                let body: Value = serde_json::from_slice(&response.body).unwrap();
                let outcome = (response.status, body["code"].as_str());
                assert_eq!(
                    outcome,
                    (403, Some("rest_forbidden")),
                    "{}",
                    route.operation
                );
                assert_eq!(response.header("allow"), None, "{}", route.operation);
            }
        }
    }
}

/// "`Principal.access` narrows it: `submissions_read` (the rest is 403 `rest_forbidden`)."
#[test]
fn a_reader_of_submissions_may_use_only_these_routes() {
    let mut host = Host::new();
    let reader = Principal {
        access: "submissions_read".to_owned(),
        id: "4".to_owned(),
        login: "reader".to_owned(),
        capabilities: vec!["edit_forms".to_owned(), "unfiltered_html".to_owned()],
    };
    let mut reached = Vec::new();
    for route in ROUTES {
        for method in route.methods() {
            let mut request = request(&host, route, method);
            request.body.clear();
            request.principal = Some(reader.clone());
            match host.handle(request).status {
                403 => {}
                _ => reached.push(route.operation),
            }
        }
    }
    let expected = [
        "listSubmissions",
        "listFormSubmissions",
        "exportSubmissions",
        "countSubmissions",
        "getSubmission",
        "getSubmissionFile",
        "getTimeline",
    ];
    assert_eq!(reached, expected);
}

#[test]
fn a_path_rejects_methods_that_it_does_not_allow() {
    let mut host = Host::new();
    for route in ROUTES {
        let same_path = || ROUTES.iter().filter(|other| other.path == route.path);
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"] {
            if same_path().any(|other| other.methods().contains(&method)) {
                continue;
            }
            let response = host.handle(request(&host, route, method));
            let body: Value = serde_json::from_slice(&response.body).unwrap();
            let outcome = (response.status, body["code"].as_str());
            assert_eq!(
                outcome,
                (404, Some("rest_no_route")),
                "{method} {}",
                route.path
            );
        }
    }
}

#[test]
fn hosts_forward_every_header_that_the_engine_reads() {
    let bridge = include_str!("../../host-shim/src/bridge.ts");
    let (_, list) = bridge
        .split_once("const READ_HEADERS = [")
        .expect("the list");
    let (list, _) = list.split_once(']').expect("its end");
    let sent: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(sent, READ_HEADERS);
}
