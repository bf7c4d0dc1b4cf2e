//! Every rule of the recommendations applies when it should, and only then.

use cf_forms::analytics::funnel::Funnel;
use cf_forms::analytics::recommend::{Evidence, FieldEvidence, Severity, WINDOW_DAYS, recommend};
use cf_forms::analytics::{Counted, metrics};

/// Evidence of a healthy form, for which no rule applies.
fn healthy() -> Evidence {
    Evidence {
        funnel: funnel(1_000, 400, 250, 100, 10),
        mobile_starts: 200,
        mobile_submissions: 120,
        completion: Some((120, 250)),
        fields: (0..6)
            .map(|number| field(&format!("field{number}"), 380, 17))
            .collect(),
        daily_views: vec![36; 28],
        daily_submissions: vec![9; 28],
        daily_spam: vec![0; 28],
        action_runs: 100,
        failed_action_runs: 1,
    }
}

fn funnel(views: i64, starts: i64, submissions: i64, abandonments: i64, spam: i64) -> Funnel {
    let counted = |metric: &str, count| Counted {
        metric: metric.to_owned(),
        key: String::new(),
        count,
    };
    Funnel::of(&[
        counted(metrics::VIEW, views),
        counted(metrics::START, starts),
        counted(metrics::SUBMIT, submissions),
        counted(metrics::COMPLETED, submissions),
        counted(metrics::ABANDON, abandonments),
        counted(metrics::SPAM, spam),
    ])
}

fn field(name: &str, interactions: i64, drop_offs: i64) -> FieldEvidence {
    FieldEvidence {
        name: name.to_owned(),
        required: true,
        interactions,
        drop_offs,
    }
}

fn drop_offs(of_fields: &[i64]) -> Vec<FieldEvidence> {
    let fields = of_fields.iter().enumerate();
    fields
        .map(|(number, count)| field(&format!("field{number}"), 380, *count))
        .collect()
}

fn recommends(evidence: &Evidence, code: &str) -> bool {
    recommend(evidence)
        .iter()
        .any(|recommendation| recommendation.code == code)
}

/// Checks that the rule applies after the change `applying` to the healthy form, and not after `too_little`, which is a
/// smaller change or one with too little data.
fn check(code: &str, applying: impl Fn(&mut Evidence), too_little: impl Fn(&mut Evidence)) {
    let (mut one, mut other) = (healthy(), healthy());
    applying(&mut one);
    too_little(&mut other);
    assert!(recommends(&one, code), "{code} does not apply");
    assert!(!recommends(&other, code), "{code} applies");
    assert!(
        !recommends(&Evidence::default(), code),
        "{code} applies without data"
    );
}

#[test]
fn a_healthy_form_and_an_empty_one_get_no_recommendations() {
    assert_eq!(recommend(&healthy()), []);
    assert_eq!(recommend(&Evidence::default()), []);
    assert_eq!(WINDOW_DAYS, 28);
}

#[test]
fn the_most_severe_recommendation_comes_first_with_its_value() {
    let mut evidence = healthy();
    evidence.failed_action_runs = 50;
    evidence.funnel = funnel(5_000, 400, 250, 100, 250);
    let recommendations = recommend(&evidence);
    let severities: Vec<Severity> = recommendations
        .iter()
        .map(|recommendation| recommendation.severity)
        .collect();
    assert!(severities.is_sorted(), "{severities:?}");
    assert_eq!(recommendations[0].code, "failing_actions");
    assert_eq!(
        (recommendations[0].value, recommendations[0].threshold),
        (50.0, 10.0)
    );
    assert!(
        recommendations
            .iter()
            .any(|recommendation| recommendation.code == "few_starts")
    );
    assert!(
        recommendations
            .iter()
            .any(|recommendation| recommendation.code == "much_spam")
    );
}

#[test]
fn nothing_arrives() {
    check(
        "nothing_arrives",
        |evidence| evidence.funnel = funnel(100, 20, 0, 10, 0),
        |evidence| evidence.funnel = funnel(100, 19, 0, 10, 0),
    );
}

#[test]
fn submissions_stopped() {
    let stopped = |usual: i64| {
        move |evidence: &mut Evidence| {
            evidence.daily_submissions = [[0; 20].as_slice(), &[usual], &[0; 7]].concat();
        }
    };
    check("submissions_stopped", stopped(14), stopped(13));
    let mut weekly = healthy();
    weekly.daily_submissions = [[2; 21].as_slice(), &[0; 6], &[1]].concat();
    assert!(!recommends(&weekly, "submissions_stopped"));
}

#[test]
fn failing_actions() {
    check(
        "failing_actions",
        |evidence| (evidence.action_runs, evidence.failed_action_runs) = (50, 5),
        |evidence| (evidence.action_runs, evidence.failed_action_runs) = (4, 4),
    );
    let mut few = healthy();
    (few.action_runs, few.failed_action_runs) = (1_000, 99);
    assert!(!recommends(&few, "failing_actions"));
}

