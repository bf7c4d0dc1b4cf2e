//! Random mutations of inputs for the fuzz tests (`fuzzed.rs`), reproducible by seed.

use serde_json::{Value, json};

/// Limit on a mutated input in bytes.
const MAX_BYTES: usize = 20_000;

/// Pieces that break parsers: magic bytes, numbers at limits, halves of characters.
const PIECES: [&[u8]; 28] = [
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\\u0000",
    b"\\ud800",
    b"\0",
    b"\xff",
    b"\xe2\x82",
    b"null",
    b"-1",
    b"1e999",
    b"9223372036854775808",
    b"__proto__",
    b"<![CDATA[",
    b"]]>",
    b"<",
    b"<!--",
    b"<script>x</script>",
    b"&#x0;",
    b"&amp;",
    b"{{name}}",
    b"[name]",
    b"a:2:{",
    b"s:9:\"",
    b"\xef\xbb\xbf",
    b"\xff\xff\xff\x7f",
];

/// Shape of a target's inputs, which some of the mutations keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    Bytes,
    /// JSON, or any other text.
    Json,
    /// `u32 length | JSON of that length | bytes`.
    Frame,
}

/// Pseudo-random numbers (splitmix64).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number less than `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % (end.max(1) as u64)) as usize
    }

    fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }
}

/// Mutates one of the seeds. Two of three JSON inputs stay valid JSON, to reach the checks behind the parser.
pub fn mutated(random: &mut Random, seeds: &[Vec<u8>], shape: Shape) -> Vec<u8> {
    let seed = random.pick(seeds);
    if shape != Shape::Bytes
        && random.below(3) > 0
        && let Some((head, rest)) = split(seed, shape)
    {
        let mut value = head;
        for _ in 0..=random.below(2) {
            change_value(random, &mut value, seeds, shape);
        }
        return join(&value, rest, shape);
    }
    let mut input = seed.clone();
    for _ in 0..=random.below(6) {
        change_bytes(random, &mut input, seeds);
    }
    input.truncate(MAX_BYTES);
    input
}

fn split(input: &[u8], shape: Shape) -> Option<(Value, &[u8])> {
    let (head, rest) = match shape {
        Shape::Frame => {
            let (length, rest) = input.split_first_chunk::<4>()?;
            rest.split_at_checked(u32::from_le_bytes(*length) as usize)?
        }
        _ => (input, &[][..]),
    };
    Some((serde_json::from_slice(head).ok()?, rest))
}

fn join(head: &Value, rest: &[u8], shape: Shape) -> Vec<u8> {
    let head = head.to_string().into_bytes();
    if shape != Shape::Frame {
        return head;
    }
    let length = u32::try_from(head.len()).unwrap().to_le_bytes();
    [&length, &*head, rest].concat()
}

fn change_bytes(random: &mut Random, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let start = random.below(input.len() + 1);
    let end = (start + 1 + random.below(40)).min(input.len());
    match random.below(6) {
        0 if start < input.len() => input[start] ^= 1 << random.below(8),
        1 => drop(input.drain(start..end.max(start))),
        2 => drop(input.splice(start..start, random.pick(&PIECES).iter().copied())),
        3 => {
            let repeated = input[start..end.max(start)].repeat(1 + random.below(30));
            input.splice(start..start, repeated);
        }
        4 if random.below(4) == 0 => input.truncate(start),
        _ => {
            let other = random.pick(seeds);
            let from = random.below(other.len() + 1);
            let to = (from + random.below(200)).min(other.len());
            input.splice(start..end.max(start), other[from..to].iter().copied());
        }
    }
}

/// Changes one value inside JSON: replaces, removes, repeats or nests it, or changes its text.
fn change_value(random: &mut Random, value: &mut Value, seeds: &[Vec<u8>], shape: Shape) {
    let donor: &Vec<u8> = random.pick(seeds);
    let donor = split(donor, shape).map(|(head, _)| head);
    let mut donor = donor.unwrap_or_default();
    let donated = nth(&mut donor, random).take();
    let place = nth(value, random);
    match (random.below(8), place) {
        (0, Value::Object(members)) => {
            let names: Vec<String> = members.keys().cloned().collect();
            if !names.is_empty() {
                members.remove(random.pick(&names));
            }
        }
        (1, Value::Object(members)) => {
            let name = random.pick(&["", "name", "type", "value", "id", "options", "__proto__"]);
            members.insert((*name).to_owned(), donated);
        }
        (0, Value::Array(items)) if !items.is_empty() => {
            items.remove(random.below(items.len()));
        }
        (1, Value::Array(items)) if !items.is_empty() => {
            let item = random.pick(items).clone();
            items.extend(std::iter::repeat_n(item, 1 + random.below(20)));
        }
        (0..4, Value::String(text)) => {
            let mut bytes = std::mem::take(text).into_bytes();
            change_bytes(random, &mut bytes, seeds);
            bytes.truncate(MAX_BYTES);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
        (2, place) => {
            let depth = 1 + random.below(200);
            let inner = place.take();
            *place = (0..depth).fold(inner, |inner, _| json!([inner]));
        }
        (3 | 4, place) => *place = donated,
        (_, place) => *place = hostile(random),
    }
}

fn hostile(random: &mut Random) -> Value {
    match random.below(14) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(-1),
        3 => json!(i64::MAX),
        4 => json!(u64::MAX),
        5 => json!(i64::MIN),
        6 => json!(1e308),
        7 => json!(0.1),
        8 => json!([]),
        9 => json!({}),
        10 => json!(""),
        11 => json!("x".repeat(random.below(5_000))),
        12 => json!("\u{0}\u{202e}\u{1f600}"),
        _ => {
            let piece: &&[u8] = random.pick(&PIECES);
            json!(String::from_utf8_lossy(piece))
        }
    }
}

/// Chooses at random a value or one of the values inside it.
fn nth<'v>(value: &'v mut Value, random: &mut Random) -> &'v mut Value {
    let chosen = random.below(count(value));
    descend(value, chosen)
}

fn descend(value: &mut Value, chosen: usize) -> &mut Value {
    if chosen == 0 {
        return value;
    }
    let mut left = chosen - 1;
    let mut holds = |child: &&mut Value| {
        let size = count(child);
        let is_inside = left < size;
        if !is_inside {
            left -= size;
        }
        is_inside
    };
    let child = match value {
        Value::Array(items) => items.iter_mut().find(|item| holds(item)),
        Value::Object(members) => members.values_mut().find(|member| holds(member)),
        _ => None,
    };
    descend(child.expect("the chosen value is inside this one"), left)
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum::<usize>(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}
