//! The completion rate of a form.

use serde_json::json;

use crate::analytics_fixture::{ANN, Visitor, events, get, send, site};
use crate::front_fixture;

/// A step of a visit: a start that the browser reports, or a submit with the value of `_cf_seconds`.
enum Step {
    Start(&'static str),
    Submit(&'static str, Option<&'static str>),
}

#[test]
fn the_completion_rate_counts_submissions_of_visits_that_started() {
    use Step::{Start, Submit};
    const BEN: &str = "192.0.2.2";
    let cases: [(&str, &[Step], i64, f64); 10] = [
        (
            "the page reports its start, then submits",
            &[Start(ANN.address), Submit(ANN.address, Some("12;sent"))],
            1,
            100.0,
        ),
        (
            "the start's event never came",
            &[Submit(ANN.address, Some("12"))],
            1,
            100.0,
        ),
        (
            "a visitor leaves, then comes back and submits before the event is sent",
            &[Start(ANN.address), Submit(ANN.address, Some("12;missed"))],
            2,
            50.0,
        ),
        (
            "the start was counted by another instance",
            &[Submit(ANN.address, Some("12;sent"))],
            0,
            0.0,
        ),
        (
            "the page's older script tells nothing of the event",
            &[Start(ANN.address), Submit(ANN.address, Some("12"))],
            1,
            100.0,
        ),
        (
            "a program submits after an event of the same visitor",
            &[Start(ANN.address), Submit(ANN.address, None)],
            1,
            100.0,
        ),
        (
            "a page without script starts nothing",
            &[Submit(ANN.address, None)],
            0,
            0.0,
        ),
        (
            "one visitor starts, another submits",
            &[Start(ANN.address), Submit(BEN, None)],
            1,
            0.0,
        ),
        (
            "one visitor starts and leaves, another submits without an event",
            &[Start(ANN.address), Submit(BEN, Some("30"))],
            2,
            50.0,
        ),
        (
            "one start, two submissions",
            &[
                Start(ANN.address),
                Submit(ANN.address, None),
                Submit(ANN.address, None),
            ],
            1,
            100.0,
        ),
    ];
    for (name, steps, starts, rate) in cases {
        let mut host = site();
        for step in steps {
            match step {
                Start(address) => {
                    let visitor = Visitor { address, ..ANN };
                    send(&mut host, &visitor, &events(&["start"]));
                }
                Submit(address, seconds) => {
                    let fields = seconds.map(|seconds| ("_cf_seconds", seconds));
                    let fields: Vec<(&str, &str)> = fields.into_iter().collect();
                    let mut request = front_fixture::post(&host, "contact", &fields);
                    request.address = Some((*address).to_owned());
                    let agent = ("user-agent".to_owned(), ANN.browser.to_owned());
                    request.headers.extend([agent]);
                    assert_eq!(host.visit(request).status, 303, "{name}");
                }
            }
        }
        let funnel = get(&mut host, "1/funnel");
        assert_eq!(
            (&funnel["starts"], &funnel["completion_rate"]),
            (&json!(starts), &json!(rate)),
            "{name}"
        );
        let overview = get(&mut host, "overview");
        assert_eq!(overview["totals"]["completion_rate"], rate, "{name}");
    }
}
