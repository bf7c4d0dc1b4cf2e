/** The table of hosts that `npm run test:hosts` prints, from the results of its tests. */

/** @typedef {{ host: string, column: string, event: "declared" | "passed" }} HostEvent */

const COLUMNS = ["install", "REST", "visitors", "files", "mail", "queue", "sign-in", "admin"];

/**
 * Returns the table's lines: `yes` where all tests of a cell passed, `NO` where one did not, `-` where there are none.
 *
 * @param {readonly HostEvent[]} events
 * @returns {string[]}
 */
export function hostTable(events) {
  const rows = hostRows(events);
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/**
 * Returns the page with the table between its markers `<!-- hosts -->` and `<!-- end -->`.
 *
 * @param {string} page
 * @param {readonly HostEvent[]} events
 */
export function withHostTable(page, events) {
  const [titles = [], ...rows] = hostRows(events);
  const lines = [titles, titles.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  return page.replace(
    /(<!-- hosts -->\n)[\s\S]*?(<!-- end -->)/,
    (_, start, end) => `${start}${lines.join("\n")}\n${end}`,
  );
}

/**
 * @param {readonly HostEvent[]} events
 * @returns {string[][]}
 */
function hostRows(events) {
  const hosts = [...new Set(events.map(({ host }) => host))].sort((a, b) => a.localeCompare(b));
  return [["host", ...COLUMNS], ...hosts.map((host) => [host, ...COLUMNS.map((column) => cell(events, host, column))])];
}

/** @param {readonly HostEvent[]} events @param {string} host @param {string} column */
function cell(events, host, column) {
  const count = (/** @type {string} */ event) =>
    events.filter((found) => found.host === host && found.column === column && found.event === event).length;
  if (count("declared") === 0) return "-";
  return count("passed") === count("declared") ? "yes" : "NO";
}
