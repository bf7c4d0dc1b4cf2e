/**
 * A reporter for Node's test runner that writes, as one line of JSON, how many tests passed and
 * failed, and which were skipped and why. A skip without a reason counts as a failure.
 *
 * @param {AsyncIterable<import("node:test/reporters").TestEvent>} events
 */
export default async function* count(events) {
  let passed = 0;
  let failed = 0;
  /** @type {string[]} */
  const skipped = [];
  for await (const event of events) {
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { name, skip, todo, details } = event.data;
    // A group of tests counts by its members, unless the group itself was skipped.
    if (details.type === "suite" && skip === undefined) continue;
    const reason = skip ?? todo;
    if (typeof reason === "string" && reason !== "") {
      skipped.push(`${name}: ${reason}`);
    } else if (reason !== undefined) {
      console.error(`${name}: skipped without a reason`);
      failed += 1;
    } else if (event.type === "test:fail") {
      failed += 1;
    } else {
      passed += 1;
    }
  }
  yield `${JSON.stringify({ passed, failed, skipped })}\n`;
}
