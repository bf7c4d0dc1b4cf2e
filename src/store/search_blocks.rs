//! Searches on PostgreSQL in the order of ids. PostgreSQL's search index is unordered: a lookup returns all matches,
//! however many there are. So a search reads the ids block by block, from the start of the list until the page is full.
//!
//! Blocks have five sizes, each 16 times the previous one. The indexed column `blocks` contains the numbers of the
//! blocks that a submission is in. A search begins with the smallest block and continues with ever larger ones, since
//! words that were rare in the last block are probably rare in the next. But the next block may contain many matches,
//! for example those of a form that is closed now. So a search first reads a sample of each larger block: a fixed share
//! of the ids, marked by a second number in `blocks`. A block that the sample shows to be dense is read in smaller
//! blocks. A lookup is slow only for words that are each frequent but do not occur together, because PostgreSQL walks
//! their posting lists in parallel.

use super::Bindings;
use super::id_edges::IdEdges;
use super::search::SearchQuery;

/// Binary logarithm of the smallest block's size: the ids of such a block differ only in this many low bits. The
/// migration `search_blocks` uses the same number.
const BITS: &str = "8";

/// The number of bits by which each size exceeds the previous one.
const MORE_BITS: &str = "4";

/// The largest size; the smallest is 0.
const MAX_SIZE: &str = "4";

/// Sampling intervals of the sizes from 1, as in the migration. An interval of 17 means that one id in 17 is in the
/// sample.
const SAMPLED: &str = "ARRAY[17, 257, 1021, 4093]";

/// The size from which a search checks a few ids before the sample, since sampling frequent words is slow.
const ROUGHLY: &str = "3";

/// The estimated number of matches beyond which a block counts as dense.
const MANY: &str = "250";

/// The part of a search's ids to read, in the list's order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Whether the order is descending.
    pub descending: bool,
    /// The id after which the part begins.
    pub after: Option<i64>,
    /// The number of ids.
    pub limit: i64,
    /// The number of ids to count, if it is greater than the limit.
    pub counted: i64,
}

/// The FROM source `found` that reads a part of a search's ids (`rowid`) between the edges of a time range. Each row's
/// `reached` is the number of counted ids. The `LATERAL` join reads the blocks of the walk in order and stops at the
/// limit. The sum `rowid + 0` prevents the planner from walking the index of all ids.
pub(super) fn ids(
    bindings: &mut Bindings,
    search_query: &SearchQuery<'_>,
    edges: &IdEdges,
    part: &Part,
) -> String {
    let queries = search_query.bind_postgres_queries(bindings);
    let query = queries
        .iter()
        .enumerate()
        .map(|(n, query)| format!("{query} AS q{n}"));
    let query = query.collect::<Vec<_>>().join(", ");
    // With separate conditions, the index advances the posting lists of all words together with that of the block. With
    // a combined condition, it would search for the next match beyond the block.
    let matches = (0..queries.len()).map(|n| format!("found.words @@ (SELECT q{n} FROM query)"));
    let matches = matches.collect::<Vec<_>>().join(" AND ");
    let bounds = bounds(bindings, edges, part);
    let limit = bindings.integer(part.limit);
    let counted = bindings.integer(part.limit.max(part.counted));
    // The edges of the range are approximate, so check the time of the rows, too.
    let (joined, within) = match edges.exact.as_slice() {
        [] => ("", String::new()),
        exact => (
            " CROSS JOIN cf_submissions s",
            format!(" AND s.id = found.rowid AND {}", exact.join(" AND ")),
        ),
    };
    let direction = Direction::of(part.descending);
    let walk = walk(&matches, &direction);
    let Direction {
        remaining, order, ..
    } = direction;
    let block_bits = differing_bits("walk.size");
    format!(
        "(SELECT rowid, COUNT(*) OVER () AS reached FROM (\
         WITH RECURSIVE query AS MATERIALIZED (SELECT {query}), {bounds}, {walk} \
         SELECT block.rowid FROM walk CROSS JOIN LATERAL (\
           SELECT found.rowid FROM cf_submission_search found{joined} \
           WHERE {matches} AND found.blocks @> ARRAY[(walk.id >> {block_bits}) * 16 + walk.size] AND {remaining}{within} \
           ORDER BY found.rowid + 0 {order} LIMIT {counted}) block \
         WHERE NOT walk.is_dense LIMIT {counted}) counted LIMIT {limit}) found"
    )
}

