//! The routes of analytics (specification, "Analytics"; contract, section 6).

use serde::Serialize;
use serde_json::Value;

use crate::analytics::answers::answer_sums;
use crate::analytics::metrics::{
    ANSWER, ANSWER_NAME, CAMPAIGN, COMPLETION_TIME, EVENTS, FIELD_ABANDON, FIELD_INTERACTION,
    FUNNEL, MOBILE_START, MOBILE_SUBMIT, REFERRER, SPAM, SPAM_REASON, SUBMIT,
};
use crate::analytics::overview::Overview;
use crate::analytics::recommend::{Evidence, WINDOW_DAYS, recommend};
use crate::analytics::reports::{self, MAX_DAYS};
use crate::analytics::{self, Counted, Span, attribution, funnel::Funnel};
use crate::error::{Error, Missing};
use crate::forms;
use crate::hooks::Kind;
use crate::http::Response;
use crate::rest::Call;
use crate::store::counters::{self, By, CounterQuery};
use crate::store::{answer_names as names, logs};

/// The filter that may hide a form's analytics from a user. Its arguments are `true`, the form's id and the user.
const MAY_VIEW: &str = "cf_can_view_form_analytics";

const OUT_OF_BOUNDS: &str = "rest_out_of_bounds";

/// Limit on the spam reasons in the response.
const SHOWN_REASONS: i64 = 50;

/// `GET /cf/v1/analytics/{form_id}/funnel`.
pub async fn funnel(call: Call) -> Result<Response, Error> {
    let span = span(&call)?;
    let [counted] = sums(&call, [query(&FUNNEL, &span, By::Metric)]).await?;
    let funnel = Funnel::of(&counted);
    let saved = json!({
        "saved": funnel.saved,
        "resumed": funnel.resumed,
        "saved_submissions": funnel.saved_submissions,
    });
    Ok(respond(&crate::json::with(json!(funnel), saved)))
}

/// `GET /cf/v1/analytics/{form_id}/daily`.
pub async fn daily(call: Call) -> Result<Response, Error> {
    let span = bounded_span(&call)?;
    let [counted] = sums(&call, [query(&EVENTS, &span, By::Day)]).await?;
    Ok(respond(&reports::daily(counted)))
}

/// `GET /cf/v1/analytics/{form_id}/field-dropoff`.
pub async fn field_dropoff(call: Call) -> Result<Response, Error> {
    let span = span(&call)?;
    check_view(&call).await?;
    let schema = forms::readable_schema(&call.cx, &form(&call).await?)?;
    let fields = [FIELD_ABANDON, FIELD_INTERACTION];
    let [mut counted] = sums_allowed(&call, [query(&fields, &span, By::Label)]).await?;
    analytics::under_current_names(&schema, &mut counted);
    Ok(respond(&reports::dropoff(&schema, &counted)))
}

/// `GET /cf/v1/analytics/{form_id}/answers`.
pub async fn answers(call: Call) -> Result<Response, Error> {
    let span = Span::all_time();
    let [counted] = sums(&call, [query(&[ANSWER], &span, By::Label)]).await?;
    let schema = forms::readable_schema(&call.cx, &form(&call).await?)?;
    Ok(respond(&answer_sums(&schema, &counted)))
}

/// `GET /cf/v1/forms/{id}/answer-names`: the names of the answers of stored submissions, with counts, the oldest first.
pub async fn answer_names(call: Call) -> Result<Response, Error> {
    let (id, span) = (call.arguments.id("id"), Span::all_time());
    let query = query(&[ANSWER_NAME], &span, By::Label);
    let counted = counters::read_sums(&call.cx, id, &[query]).await?;
    let mut counted = counted.ok_or(Error::NotFound(Missing::Form))?.concat();
    let form = forms::load_existing(&call.cx, id).await?;
    let schema = forms::effective_schema(&call.cx, &form)?;
    analytics::under_current_names(&schema, &mut counted);
    let former = schema.former_names();
    let mut named: Vec<(String, i64)> = Vec::new();
    for name in names::read(&call.cx, id).await? {
        let name = former
            .get(name.as_str())
            .map_or(name.as_str(), |current| current);
        let count = analytics::count_of(&counted, ANSWER_NAME, name);
        if count > 0 && !named.iter().any(|(known, _)| known == name) {
            named.push((name.to_owned(), count));
        }
    }
    let named = named.iter();
    let named = named.map(|(name, count)| json!({"name": name, "count": count}));
    Ok(respond(&named.collect::<Vec<_>>()))
}

/// `GET /cf/v1/analytics/{form_id}/attribution`.
pub async fn attribution(call: Call) -> Result<Response, Error> {
    let span = span(&call)?;
    let top = By::TopLabel(attribution::SHOWN);
    let [counted] = sums(&call, [query(&[CAMPAIGN, REFERRER], &span, top)]).await?;
    Ok(respond(&attribution::attribution(counted)))
}

/// `GET /cf/v1/analytics/{form_id}/spam-trends`.
pub async fn spam_trends(call: Call) -> Result<Response, Error> {
    let days = call.arguments.integer("days").unwrap_or(30);
    let span = match bounded_span(&call)? {
        span if span.length() > 0 => span,
        _ => Span::last_days(days, call.cx.now()),
    };
    let queries = [
        query(&[SPAM, SUBMIT], &span, By::Day),
        query(&[SPAM_REASON], &span, By::TopLabel(SHOWN_REASONS)),
    ];
    let [by_day, by_reason] = sums(&call, queries).await?;
    Ok(respond(&reports::spam_trends(&span, &by_day, by_reason)))
}

