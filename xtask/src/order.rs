//! Puts similar functions next to each other, so that the compressed module is a twelfth smaller.
//!
//! gzip finds repeats only in the last 32 KB. The instances of one generic function share most of their code, but the
//! compiler scatters them; a greedy order brings them together.

use std::collections::HashMap;

use anyhow::{Context, Result};
use wasm_encoder::{Module, NameMap, NameSection, RawSection};
use wasmparser::{Parser, Payload, TypeRef};

/// Length of the pieces of code by which functions are compared, in bytes.
const PIECE_BYTES: usize = 6;

/// The bytes of code before a function that gzip still considers.
const WINDOW: usize = 30_000;

/// Maximum number of functions that contain a piece. More common pieces are ignored, because they say little about
/// similarity.
const MAX_FUNCTIONS_OF_PIECE: usize = 400;

/// The weight of a piece that a single function contains. Weights are whole numbers, so that sums are exact, and builds
/// repeatable.
const FULL_WEIGHT: f64 = 10_000.0;

/// Names the functions of a module so that their alphabetical order brings similar ones together.
/// `wasm-opt --reorder-functions-by-name` then moves them.
///
/// # Errors
/// Fails for bytes that are not a module.
pub fn name_by_likeness(module: &[u8]) -> Result<Vec<u8>> {
    let mut named = Module::new();
    let mut imported = 0;
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        match &payload {
            Payload::ImportSection(imports) => {
                for import in imports.clone().into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
        if let Some((id, range)) = payload.as_section() {
            let data = module
                .get(range)
                .context("a section ends after the module")?;
            named.section(&RawSection { id, data });
        }
    }
    let mut places = vec![0; bodies.len()];
    for (place, function) in order(&bodies).into_iter().enumerate() {
        places[function] = place;
    }
    let mut functions = NameMap::new();
    for (index, place) in (imported..).zip(places) {
        functions.append(index, &format!("{place:06}"));
    }
    let mut names = NameSection::new();
    names.functions(&functions);
    named.section(&names);
    Ok(named.finish())
}

/// Orders the functions: the longest first, then always the one that shares most of its pieces with the last
/// [`WINDOW`] bytes. Rare pieces have more weight.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let mut window = Window::of(bodies);
    let mut left: Vec<usize> = (0..bodies.len()).collect();
    left.sort_by_key(|function| bodies[*function].len());
    let mut placed: Vec<usize> = Vec::with_capacity(bodies.len());
    let (mut oldest, mut bytes) = (0, 0);
    let mut next = left.pop();
    while let Some(function) = next {
        window.enter(function);
        placed.push(function);
        bytes += bodies[function].len();
        while bytes > WINDOW && placed[oldest] != function {
            window.leave(placed[oldest]);
            bytes -= bodies[placed[oldest]].len();
            oldest += 1;
        }
        let likeness = |place: &usize| window.likeness(left[*place]);
        let best = (0..left.len()).max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        next = best.map(|place| left.swap_remove(place));
    }
    placed
}

/// The functions that gzip still considers, and the pieces that other functions share with them.
struct Window {
    /// The pieces of each function that other functions have too.
    pieces: Vec<Vec<usize>>,
    /// The functions that have each piece.
    functions_of_piece: Vec<Vec<usize>>,
    /// The number of functions in the window with each piece.
    counts: Vec<u32>,
    /// The weight of each piece: the more functions have it, the less it says about similarity.
    weights: Vec<u64>,
    /// The weight of the pieces that each function shares with the window.
    shared: Vec<u64>,
    /// The number of pieces of each function, unique ones included, to the power 0.9.
    lengths: Vec<f64>,
}

impl Window {
    fn of(bodies: &[&[u8]]) -> Self {
        let mut by_piece: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut lengths = Vec::with_capacity(bodies.len());
        for (function, body) in bodies.iter().enumerate() {
            let distinct = distinct_pieces(body);
            // The exponent prefers the longer of two equally similar functions.
            lengths.push((distinct.len() as f64).powf(0.9));
            for piece in distinct {
                by_piece.entry(piece).or_default().push(function);
            }
        }
        by_piece.retain(|_, functions| (2..=MAX_FUNCTIONS_OF_PIECE).contains(&functions.len()));
        let functions_of_piece: Vec<Vec<usize>> = by_piece.into_values().collect();
        let mut pieces = vec![Vec::new(); bodies.len()];
        for (piece, functions) in functions_of_piece.iter().enumerate() {
            functions
                .iter()
                .for_each(|function| pieces[*function].push(piece));
        }
        let weights = functions_of_piece
            .iter()
            .map(|functions| (FULL_WEIGHT / (functions.len() as f64).sqrt()) as u64)
            .collect();
        let counts = vec![0; functions_of_piece.len()];
        let shared = vec![0; bodies.len()];
        Self {
            pieces,
            functions_of_piece,
            counts,
            weights,
            shared,
            lengths,
        }
    }

    fn enter(&mut self, function: usize) {
        for piece in &self.pieces[function] {
            self.counts[*piece] += 1;
            if self.counts[*piece] == 1 {
                self.functions_of_piece[*piece]
                    .iter()
                    .for_each(|function| self.shared[*function] += self.weights[*piece]);
            }
        }
    }

    fn leave(&mut self, function: usize) {
        for piece in &self.pieces[function] {
            self.counts[*piece] -= 1;
            if self.counts[*piece] == 0 {
                self.functions_of_piece[*piece]
                    .iter()
                    .for_each(|function| self.shared[*function] -= self.weights[*piece]);
            }
        }
    }

    fn likeness(&self, function: usize) -> f64 {
        self.shared[function] as f64 / self.lengths[function]
    }
}

/// The distinct pieces of a function's code.
fn distinct_pieces(body: &[u8]) -> Vec<u64> {
    let mut pieces: Vec<u64> = body
        .windows(PIECE_BYTES.min(body.len()))
        .map(|piece| {
            piece
                .iter()
                .fold(0, |number, byte| number << 8 | u64::from(*byte))
        })
        .collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}
