//! Choices made from bytes, which drive the generators of documents and schemas. Property tests generate random bytes
//! and shrink them; the fuzzer (`fuzz/`) grows them by coverage.

/// A source of choices. After the last byte, every choice is the first one.
pub struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
}

impl<'b> Choices<'b> {
    pub fn of(bytes: &'b [u8]) -> Choices<'b> {
        Choices {
            bytes: bytes.iter(),
        }
    }

    /// Returns a number less than `end`, which is at most 256.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    pub fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or_default()
    }

    /// Returns true in `times` out of `of` cases.
    pub fn is_one_of(&mut self, times: usize, of: usize) -> bool {
        of - self.below(of) <= times
    }

    pub fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }

    /// Joins fewer than `end` picked texts.
    pub fn join(&mut self, list: &[&str], end: usize) -> String {
        (0..self.below(end)).map(|_| *self.pick(list)).collect()
    }
}
