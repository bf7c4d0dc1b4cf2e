//! Choices made from bytes: what the generators of documents and schemas are driven by. Property
//! tests make the bytes by chance and shrink them; the fuzzer (`fuzz/`) grows them by coverage.

/// A source of choices. Where the bytes end, every choice is the first one.
pub struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
}

impl<'b> Choices<'b> {
    pub fn of(bytes: &'b [u8]) -> Choices<'b> {
        Choices {
            bytes: bytes.iter(),
        }
    }

    /// A number less than `end`, which is at most 256.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end
    }

    pub fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or_default()
    }

    /// Whether something happens that happens `times` out of `of`.
    pub fn is_one_of(&mut self, times: usize, of: usize) -> bool {
        of - self.below(of) <= times
    }

    pub fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }

    /// Picked texts in a row, fewer than `end`.
    pub fn join(&mut self, list: &[&str], end: usize) -> String {
        (0..self.below(end)).map(|_| *self.pick(list)).collect()
    }
}
