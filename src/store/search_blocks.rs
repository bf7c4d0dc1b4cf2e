//! Searches on PostgreSQL in the order of ids, which its index of words does not know: a look into it
//! gives all that has the words, however many. So it is asked for a block of ids at a time, from where
//! the list begins until the page is full.
//!
//! Blocks have five sizes, each 16 times the one below it; a submission's are in its column `blocks`,
//! which the index has beside the words. A list begins with a block of the least size and goes on with
//! ever larger ones, since words that the last block hardly had will be rare in the next. Where words
//! are many after all (those of a form that is closed now, say), a sample of each larger block tells:
//! one in so many of its ids, by a second number in `blocks`. Such a block is not read; blocks inside it
//! are. Only words of which each is frequent and that do not occur together make a look long, because
//! their lists are gone through side by side.

use super::Bindings;
use super::pages::IdEdges;
use super::search::SearchQuery;

/// The ids of a block of the least size have all bits in common but so many. As the migration
/// `search_blocks` has it.
const BITS: &str = "8";

/// How many bits the next size has more.
const MORE_BITS: &str = "4";

/// The greatest size; the least is 0.
const LARGEST: &str = "4";

/// Of how many ids one is in the sample, by size from 1. As the migration has it.
const SAMPLED: &str = "ARRAY[17, 257, 1021, 4093]";

/// From this size on a few ids are looked at before the sample: that of words which most submissions have
/// goes through much of their lists.
const ROUGHLY: &str = "3";

/// A block that has about more than so many submissions is not read as a whole.
const MANY: &str = "250";

/// Which part of a search's ids is wanted, in their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Whether the greatest comes first.
    pub descending: bool,
    /// The id after which it begins.
    pub after: Option<i64>,
    /// How many ids.
    pub limit: i64,
    /// How far the ids from there on are counted at least, beyond the limit if need be.
    pub counted: i64,
}

/// What follows FROM, under the name `found`, to read this part of the ids (`rowid`) that are asked for,
/// between the edges of a range of time. In each row `reached` says how many were counted.
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
    // Each is a condition of its own, so that the lists of all of them and of the block are leapt through
    // in step: of one condition the next match would be looked for beyond the block.
    let matches = (0..queries.len()).map(|n| format!("found.words @@ (SELECT q{n} FROM query)"));
    let matches = matches.collect::<Vec<_>>().join(" AND ");
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
    let limit = bindings.integer(part.limit);
    let counted = bindings.integer(part.limit.max(part.counted));
    // The rows of the range, whose edges are only about where it begins and ends.
    let (joined, within) = match edges.exact.as_slice() {
        [] => ("", String::new()),
        exact => (
            " CROSS JOIN cf_submissions s",
            format!(" AND s.id = found.rowid AND {}", exact.join(" AND ")),
        ),
    };
    // How many bits the ids of a block of a size have for themselves.
    let bits = |size: &str| format!("({BITS} + {MORE_BITS} * {size})");
    let (own_bits, next_bits, dense_bits) = (
        bits("walk.size"),
        bits("next.size"),
        bits("walk.dense_size"),
    );
    let (first, past, goes_on, remaining, order) = if part.descending {
        (
            "greatest",
            format!("(walk.id >> {own_bits} << {own_bits}) - 1"),
            "next.id >= (SELECT least FROM bounds)",
            "found.rowid + 0 BETWEEN (SELECT least FROM bounds) AND walk.id",
            "DESC",
        )
    } else {
        (
            "least",
            format!("(walk.id >> {own_bits}) + 1 << {own_bits}"),
            "next.id <= (SELECT greatest FROM bounds)",
            "found.rowid + 0 BETWEEN walk.id AND (SELECT greatest FROM bounds)",
            "ASC",
        )
    };
    // Of an empty index there are no bounds: GREATEST and LEAST pass over what is NULL, and would leave the
    // edges of a range, be it all numbers. Each row of `walk` is a step to the block of a size that has an id: to read it from there on, or,
    // if it `is_dense`, to go on inside it. `dense_size` is the size of the least block around it that
    // is known to be dense. A join that is LATERAL takes the blocks in their order, and no further one
    // once the limit is reached. A sum (`rowid + 0`) is in no index: the planner shall not walk all ids.
    format!(
        "(SELECT rowid, COUNT(*) OVER () AS reached FROM (\
         WITH RECURSIVE query AS MATERIALIZED (SELECT {query}), \
         bounds AS MATERIALIZED (SELECT GREATEST({least}) AS least, LEAST({greatest}) AS greatest \
           WHERE EXISTS (SELECT 1 FROM cf_submission_search)), \
         walk (id, size, is_dense, dense_size) AS (\
           SELECT {first}, 0, false, {LARGEST} + 1 FROM bounds \
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
             ELSE {LARGEST} + 1 END AS size) dense \
           CROSS JOIN LATERAL (SELECT CASE WHEN walk.is_dense THEN walk.id ELSE past.id END AS id, \
             CASE WHEN walk.is_dense THEN walk.size - 1 ELSE LEAST(walk.size + 1, dense.size - 1) END AS size, \
             dense.size AS dense_size) next \
           WHERE {goes_on}) \
         SELECT block.rowid FROM walk CROSS JOIN LATERAL (\
           SELECT found.rowid FROM cf_submission_search found{joined} \
           WHERE {matches} AND found.blocks @> ARRAY[(walk.id >> {own_bits}) * 16 + walk.size] AND {remaining}{within} \
           ORDER BY found.rowid + 0 {order} LIMIT {counted}) block \
         WHERE NOT walk.is_dense LIMIT {counted}) counted LIMIT {limit}) found"
    )
}
