//! Reports of the counters, in the shapes of `src/rest/openapi.components.json`.

use serde_json::Value;

use super::{Counted, Span, count_of};
use crate::forms::FormSchema;
use crate::ordered;
use model::analytics::metrics::{
    FIELD_ABANDON, FIELD_INTERACTION, SPAM, SPAM_REASON, SUBMIT, rate,
};

/// Limit on the days of one request.
pub const MAX_DAYS: i64 = 366;

/// Reports the number of events per day and type, sorted by day and then by type. Types that did not occur on a day are
/// omitted.
pub fn daily(mut counted: Vec<Counted>) -> Value {
    counted.retain(|count| count.count > 0);
    ordered::sort_by(&mut counted, |one, other| {
        (&one.key, &one.metric).cmp(&(&other.key, &other.metric))
    });
    let days = counted.into_iter();
    days.map(|count| json!({"date": count.key, "event_type": count.metric, "count": count.count}))
        .collect()
}

/// Reports the drop-offs of the answer fields, in the order of the schema. A drop-off is an unfinished visit whose last
/// input was in the field.
pub fn dropoff(schema: &FormSchema, counted: &[Counted]) -> Value {
    let fields = schema.answer_fields().map(|field| {
        let interactions = count_of(counted, FIELD_INTERACTION, &field.name);
        let drop_offs = count_of(counted, FIELD_ABANDON, &field.name);
        let label = field.plain_label();
        let label = Some(&*label).filter(|label| !label.is_empty());
        json!({
            "field_name": field.name,
            "label": label.unwrap_or(&field.name),
            "interactions": interactions,
            "drop_offs": drop_offs,
            "drop_off_rate": rate(drop_offs, interactions),
        })
    });
    fields.collect()
}

/// Reports the share of spam for every day of the span, the oldest first, and by reason, the most frequent first.
/// `days` must be in the order of time. One submission may have several reasons.
pub fn spam_trends(span: &Span, mut days: &[Counted], mut reasons: Vec<Counted>) -> Value {
    let (mut total_spam, mut total_submissions) = (0, 0);
    let by_day = span.days().map(|date| {
        let of_day = days.iter().take_while(|count| count.key <= date).count();
        let (day, later) = days.split_at(of_day);
        days = later;
        let count = |metric| count_of(day, metric, &date).max(0);
        let (spam, submissions) = (count(SPAM), count(SUBMIT));
        total_spam += spam;
        total_submissions += submissions;
        let rate = rate(spam, spam + submissions);
        json!({"date": date, "spam": spam, "submissions": submissions, "spam_rate": rate})
    });
    let by_day: Vec<Value> = by_day.collect();
    reasons.retain(|reason| reason.metric == SPAM_REASON && reason.count > 0);
    ordered::sort_by(&mut reasons, |one, other| {
        (other.count, &one.key).cmp(&(one.count, &other.key))
    });
    let reasons = reasons.iter();
    let by_reason = reasons.map(|reason| json!({"reason": reason.key, "count": reason.count}));
    json!({
        "days": span.length(),
        "total_spam": total_spam,
        "total_submissions": total_submissions,
        "spam_rate": rate(total_spam, total_spam + total_submissions),
        "by_day": by_day,
        "by_reason": by_reason.collect::<Vec<_>>(),
    })
}
