//! Sums of answers: how often each option was chosen, and the distribution of numbers in bars.
//!
//! The store keeps each submission's counters. An edit or a deletion thus subtracts exactly what was added, even if
//! the schema has changed. Texts are not counted, because the number of different texts has no limit.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Number, Value};

use super::Counted;
use super::metrics::{ANSWER, ANSWER_NAME};
use super::weighed::{FIRST, PLACES, add_places, mean_of_weights, rounded};
use crate::field_kinds::AnswerShape;
use crate::logic::answer::{AnswerKind, texts_of};
use crate::logic::number::{json_number, parse_number};
use crate::values::list;
use crate::{Data, Field, FormSchema};

/// The counters of a submission's answers: metric, label and increase.
pub type AnswerCounts = Vec<(Cow<'static, str>, String, i64)>;

/// The largest absolute value in a sum; larger numbers are clamped.
const MAX_ABSOLUTE: f64 = 1e12;

/// A sum has three counters, of millions, ones and millionths, so that JavaScript's numbers hold each counter
/// exactly.
const MILLION: f64 = 1e6;

/// The maximum number of bars that are shown.
const MAX_BARS: usize = 20;

/// The maximum number of listed points of a rating: those from 0 to 100.
const MAX_POINTS: usize = 101;

/// The longest part of an option's value that a counter keeps, in characters.
const MAX_VALUE_CHARS: usize = 100;

/// The method of summing a field's answers.
enum Sums {
    /// Counts each listed value. A pair has a value and its label.
    Listed(Vec<(String, String)>),
    Numbers,
}

impl Sums {
    fn of(field: &Field) -> Option<Sums> {
        let on_or_off = || ["true", "false"].map(|value| (value.to_owned(), value.to_owned()));
        Some(match field.shape() {
            AnswerShape::Number => Sums::Numbers,
            _ if AnswerKind::of(field) == AnswerKind::Toggle => Sums::Listed(on_or_off().to_vec()),
            AnswerShape::Choice => {
                let options = field.options.iter();
                let listed = options.map(|option| (shortened(&option.value), option.label.clone()));
                Sums::Listed(listed.collect())
            }
            AnswerShape::Points => {
                let bound = |number: &Option<Number>| number.as_ref().and_then(Number::as_i64);
                let least = bound(&field.validation.min).unwrap_or(1);
                let most = bound(&field.validation.max).unwrap_or(5);
                let points = (least..=most).take(MAX_POINTS);
                let points = points.map(|point| (point.to_string(), point.to_string()));
                Sums::Listed(points.collect())
            }
            _ => return None,
        })
    }
}

fn shortened(value: &str) -> String {
    value.chars().take(MAX_VALUE_CHARS).collect()
}

/// The texts of an answer; for a switch or a consent, `true` or `false`.
fn values_of(value: &Value) -> Vec<String> {
    match value.get("accepted").unwrap_or(value) {
        Value::Bool(on) => vec![on.to_string()],
        other => texts_of(other),
    }
}

/// The counters for the answers of a submission. If the submission is kept, the names of its answered fields
/// are counted too.
pub fn counts(schema: &FormSchema, data: &Data, is_kept: bool) -> AnswerCounts {
    let (mut names, mut counts) = (Vec::new(), BTreeMap::<String, i64>::new());
    if is_kept {
        let stored = data.iter();
        names.extend(stored.map(|(name, _)| (ANSWER_NAME.into(), name.to_owned(), 1)));
    }
    let groups = schema.row_groups();
    let in_rows = groups.keys().flat_map(|name| {
        let values = schema.values_of(&groups, name, &|name| data.get(name));
        values.into_iter().map(|value| (*name, value))
    });
    for (name, value) in data.iter().chain(in_rows) {
        let values = values_of(value);
        let field = schema.field(name);
        let (Some(field), Some(sums), false) = (field, field.and_then(Sums::of), values.is_empty())
        else {
            continue;
        };
        let mut count = |label: String, by: i64| *counts.entry(label).or_default() += by;
        let label = |part: Value| serde_json::to_string(&(name, part)).unwrap_or_default();
        let word = |part: &str| list(&[name.into(), part.into()]);
        count(word("answered"), 1);
        for (place, text) in (1..).zip(values) {
            match &sums {
                Sums::Listed(listed) => {
                    let text = shortened(&text);
                    if field.is_ranking() {
                        count(label(json!({PLACES: text})), place);
                        count(label(json!({FIRST: text})), i64::from(place == 1));
                    }
                    let is_listed = listed.iter().any(|(known, _)| *known == text);
                    let option = is_listed.then(|| label(json!({"is": text})));
                    count(option.unwrap_or_else(|| word("other")), 1);
                }
                Sums::Numbers => {
                    let Some(number) = parse_number(&text) else {
                        continue;
                    };
                    let number = number.clamp(-MAX_ABSOLUTE, MAX_ABSOLUTE);
                    let bar = Bar::of(field, number);
                    count(word("numbers"), 1);
                    let rest = number % MILLION;
                    count(word("millions"), ((number - rest) / MILLION) as i64);
                    count(word("sum"), rest as i64);
                    count(word("parts"), (number.fract() * MILLION).round() as i64);
                    count(label(json!({"from": bar.from, "to": bar.to})), 1);
                }
            }
        }
    }
    let counts = counts.into_iter().filter(|(_, by)| *by != 0);
    let counts = counts.map(|(label, by)| (ANSWER.into(), label, by));
    counts.chain(names).collect()
}

/// A bar of the distribution: the count of numbers from `from` up to, but not including, `to`. A bar with equal
/// bounds counts the answers with exactly this number.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bar {
    from: f64,
    to: f64,
    count: i64,
}

