#!/usr/bin/env node
// The command line of the embedded host: `npx cf-forms app-password <user> <name>` and the like.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(`cf-forms: needs Node 24.7 or later for node:sqlite, this is ${process.version}`);
  process.exit(1);
}
const { runCommand } = await import("cf-forms/hosts/embedded/command");
process.exit(await runCommand(process.argv.slice(2)));