/// The table `bounds` of a search: the least and the greatest id to find. For an empty index the table is empty, since
/// `GREATEST` and `LEAST` ignore NULL and would return the edges of the range.
fn bounds(bindings: &mut Bindings, edges: &IdEdges, part: &Part) -> String {
    let (mut least, mut greatest) = (
        vec!["(SELECT MIN(rowid) FROM cf_submission_search)".to_owned()],
        vec!["(SELECT MAX(rowid) FROM cf_submission_search)".to_owned()],
    );
    least.extend(edges.above.iter().map(|edge| format!("{edge} + 1")));
    greatest.extend(edges.below.iter().map(|edge| format!("{edge} - 1")));
    if let Some(after) = part.after {
        if part.descending {
            greatest.push(bindings.integer(after.saturating_sub(1)))
        } else {
            least.push(bindings.integer(after.saturating_add(1)))
        }
    }
    let (least, greatest) = (least.join(", "), greatest.join(", "));
    format!(
        "bounds AS MATERIALIZED (SELECT GREATEST({least}) AS least, LEAST({greatest}) AS greatest \
           WHERE EXISTS (SELECT 1 FROM cf_submission_search))"
    )
}

/// The SQL that depends on the order of the ids.
struct Direction {
    /// The column of `bounds` at which the walk begins.
    first: &'static str,
    /// The first id past the block of `walk`.
    past: String,
    /// The condition under which the walk continues to `next`.
    goes_on: &'static str,
    /// The condition for the ids that the walk has not passed.
    remaining: &'static str,
    order: &'static str,
}

impl Direction {
    fn of(descending: bool) -> Direction {
        let block_bits = differing_bits("walk.size");
        if descending {
            Direction {
                first: "greatest",
                past: format!("(walk.id >> {block_bits} << {block_bits}) - 1"),
                goes_on: "next.id >= (SELECT least FROM bounds)",
                remaining: "found.rowid + 0 BETWEEN (SELECT least FROM bounds) AND walk.id",
                order: "DESC",
            }
        } else {
            Direction {
                first: "least",
                past: format!("(walk.id >> {block_bits}) + 1 << {block_bits}"),
                goes_on: "next.id <= (SELECT greatest FROM bounds)",
                remaining: "found.rowid + 0 BETWEEN walk.id AND (SELECT greatest FROM bounds)",
                order: "ASC",
            }
        }
    }
}

/// The number of low bits in which the ids of a block of this size differ.
fn differing_bits(size: &str) -> String {
    format!("({BITS} + {MORE_BITS} * {size})")
}

/// The recursive table `walk` of a search. Each row is a step to the block of a size that contains an id. The search
/// reads the block from that id on or, if the block `is_dense`, walks it in smaller blocks. `dense_size` is the size of
/// the smallest surrounding block that is known to be dense.
fn walk(matches: &str, direction: &Direction) -> String {
    let Direction {
        first,
        past,
        goes_on,
        ..
    } = direction;
    let (next_bits, dense_bits) = (
        differing_bits("next.size"),
        differing_bits("walk.dense_size"),
    );
    format!(
        "walk (id, size, is_dense, dense_size) AS (\
           SELECT {first}, 0, false, {MAX_SIZE} + 1 FROM bounds \
           UNION ALL \
           SELECT next.id, next.size, CASE WHEN next.size = 0 THEN false \
             WHEN next.size >= {ROUGHLY} AND EXISTS (SELECT 1 FROM cf_submission_search found \
               WHERE {matches} AND found.blocks @> ARRAY[(next.id >> {next_bits}) * 16 + 10 + next.size]) THEN true \
             ELSE {MANY} < ({SAMPLED})[next.size] * (SELECT COUNT(*) FROM (SELECT 1 FROM cf_submission_search found \
               WHERE {matches} AND found.blocks @> ARRAY[(next.id >> {next_bits}) * 16 + 8 + next.size] \
               LIMIT {MANY}) hits) END, next.dense_size \
           FROM walk CROSS JOIN LATERAL (SELECT {past} AS id) past \
           CROSS JOIN LATERAL (SELECT CASE WHEN walk.is_dense THEN walk.size \
             WHEN walk.id >> {dense_bits} = past.id >> {dense_bits} THEN walk.dense_size \
             ELSE {MAX_SIZE} + 1 END AS size) dense \
           CROSS JOIN LATERAL (SELECT CASE WHEN walk.is_dense THEN walk.id ELSE past.id END AS id, \
             CASE WHEN walk.is_dense THEN walk.size - 1 ELSE LEAST(walk.size + 1, dense.size - 1) END AS size, \
             dense.size AS dense_size) next \
           WHERE {goes_on})"
    )
}