impl Bar {
    /// The bar that contains a number. If the field has bounds, bars of equal width divide the range between them.
    /// Otherwise a bar lies between neighbours of the series 1, 2, 5, 10 …
    fn of(field: &Field, number: f64) -> Bar {
        let (from, to) = match field.validation.bounds() {
            (Some(least), Some(most)) if least < most && (least..=most).contains(&number) => {
                let mut width = next_of_series((most - least) / 19.0);
                if least.fract() == 0.0 && most.fract() == 0.0 {
                    width = width.max(1.0);
                }
                // The tolerance is for binary fractions: 0.3 is three times 0.1.
                let place = ((number - least) / width + 1e-9).floor();
                let from = rounded(least + place * width);
                (from, rounded(least + (place + 1.0) * width).min(most))
            }
            _ if number < 0.0 => {
                let (near, far) = of_series(-number, true);
                (-far, -near)
            }
            _ => of_series(number, false),
        };
        Bar { from, to, count: 0 }
    }
}

/// The neighbours of a number in the series 0, 0.01, 0.02, 0.05 … 100,000,000, [`MAX_ABSOLUTE`]. The series has 32
/// pairs of neighbours. A number of the series itself belongs to the pair above it, or with `below` to the pair below
/// it.
fn of_series(number: f64, below: bool) -> (f64, f64) {
    let mut near = 0.0;
    let powers = (-2..=7).map(|power| match power {
        ..0 => 1.0 / 10f64.powi(-power),
        _ => 10f64.powi(power),
    });
    for far in powers
        .flat_map(|power| [power, 2.0 * power, 5.0 * power])
        .chain([1e8])
    {
        if number < far || below && number <= far {
            return (near, far);
        }
        near = far;
    }
    (near, MAX_ABSOLUTE)
}

/// The smallest number of the series 1, 2, 5, 10 … that is at least `number`. The series also has fractions, such as
/// 0.5.
fn next_of_series(number: f64) -> f64 {
    let mut unit = 1.0;
    while unit > number && unit > f64::MIN_POSITIVE {
        unit /= 10.0;
    }
    while unit * 10.0 <= number {
        unit *= 10.0;
    }
    let steps = [1.0, 2.0, 5.0].map(|step| step * unit);
    let enough = steps.into_iter().find(|step| *step >= number);
    enough.unwrap_or(10.0 * unit)
}

/// The sums of a form's answers, in the order of its schema. Answers under a field's former names count for the
/// field, and answers with removed options count as "other".
pub fn answer_sums(schema: &FormSchema, counted: &[Counted]) -> Vec<Value> {
    let former = schema.former_names();
    let mut by_field: BTreeMap<String, Vec<(Value, i64)>> = BTreeMap::new();
    for counter in counted {
        if let Ok((name, part)) = serde_json::from_str::<(String, Value)>(&counter.key) {
            // A correction may arrive before the count that it corrects; only a sum may be negative.
            let count = match part.as_str() {
                Some("millions" | "sum" | "parts") => counter.count,
                _ => counter.count.max(0),
            };
            let current = former.get(name.as_str());
            let name = current.map_or(name.as_str(), |current| current);
            by_field
                .entry(name.to_owned())
                .or_default()
                .push((part, count));
        }
    }
    let fields = schema.all_answer_fields();
    let sums = fields.filter_map(|field| {
        let counts = by_field.remove(&field.name).unwrap_or_default();
        let mut sum = json!({"name": field.name, "label": field.plain_label(), "type": field.kind});
        let mut sums = match Sums::of(field)? {
            Sums::Listed(listed) => chosen(&listed, &counts),
            Sums::Numbers => numbers(field, &counts),
        };
        if field.is_ranking() {
            add_places(&mut sums, &counts);
        }
        let mean = mean_of_weights(field, schema, &sums);
        let nps = field.is_nps().then(|| net_promoter_score(&sums));
        if let (Value::Object(sum), Value::Object(sums)) = (&mut sum, sums) {
            sum.extend(sums);
            sum.extend(nps.map(|nps| ("nps".to_owned(), nps)));
            sum.extend(mean.map(|mean| ("mean".to_owned(), mean)));
        }
        Some(sum)
    });
    sums.collect()
}

