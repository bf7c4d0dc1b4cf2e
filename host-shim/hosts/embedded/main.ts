/** Entry of `npm start`. */
import { runCommand } from "./command.ts";

process.exit(await runCommand(["start"]));
