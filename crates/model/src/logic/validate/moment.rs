//! Validates dates, times and colours.

use std::cmp::Ordering;

use serde_json::Value;

use super::Check;
use super::report::{AnswerCode, Bounds};
use super::text::filled_line;
use crate::dates::DAY_MS;
use crate::field_kinds::AnswerShape;
use crate::logic::calendar::{Moment, parse_moment, parse_month, parse_week};
use crate::logic::number::parse_number;

impl Check<'_, '_> {
    /// Validates a date, time or datetime-local field, a month or a week, in HTML's format; a space between day
    /// and time becomes `T`.
    pub(super) fn moment(&mut self, sent: &str) -> Option<Value> {
        let text = filled_line(sent)?;
        let Some(moment) = self.moment_of(&text) else {
            self.fault(AnswerCode::InvalidDate);
            return Some(Value::Null);
        };
        self.check_pattern([text.as_str()]);
        self.check_bounds(moment);
        if !self.is_on_time_step(moment) {
            self.fault(AnswerCode::InvalidDate);
        }
        Some(Value::from(text.replace(' ', "T")))
    }

    /// Reads a moment; `None` unless it has the parts that the field's type needs.
    fn moment_of(&self, text: &str) -> Option<Moment> {
        let wanted = match self.shape {
            AnswerShape::Month => return parse_month(text),
            AnswerShape::Week => return parse_week(text),
            AnswerShape::Date => (true, false),
            AnswerShape::Time => (false, true),
            _ => (true, true),
        };
        let moment = parse_moment(text)?;
        ((moment.day.is_some(), moment.time.is_some()) == wanted).then_some(moment)
    }

    fn bound(&self, attribute: &str) -> Option<(&str, Moment)> {
        let text = self.field.attributes.get(attribute)?;
        Some((text, self.moment_of(text)?))
    }

    fn check_bounds(&mut self, moment: Moment) {
        let (min, max) = (self.bound("min"), self.bound("max"));
        let bounds = Bounds::new(min.map(|(text, _)| text), max.map(|(text, _)| text));
        let too_small = min.is_some_and(|(_, min)| moment.compare(min) == Some(Ordering::Less));
        let too_large = max.is_some_and(|(_, max)| moment.compare(max) == Some(Ordering::Greater));
        let wraps = self.shape == AnswerShape::Time
            && min
                .zip(max)
                .is_some_and(|((_, min), (_, max))| min.compare(max) == Some(Ordering::Greater));
        // From 22:00 to 06:00 (HTML, "reversed range"): only a time outside both bounds is a fault.
        let outside = if wraps {
            (too_small && too_large, false)
        } else {
            (too_small, too_large)
        };
        self.check_outside(outside, &bounds);
    }

    /// Whether a moment is a whole number of steps away from `min`. The unit of `step` is a day for dates, and a
    /// second for other moments.
    fn is_on_time_step(&self, moment: Moment) -> bool {
        let step = self.field.attributes.get("step");
        let step = step.and_then(|step| parse_number(step));
        let step = step.filter(|step| *step > 0.0);
        let unit = match self.shape {
            AnswerShape::Month | AnswerShape::Week => return true,
            AnswerShape::Date => DAY_MS,
            _ => 1_000,
        };
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        #[expect(clippy::cast_precision_loss, reason = "the unit is small")]
        let step = step.map_or(0, |step| (step * unit as f64).round() as i64);
        let base = self.bound("min").map_or(0, |(_, min)| min.milliseconds());
        step == 0 || (moment.milliseconds() - base) % step == 0
    }

    /// Validates a colour: `#rrggbb` in lower case (HTML, "simple colour").
    pub(super) fn color(&mut self, sent: &str) -> Option<Value> {
        let text = filled_line(sent)?;
        let digits = text.strip_prefix('#').unwrap_or_default();
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            self.fault(AnswerCode::InvalidPattern);
            return Some(Value::Null);
        }
        self.check_pattern([text.as_str()]);
        self.check_length(&text);
        Some(Value::from(text.to_ascii_lowercase()))
    }
}
