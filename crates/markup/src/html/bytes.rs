//! Sets of bytes, which a table tells quicker than one comparison after another.

/// A set of bytes.
pub(super) struct ByteSet([bool; 256]);

impl ByteSet {
    /// The set of these bytes.
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
    pub(super) const fn of(mut bytes: &[u8]) -> ByteSet {
        let mut set = [false; 256];
        while let [byte, rest @ ..] = bytes {
            set[*byte as usize] = true;
            bytes = rest;
        }
        ByteSet(set)
    }

    /// The set with those in it too that are less than a space, but for tab and line feed.
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
    pub(super) const fn and_controls(mut self) -> ByteSet {
        let mut byte = 0;
        while byte < b' ' {
            self.0[byte as usize] |= !matches!(byte, b'\t' | b'\n');
            byte += 1;
        }
        self
    }

    /// Whether a byte is in the set.
    #[inline(always)]
    pub(super) fn has(&self, byte: u8) -> bool {
        self.0.get(byte as usize).copied().unwrap_or_default()
    }

    /// How many bytes come before the first of the set.
    #[inline(always)]
    pub(super) fn position(&self, bytes: &[u8]) -> Option<usize> {
        bytes.iter().position(|byte| self.has(*byte))
    }
}
