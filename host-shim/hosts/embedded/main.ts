/** Entry of `npm start`. */
import { runCommand } from "./command.ts";

process.exit(await runCommand(["start", ...process.argv.slice(2)]));
