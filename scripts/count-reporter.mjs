/**
 * A reporter for Node's test runner. Writes one line of JSON: for each test file, the numbers of passed and failed
 * tests, and the skipped tests with their reasons. A skip without a reason is a failure.
 *
 * @param {AsyncIterable<import("node:test/reporters").TestEvent>} events
 */
export default async function* count(events) {
  /** @type {Record<string, import("./test.mjs").Counts>} */
  const files = {};
  for await (const event of events) {
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { name, skip, todo, details, file = "" } = event.data;
    // A suite counts by its tests, unless the suite itself was skipped.
    if (details.type === "suite" && skip === undefined) continue;
    const counts = (files[file] ??= { passed: 0, failed: 0, skipped: [] });
    const reason = skip ?? todo;
    if (typeof reason === "string" && reason !== "") {
      counts.skipped.push(`${name}: ${reason}`);
    } else if (reason !== undefined) {
      console.error(`${name}: skipped without a reason`);
      counts.failed += 1;
    } else if (event.type === "test:fail") {
      counts.failed += 1;
    } else {
      counts.passed += 1;
    }
  }
  yield `${JSON.stringify(files)}\n`;
}
