//! Counts distinct visitors without storing their identity: a HyperLogLog.
//!
//! The structure is from Flajolet et al., "HyperLogLog" (2007), with 64-bit hashes. The estimator is from Ertl, "New
//! cardinality estimation algorithms for HyperLogLog sketches" (2017); it needs no corrections for small or large
//! counts. 16,384 registers have a standard error of 0.81 %. Existing crates hash the values themselves and have
//! binary formats. The engine needs a text that every database can store, and that is short as long as the visitors
//! are few.

/// The number of leading bits of a hash that choose its register.
const REGISTER_BITS: u32 = 14;
const REGISTERS: usize = 1 << REGISTER_BITS;
/// The number of other bits of a hash. The largest rank is one more.
const RANK_BITS: u32 = 64 - REGISTER_BITS;

/// The maximum number of registers that are written one by one, in four characters each.
const MAX_SPARSE: usize = REGISTERS / 4;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The registers with a rank, sorted by number. A register keeps the largest of its ranks, so that adding a known
/// visitor changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sketch(Vec<(u16, u8)>);

impl Sketch {
    /// Adds a visitor by a hash of 64 evenly spread bits.
    pub fn add(&mut self, hash: u64) {
        let register = u16::try_from(hash >> RANK_BITS).unwrap_or_default();
        let rest = hash << REGISTER_BITS;
        let rank = (rest.leading_zeros().min(RANK_BITS) + 1) as u8;
        self.raise(register, rank);
    }

    /// Adds the visitors of another sketch.
    pub fn merge(&mut self, other: &Sketch) {
        for (register, rank) in &other.0 {
            self.raise(*register, *rank);
        }
    }

    fn raise(&mut self, register: u16, rank: u8) {
        match self.0.binary_search_by_key(&register, |(known, _)| *known) {
            Ok(place) => {
                if let Some((_, known)) = self.0.get_mut(place) {
                    *known = rank.max(*known);
                }
            }
            Err(place) => self.0.insert(place, (register, rank)),
        }
    }

    /// Whether no visitor was added.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The estimated number of visitors.
    pub fn estimate(&self) -> i64 {
        let mut by_rank = [0_f64; RANK_BITS as usize + 2];
        for (_, rank) in &self.0 {
            if let Some(count) = by_rank.get_mut(usize::from(*rank)) {
                *count += 1.0;
            }
        }
        let registers = REGISTERS as f64;
        let empty = registers - self.0.len() as f64;
        let [_, ranks @ .., greatest] = &by_rank;
        let mut sum = registers * tau(1.0 - greatest / registers);
        for count in ranks.iter().rev() {
            sum = 0.5 * (sum + count);
        }
        sum += registers * sigma(empty / registers);
        (registers * registers / (2.0 * std::f64::consts::LN_2 * sum)).round() as i64
    }

    /// The sketch as text. A sparse text has `s` and only the registers with a rank; a dense text has `d` and all
    /// registers.
    pub fn to_text(&self) -> String {
        if self.0.len() <= MAX_SPARSE {
            let mut text = String::from("s");
            for (register, rank) in &self.0 {
                let bits = u32::from(*register) << 6 | u32::from(*rank);
                text.extend([18, 12, 6, 0].map(|shift| character(bits >> shift)));
            }
            return text;
        }
        let mut ranks = vec![0_u8; REGISTERS];
        for (register, rank) in &self.0 {
            if let Some(entry) = ranks.get_mut(usize::from(*register)) {
                *entry = *rank;
            }
        }
        let mut text = String::from("d");
        text.extend(ranks.into_iter().map(|rank| character(rank.into())));
        text
    }

    /// Reads the text of a sketch; an invalid text gives an empty sketch.
    pub fn from_text(text: &str) -> Sketch {
        let digits = || text.bytes().skip(1).map(digit);
        let mut sketch = Sketch::default();
        match text.as_bytes().first() {
            Some(b's') => {
                let digits: Vec<u32> = digits().collect();
                for group in digits.chunks_exact(4) {
                    let bits = group.iter().fold(0, |bits, digit| bits << 6 | digit);
                    if let Ok(register) = u16::try_from(bits >> 6) {
                        sketch.raise(register, (bits & 63) as u8);
                    }
                }
            }
            Some(b'd') => {
                for (register, rank) in digits().enumerate().filter(|(_, rank)| *rank > 0) {
                    if let Ok(register) = u16::try_from(register) {
                        sketch.raise(register, rank as u8);
                    }
                }
            }
            _ => {}
        }
        sketch
    }
}

fn character(bits: u32) -> char {
    let place = usize::try_from(bits & 63).unwrap_or_default();
    ALPHABET.get(place).copied().map_or('A', char::from)
}

fn digit(character: u8) -> u32 {
    let mut places = ALPHABET.iter().zip(0..);
    let place = places.find_map(|(known, place)| (*known == character).then_some(place));
    place.unwrap_or(0)
}

fn sigma(x: f64) -> f64 {
    if x == 1.0 {
        return f64::INFINITY;
    }
    let (mut power, mut weight, mut sum) = (x, 1.0, x);
    loop {
        power *= power;
        let before = sum;
        sum += power * weight;
        weight += weight;
        if sum == before {
            return sum;
        }
    }
}

fn tau(x: f64) -> f64 {
    if x == 0.0 || x == 1.0 {
        return 0.0;
    }
    let (mut root, mut weight, mut sum) = (x, 1.0, 1.0 - x);
    loop {
        root = root.sqrt();
        let before = sum;
        weight *= 0.5;
        sum -= (1.0 - root) * (1.0 - root) * weight;
        if sum == before {
            return sum / 3.0;
        }
    }
}
