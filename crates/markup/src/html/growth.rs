//! How lists grow that may become as long as the document.

/// The length from which it matters.
const LONG: usize = 128;

/// As `push`. A long list that is full grows by what the rest of the document lets expect, instead
/// of to twice its length: while its content moves, both its places are held, and what it does not
/// fill in the end is held too. `read` of `length` bytes are read.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T, read: usize, length: usize) {
    push_up_to(usize::MAX, list, item, read, length);
}

/// As [`push`], for a list that never holds more than `most`.
pub(crate) fn push_up_to<T>(most: usize, list: &mut Vec<T>, item: T, read: usize, length: usize) {
    if list.len() == list.capacity() && list.len() >= LONG {
        let dense = list.len().saturating_mul(list.len() / 4);
        make_room((most, dense), list, read, length);
    }
    list.push(item);
}

/// As [`push_up_to`], for a list of great items that is filled so evenly that it should not move again.
pub(crate) fn push_evenly<T>(most: usize, list: &mut Vec<T>, item: T, read: usize, length: usize) {
    if list.len() == list.capacity() && list.len() >= LONG {
        make_room((most, most), list, read, length);
    }
    list.push(item);
}

#[cold]
fn make_room<T>((most, dense): (usize, usize), list: &mut Vec<T>, read: usize, length: usize) {
    let held = list.len();
    let expected = (held as u64 + 1)
        .saturating_mul(length.saturating_sub(read) as u64)
        .checked_div(read as u64)
        .and_then(|more| usize::try_from(more + more / 32).ok())
        .unwrap_or(held);
    // No less than an eighth, so that all moves together take linear time; no more than what one
    // dense place would make of a document, where the places are few.
    let room = expected.clamp(held / 8, dense.max(held / 8));
    list.reserve_exact(room.min(most.saturating_sub(held)).max(1));
}

#[cfg(test)]
mod tests {
    use super::push;

    #[test]
    fn a_list_takes_little_more_than_what_a_document_fills_evenly() {
        let mut list = Vec::new();
        let mut moves = 0;
        for n in 0..1_000_000 {
            let room = list.capacity();
            push(&mut list, n, (n + 1) * 5, 5_000_000);
            moves += usize::from(list.capacity() != room);
        }
        assert!(list.capacity() < 1_050_000, "{}", list.capacity());
        assert!(moves < 20, "{moves}");
    }

    #[test]
    fn a_list_that_fills_late_moves_in_linear_time() {
        let mut list = Vec::new();
        let mut moved = 0;
        for n in 0..1_000_000 {
            let room = list.capacity();
            push(&mut list, n, 5_000_000, 5_000_000);
            moved += if list.capacity() == room { 0 } else { n };
        }
        assert!(moved < 10_000_000, "{moved}");
        assert!(list.capacity() < 1_130_000, "{}", list.capacity());
    }
}
