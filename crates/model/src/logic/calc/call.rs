//! Operators and functions whose arguments are all evaluated before the call.

use std::cmp::Ordering;

use super::dates;
use super::decimal::{self, ONE, Rounding};
use super::outcome::{Failure, Outcome};
use super::value::{Answer, equal, flatten, listed, order};

/// The maximum number of decimal places to which numbers can be rounded.
const MAX_PLACES: i128 = 18;

/// Converts a count to a value.
pub fn count(count: usize) -> Answer {
    Answer::Number(i128::try_from(count).unwrap_or(0) * ONE)
}

/// Computes an operator or a function from the values of its arguments.
pub fn call(function: &str, values: &[Answer]) -> Outcome<Answer> {
    let nothing = Answer::Nothing;
    let a = values.first().unwrap_or(&nothing);
    let b = values.get(1).unwrap_or(&nothing);
    let number = match function {
        "+" | "-" => return dates::sum(a, b, function == "-"),
        "*" => decimal::times(a.number()?, b.number()?)?,
        "/" => decimal::over(a.number()?, b.number()?)?,
        "^" => decimal::power(a.number()?, b.number()?)?,
        "%" => decimal::over(a.number()?, 100 * ONE)?,
        "neg" => -a.number()?,
        "abs" => a.number()?.abs(),
        "mod" => decimal::remainder(a.number()?, b.number()?)?,
        "number" if a.is_nothing() => return Ok(Answer::Nothing),
        "number" | "weight" => a.number()?,
        "round" => rounded(a, b, Rounding::Half)?,
        "floor" => rounded(a, b, Rounding::Down)?,
        "ceil" => rounded(a, b, Rounding::Up)?,
        "len" => return Ok(count(a.text()?.encode_utf16().count())),
        "rank" => return rank(a, &b.text()?),
        "&" => return Ok(Answer::Text(a.text()? + &b.text()?)),
        "label" => {
            return Ok(Answer::Text(match a {
                Answer::Choice(chosen) => listed(chosen, |one| &one.label),
                other => other.text()?,
            }));
        }
        "text" if values.len() == 1 => return a.text().map(Answer::Text),
        "text" => {
            let places = places(b, 0)?;
            let number = decimal::rounded(a.number()?, places, Rounding::Half)?;
            return Ok(Answer::Text(decimal::text_of(number, Some(places))));
        }
        "mode" => return mode(values),
        "not" => return Ok(Answer::Bool(!a.is_true()?)),
        "is_empty" => return Ok(Answer::Bool(a.is_nothing())),
        "has" => return has(a, &b.text()?),
        "=" => return equal(a, b).map(Answer::Bool),
        "!=" => return Ok(Answer::Bool(!equal(a, b)?)),
        "<" => return compared(a, b, |order| order == Ordering::Less),
        "<=" => return compared(a, b, |order| order != Ordering::Greater),
        ">" => return compared(a, b, |order| order == Ordering::Greater),
        ">=" => return compared(a, b, |order| order != Ordering::Less),
        function => return dates::call(function, values),
    };
    Ok(Answer::Number(number))
}

fn compared(a: &Answer, b: &Answer, fits: fn(Ordering) -> bool) -> Outcome<Answer> {
    Ok(Answer::Bool(order(a, b)?.is_some_and(fits)))
}

/// Reads a value as a number of decimal places, from `least` to 18.
fn places(value: &Answer, least: i128) -> Outcome<i32> {
    let places = decimal::whole(value.number()?, (least, MAX_PLACES))?;
    i32::try_from(places).map_err(|_| Failure::Range)
}

fn rounded(value: &Answer, to: &Answer, rounding: Rounding) -> Outcome<i128> {
    decimal::rounded(value.number()?, places(to, -9)?, rounding)
}

/// The position of an option among the chosen options, from 1.
fn rank(value: &Answer, option: &str) -> Outcome<Answer> {
    let Answer::Choice(chosen) = value else {
        return if value.is_nothing() {
            Ok(Answer::Nothing)
        } else {
            Err(Failure::Type)
        };
    };
    let place = chosen.iter().position(|one| one.value == option);
    Ok(place.map_or(Answer::Nothing, |place| count(place + 1)))
}

/// Whether an option was chosen.
fn has(value: &Answer, option: &str) -> Outcome<Answer> {
    Ok(Answer::Bool(match value {
        Answer::Choice(chosen) => chosen.iter().any(|one| one.value == option),
        value => !value.is_nothing() && value.text()? == option,
    }))
}

/// The text that occurs most often; of several equally frequent texts, the first.
fn mode(values: &[Answer]) -> Outcome<Answer> {
    let mut members = Vec::new();
    values
        .iter()
        .for_each(|value| flatten(value.clone(), &mut members));
    let mut texts = Vec::new();
    for member in members.iter().filter(|member| !member.is_nothing()) {
        texts.push(member.text()?);
    }
    let mut best: Option<(&String, usize)> = None;
    for text in &texts {
        let times = texts.iter().filter(|other| *other == text).count();
        if best.is_none_or(|(_, most)| times > most) {
            best = Some((text, times));
        }
    }
    Ok(best.map_or(Answer::Nothing, |(text, _)| Answer::Text(text.clone())))
}

/// Computes the sum, mean, minimum, maximum or number of values.
pub fn summed(function: &str, values: &[Answer]) -> Outcome<Answer> {
    if function == "count" {
        return Ok(count(values.len()));
    }
    if matches!(function, "min" | "max") {
        let mut best: Option<&Answer> = None;
        for value in values {
            let is_better = match best {
                None => true,
                Some(best) => match order(value, best)? {
                    Some(order) => {
                        order
                            == if function == "min" {
                                Ordering::Less
                            } else {
                                Ordering::Greater
                            }
                    }
                    None => false,
                },
            };
            if is_better {
                best = Some(value);
            }
        }
        return match best {
            None => Ok(Answer::Nothing),
            Some(best) => match best.number() {
                Ok(number) => Ok(Answer::Number(number)),
                Err(failure) => best.moment()?.map(Answer::Moment).ok_or(failure),
            },
        };
    }
    let mut sum = 0;
    for value in values {
        sum = decimal::in_range(sum + value.number()?)?;
    }
    let Answer::Number(count) = count(values.len()) else {
        return Ok(Answer::Nothing);
    };
    match function {
        "avg" if count == 0 => Ok(Answer::Nothing),
        "avg" => decimal::over(sum, count).map(Answer::Number),
        _ => Ok(Answer::Number(sum)),
    }
}