fn total(counts: &[(Value, i64)], wanted: &str) -> i64 {
    let matching = counts.iter().filter(|(part, _)| part == wanted);
    matching.map(|(_, count)| *count).sum()
}

/// The count of each option, and of other answers.
fn chosen(listed: &[(String, String)], counts: &[(Value, i64)]) -> Value {
    let mut chosen: BTreeMap<String, i64> = BTreeMap::new();
    for (part, count) in counts {
        if let Some(value) = part.get("is").and_then(Value::as_str) {
            *chosen.entry(value.to_owned()).or_default() += count;
        }
    }
    let options = listed.iter().map(|(value, label)| {
        let count = chosen.remove(value).unwrap_or_default();
        json!({"value": value, "label": label, "count": count})
    });
    let options: Vec<Value> = options.collect();
    let other = total(counts, "other") + chosen.values().sum::<i64>();
    json!({"count": total(counts, "answered"), "options": options, "other": other})
}

/// The net promoter score: promoters (9 and 10) minus detractors (0 to 6), in percent of the answers with a listed
/// point, rounded. Null without such answers.
fn net_promoter_score(sums: &Value) -> Value {
    let (mut count, mut score) = (0, 0);
    for option in sums
        .get("options")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let chosen = option
            .get("count")
            .and_then(Value::as_i64)
            .unwrap_or_default();
        let point = option.get("value").and_then(Value::as_str);
        let point: i64 = point
            .and_then(|point| point.parse().ok())
            .unwrap_or_default();
        count += chosen;
        score += match point {
            ..=6 => -chosen,
            7 | 8 => 0,
            _ => chosen,
        };
    }
    if count == 0 {
        return Value::Null;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of answers")]
    let percent = (score as f64 / count as f64 * 100.0).round();
    json!(json_number(percent))
}

/// The count of numbers, their sum, their mean, and their distribution.
fn numbers(field: &Field, counts: &[(Value, i64)]) -> Value {
    let count = total(counts, "numbers");
    let [millions, ones, parts] = ["millions", "sum", "parts"].map(|of| total(counts, of) as f64);
    let sum = rounded(millions * MILLION + ones + parts / MILLION);
    let bars = bars(field, counts);
    let shown = |number: f64| json!(json_number(number));
    let drawn = bars
        .iter()
        .map(|bar| json!({"from": shown(bar.from), "to": shown(bar.to), "count": bar.count}));
    json!({
        "count": count,
        "sum": shown(sum),
        "mean": (count > 0).then(|| shown(rounded(sum / count as f64))),
        "from": bars.first().map(|bar| shown(bar.from)),
        "to": bars.last().map(|bar| shown(bar.to)),
        "bars": drawn.collect::<Vec<_>>(),
    })
}

/// The bars from the first to the last with a number, merged to at most [`MAX_BARS`].
fn bars(field: &Field, counts: &[(Value, i64)]) -> Vec<Bar> {
    let filled = counts.iter().filter_map(|(part, count)| {
        let edge = |name: &str| part.get(name).and_then(Value::as_f64);
        Some((edge("from")?, edge("to")?, *count))
    });
    let filled: Vec<(f64, f64, i64)> = filled.filter(|(_, _, count)| *count > 0).collect();
    let starts = || filled.iter().map(|(from, _, _)| *from);
    let last = starts().fold(f64::NEG_INFINITY, f64::max);
    let mut next = starts().fold(f64::INFINITY, f64::min);
    let mut bars: Vec<Bar> = Vec::new();
    // The field's bounds may have changed since a number was counted. The number moves to the bar that contains the
    // start of its old bar.
    while next <= last && bars.len() < 4 * MAX_BARS {
        let bar = Bar::of(field, next);
        let (from, to) = (next, bar.to.max(next));
        let is_within = |at: f64| at == from || (from..to).contains(&at);
        let within = filled.iter().filter(|(at, _, _)| is_within(*at));
        let count = within.map(|(_, _, count)| count).sum();
        bars.push(Bar { from, to, count });
        if to <= next {
            break;
        }
        next = to;
    }
    let together = bars.len().div_ceil(MAX_BARS).max(1);
    let merged = bars.chunks(together).filter_map(|bars| {
        let (first, last) = bars.first().zip(bars.last())?;
        let count = bars.iter().map(|bar| bar.count).sum();
        let (from, to) = (first.from, last.to);
        Some(Bar { from, to, count })
    });
    merged.collect()
}