/// `GET /cf/v1/analytics/{form_id}/recommendations`.
pub async fn recommendations(call: Call) -> Result<Response, Error> {
    check_view(&call).await?;
    let form = form(&call).await?;
    let schema = forms::readable_schema(&call.cx, &form)?;
    let span = Span::last_days(WINDOW_DAYS, call.cx.now());
    let fields = [FIELD_ABANDON, FIELD_INTERACTION];
    let labelled = [
        fields.as_slice(),
        &[COMPLETION_TIME, MOBILE_START, MOBILE_SUBMIT],
    ]
    .concat();
    let queries = [
        query(&FUNNEL, &span, By::Day),
        query(&labelled, &span, By::Label),
    ];
    let [by_day, mut by_label] = sums_allowed(&call, queries).await?;
    analytics::under_current_names(&schema, &mut by_label);
    let mut evidence = Evidence::of(&schema, &span, &by_day, &by_label);
    let (_, recent) = logs::counts(&call.cx, Some(form.id)).await?;
    for runs in recent.iter().filter(|runs| runs.status != "skipped") {
        evidence.action_runs += runs.count;
        if runs.status == "failed" {
            evidence.failed_action_runs += runs.count;
        }
    }
    Ok(respond(&recommend(&evidence)))
}

/// `GET /cf/v1/analytics/overview`. The list and the totals omit forms that the caller may not see.
pub async fn overview(call: Call) -> Result<Response, Error> {
    analytics::flush(&call.cx).await?;
    let (mut totals, forms) = counters::overview(&call.cx).await?;
    let mut shown = Vec::with_capacity(forms.len());
    for form in forms {
        if may_view(&call, form.form_id).await {
            shown.push(form);
        } else {
            totals = totals.without(&form.funnel);
        }
    }
    Ok(respond(&Overview::of(totals, shown)))
}

fn query<'a>(metrics: &'a [&'static str], span: &Span, by: By) -> CounterQuery<'a> {
    CounterQuery {
        metrics,
        span: span.clone(),
        by,
    }
}

/// The requested days, open on each side without a date.
fn span(call: &Call) -> Result<Span, Error> {
    span_until(call, call.arguments.text("date_to"))
}

fn span_until(call: &Call, to: Option<&str>) -> Result<Span, Error> {
    Span::between(call.arguments.text("date_from"), to).ok_or_else(|| {
        let message = "date_from must not come after date_to.";
        Error::invalid("date_from", OUT_OF_BOUNDS, message)
    })
}

/// The days between the requested dates, or from `date_from` until today; the running total without dates. Fails for
/// more than [`MAX_DAYS`] days, so also for `date_to` without `date_from`.
fn bounded_span(call: &Call) -> Result<Span, Error> {
    let arguments = &call.arguments;
    let today = Span::last_days(1, call.cx.now()).to;
    let today = arguments.text("date_from").map(|_| today.as_str());
    let span = span_until(call, arguments.text("date_to").or(today))?;
    if span.length() <= MAX_DAYS {
        return Ok(span);
    }
    let message = format!("date_from and date_to may be at most {MAX_DAYS} days apart.");
    Err(Error::invalid("date_to", OUT_OF_BOUNDS, message))
}

async fn sums<const COUNT: usize>(
    call: &Call,
    queries: [CounterQuery<'_>; COUNT],
) -> Result<[Vec<Counted>; COUNT], Error> {
    check_view(call).await?;
    sums_allowed(call, queries).await
}

/// Reads the sums for the form in the path. Writes gathered events first, so that the sums include them.
async fn sums_allowed<const COUNT: usize>(
    call: &Call,
    queries: [CounterQuery<'_>; COUNT],
) -> Result<[Vec<Counted>; COUNT], Error> {
    analytics::flush(&call.cx).await?;
    let form_id = call.arguments.id("form_id");
    let answers = counters::read_sums(&call.cx, form_id, &queries).await?;
    let answers = answers.ok_or(Error::NotFound(Missing::Form))?;
    let none = |_| Error::Internal("a query has no result".to_owned());
    answers.try_into().map_err(none)
}

async fn form(call: &Call) -> Result<forms::Form, Error> {
    forms::load_existing(&call.cx, call.arguments.id("form_id")).await
}

async fn check_view(call: &Call) -> Result<(), Error> {
    if may_view(call, call.arguments.id("form_id")).await {
        Ok(())
    } else {
        Err(Error::Forbidden)
    }
}

async fn may_view(call: &Call, form_id: i64) -> bool {
    if !call.cx.has_callbacks(Kind::Filter, MAY_VIEW) {
        return true;
    }
    let principal = &call.principal;
    let user = json!({"id": principal.id, "login": principal.login});
    let arguments = [json!(form_id), user];
    let allowed = call.cx.apply_filters(MAY_VIEW, json!(true), &arguments);
    !matches!(allowed.await, Value::Null | Value::Bool(false))
}

fn respond(value: &impl Serialize) -> Response {
    Response::json(200, value)
}
