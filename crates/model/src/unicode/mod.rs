//! Unicode beyond the standard library: general categories, scripts, case, folding for comparison, and domain names
//! in ASCII. `scripts/unicode-tables.ts` generates the tables and explains their formats.

pub mod case;
pub mod category;
pub mod domain;
pub mod fold;
mod punycode;

/// Reads the numbers of a table, one after another; returns 0 after the end.
struct Numbers<'t> {
    bytes: std::slice::Iter<'t, u8>,
}

impl<'t> Numbers<'t> {
    fn of(table: &'t [u8]) -> Numbers<'t> {
        Numbers {
            bytes: table.iter(),
        }
    }

    fn is_at_end(&self) -> bool {
        self.bytes.len() == 0
    }

    fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    fn text(&mut self, length: u8) -> String {
        let bytes: Vec<u8> = (0..length).map(|_| self.byte()).collect();
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Reads a number in groups of 7 bits, the lowest first (LEB128).
    fn number(&mut self) -> u32 {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            value |= u32::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 || shift > 21 {
                return value;
            }
        }
    }

    /// Reads a zigzag-encoded distance, and returns the number at that distance from `base`.
    fn from(&mut self, base: u32) -> u32 {
        let written = self.number();
        let distance = written / 2;
        if written.is_multiple_of(2) {
            base.wrapping_add(distance)
        } else {
            base.wrapping_sub(distance).wrapping_sub(1)
        }
    }
}
