/** What `npm start` runs. */
import { runCommand } from "./command.ts";

process.exit(await runCommand(["start"]));
