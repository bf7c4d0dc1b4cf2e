//! Fuzz tests with mutated inputs: frames, imports, drafts, texts, schemas, edits. Each target runs for two seconds, or
//! for `CF_FUZZ_SECONDS` (`npm run fuzz`), from `CF_SEED`. `fuzz/` runs the same checks guided by coverage.

use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::fuzzed_drafts::Drafts;
use crate::fuzzed_frames::{self, Frames};
use crate::fuzzed_imports::{self, Imports};
use crate::mutations::{Random, Shape, mutated};
use crate::{fuzzed_readers, markup_edit_laws, markup_fuzzed_schemas, markup_fuzzed_texts};

/// Time after which the check of one input counts as hung, even on a busy machine.
const HUNG: Duration = Duration::from_secs(30);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

fn from_environment(name: &str, default: u64) -> u64 {
    let stated = std::env::var(name).ok();
    stated.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// File with the input under test, which remains if the check panics, aborts or hangs.
struct Checked {
    file: File,
    path: PathBuf,
    /// Number of checked inputs. The watchdog aborts the process if it stops rising.
    inputs: Arc<AtomicU64>,
}

impl Checked {
    fn new(target: &str, seed: u64) -> Checked {
        let folder = folder().join("artifacts");
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{target}-{seed}"));
        let checked = Checked {
            file: File::create(&path).unwrap(),
            path,
            inputs: Arc::default(),
        };
        checked.watch();
        checked
    }

    /// Aborts the process when a check hangs, because a thread cannot be stopped.
    fn watch(&self) {
        let (inputs, path) = (Arc::downgrade(&self.inputs), self.path.clone());
        std::thread::spawn(move || {
            let mut seen = (u64::MAX, Instant::now());
            while let Some(inputs) = inputs.upgrade() {
                let count = inputs.load(Ordering::Relaxed);
                drop(inputs);
                if seen.0 != count {
                    seen = (count, Instant::now());
                } else if seen.1.elapsed() > HUNG {
                    eprintln!("an input hung: {}", path.display());
                    std::process::abort();
                }
                std::thread::sleep(Duration::from_millis(200));
            }
        });
    }

    /// Checks an input; returns whether it was accepted.
    fn check(&mut self, input: &[u8], check: &mut dyn FnMut(&[u8]) -> bool) -> bool {
        self.file.rewind().unwrap();
        self.file.write_all(input).unwrap();
        self.file.set_len(input.len() as u64).unwrap();
        self.inputs.fetch_add(1, Ordering::Relaxed);
        check(input)
    }
}

impl Drop for Checked {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the input that failed: {}", self.path.display());
        } else {
            drop(std::fs::remove_file(&self.path));
        }
    }
}

/// Reads the inputs of a target in `fuzz/corpus`.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(folder().join("corpus").join(target)) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

/// Checks the seeds and the corpus unchanged, then mutations of them until the time is over.
fn run(target: &str, mut seeds: Vec<Vec<u8>>, shape: Shape, mut check: impl FnMut(&[u8]) -> bool) {
    let until = Instant::now() + Duration::from_secs(from_environment("CF_FUZZ_SECONDS", 2));
    let seed = from_environment("CF_SEED", 20_261_121);
    seeds.extend(corpus(target));
    let mut checked = Checked::new(target, seed);
    let mut taken = 0;
    for input in &seeds {
        taken += u64::from(checked.check(input, &mut check));
    }
    let mut random = Random(seed);
    let mut slowest = Duration::ZERO;
    while Instant::now() < until {
        let input = mutated(&mut random, &seeds, shape);
        let start = Instant::now();
        taken += u64::from(checked.check(&input, &mut check));
        slowest = slowest.max(start.elapsed());
    }
    let inputs = checked.inputs.load(Ordering::Relaxed);
    // The leading newline separates the output from the test runner's line.
    println!("\n{target}: {inputs} inputs, {taken} taken, the slowest took {slowest:.0?}");
}

#[test]
fn frames_are_read_or_rejected() {
    let mut frames = Frames::new();
    run("frames", fuzzed_frames::seeds(), Shape::Frame, |input| {
        frames.check(input)
    });
}

#[test]
fn imports_are_read_or_rejected() {
    let mut imports = Imports::new();
    run("imports", fuzzed_imports::seeds(), Shape::Json, |input| {
        imports.check(input)
    });
}

#[test]
fn files_are_read_in_parts_or_rejected() {
    run(
        "readers",
        fuzzed_imports::seeds(),
        Shape::Json,
        fuzzed_readers::check,
    );
}

#[test]
fn drafts_are_published_or_rejected() {
    let mut drafts = Drafts::new();
    run("drafts", Drafts::seeds(), Shape::Json, |input| {
        drafts.check(input)
    });
}

#[test]
fn any_text_is_parsed_as_a_form() {
    run("parse", Vec::new(), Shape::Bytes, |input| {
        markup_fuzzed_texts::check(&String::from_utf8_lossy(input));
        true
    });
}

#[test]
fn any_schema_round_trips_through_html() {
    run(
        "render",
        Vec::new(),
        Shape::Bytes,
        markup_fuzzed_schemas::check,
    );
}

#[test]
fn any_edit_of_any_text_has_the_requested_effect() {
    run("patch", Vec::new(), Shape::Bytes, |input| {
        markup_edit_laws::check(input).is_some()
    });
}