#[test]
fn few_starts() {
    check(
        "few_starts",
        |evidence| evidence.funnel = funnel(200, 19, 15, 0, 0),
        |evidence| evidence.funnel = funnel(199, 19, 15, 0, 0),
    );
}

#[test]
fn few_completions() {
    check(
        "few_completions",
        |evidence| evidence.funnel = funnel(500, 100, 24, 50, 0),
        |evidence| evidence.funnel = funnel(500, 100, 25, 50, 0),
    );
}

#[test]
fn field_drop_off() {
    check(
        "field_drop_off",
        |evidence| evidence.fields = drop_offs(&[2, 2, 20, 2, 2, 2]),
        |evidence| evidence.fields = drop_offs(&[1, 1, 20, 1, 1, 1]),
    );
    let mut two = healthy();
    two.fields = drop_offs(&[60, 40]);
    assert!(
        !recommends(&two, "field_drop_off"),
        "with two fields, half of the drop-offs each is normal"
    );
    let mut one = healthy();
    one.fields = drop_offs(&[0, 0, 40, 10, 10, 10]);
    let recommendations = recommend(&one);
    assert_eq!(recommendations[0].field.as_deref(), Some("field2"));
}

#[test]
fn required_field_skipped() {
    let phone = |required: bool| {
        move |evidence: &mut Evidence| {
            evidence.fields[3].interactions = 239;
            evidence.fields[3].required = required;
        }
    };
    check("required_field_skipped", phone(true), phone(false));
    let mut reached = healthy();
    reached.fields[3].interactions = 240;
    assert!(!recommends(&reached, "required_field_skipped"));
}

#[test]
fn first_field_drop_off() {
    check(
        "first_field_drop_off",
        |evidence| evidence.fields = drop_offs(&[40, 30, 30]),
        |evidence| evidence.fields = drop_offs(&[39, 31, 30]),
    );
}

#[test]
fn late_drop_off() {
    check(
        "late_drop_off",
        |evidence| evidence.fields = drop_offs(&[10, 10, 15, 15, 25, 25]),
        |evidence| evidence.fields = drop_offs(&[10, 10, 15, 16, 25, 24]),
    );
    let mut short = healthy();
    short.fields = drop_offs(&[0, 0, 0, 0, 100]);
    assert!(!recommends(&short, "late_drop_off"));
}

#[test]
fn too_many_fields() {
    let fields = |count: usize| {
        move |evidence: &mut Evidence| {
            evidence.funnel = funnel(500, 100, 49, 20, 0);
            evidence.fields = drop_offs(&vec![3; count]);
        }
    };
    check("too_many_fields", fields(13), fields(12));
    let mut finished = healthy();
    finished.fields = drop_offs(&[3; 13]);
    assert!(!recommends(&finished, "too_many_fields"));
}

#[test]
fn slow_completion() {
    check(
        "slow_completion",
        |evidence| evidence.completion = Some((600, 30)),
        |evidence| evidence.completion = Some((600, 29)),
    );
    let mut quick = healthy();
    quick.completion = Some((300, 1_000));
    assert!(!recommends(&quick, "slow_completion"));
}

#[test]
fn mobile_gap() {
    check(
        "mobile_gap",
        |evidence| (evidence.mobile_starts, evidence.mobile_submissions) = (200, 80),
        |evidence| (evidence.mobile_starts, evidence.mobile_submissions) = (200, 115),
    );
    let mut few = healthy();
    (few.mobile_starts, few.mobile_submissions) = (49, 0);
    assert!(!recommends(&few, "mobile_gap"));
}

#[test]
fn spam_rising() {
    let spam = |before: i64, recent: i64| {
        move |evidence: &mut Evidence| {
            evidence.daily_spam = [[before; 21].as_slice(), &[recent; 7]].concat();
        }
    };
    check("spam_rising", spam(1, 3), spam(3, 3));
    let mut few = healthy();
    few.daily_spam = [[0; 21].as_slice(), &[2; 7]].concat();
    assert!(!recommends(&few, "spam_rising"), "14 of 77");
}

#[test]
fn much_spam() {
    check(
        "much_spam",
        |evidence| evidence.funnel = funnel(500, 100, 60, 20, 40),
        |evidence| evidence.funnel = funnel(500, 100, 61, 20, 39),
    );
}

#[test]
fn submissions_falling() {
    let fall = |recent_views: i64| {
        move |evidence: &mut Evidence| {
            evidence.daily_submissions = [[4; 14].as_slice(), &[1; 14]].concat();
            evidence.daily_views = [[30; 14].as_slice(), &[recent_views; 14]].concat();
        }
    };
    check("submissions_falling", fall(30), fall(10));
}

#[test]
fn views_missing() {
    check(
        "views_missing",
        |evidence| evidence.funnel = funnel(9, 9, 20, 0, 0),
        |evidence| evidence.funnel = funnel(10, 9, 20, 0, 0),
    );
}
