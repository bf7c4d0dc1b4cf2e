/** Entry of `npx cf-forms`. */
import { runCommand } from "./command.ts";

process.exit(await runCommand(process.argv.slice(2)));
