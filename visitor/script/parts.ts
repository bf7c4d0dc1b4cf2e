/** Loads the parts of the script that only some forms need. The build names their files (scripts/visitor-assets.mjs). */
import { source } from "./script-source.ts";

/** The parts by name. */
interface Parts {
  readonly aids: typeof import("./aids.ts");
  readonly calculations: typeof import("./calculations.ts");
  readonly captcha: typeof import("./captcha.ts");
  readonly conversation: typeof import("./conversation.ts");
  readonly lists: typeof import("./lists.ts");
  readonly phones: typeof import("./phones.ts");
  readonly "piped-answers": typeof import("./piped-answers.ts");
  readonly resume: typeof import("./resume.ts");
  readonly rows: typeof import("./rows.ts");
  readonly signature: typeof import("./signature.ts");
  readonly ranking: typeof import("./ranking.ts");
  readonly steps: typeof import("./steps.ts");
  readonly uploads: typeof import("./uploads.ts");
}

/** File names of the parts, inserted by scripts/visitor-assets.mjs. */
declare const PARTS: Readonly<Record<keyof Parts, string>>;

/** Loads a part; undefined when it cannot be loaded, so that the form works without it. */
export async function loadPart<Name extends keyof Parts>(name: Name): Promise<Parts[Name] | undefined> {
  // A script without an address is bundled into another script, so the parts' address is unknown.
  if (source === "") return undefined;
  try {
    return (await import(new URL(PARTS[name], source).href)) as Parts[Name];
  } catch (error) {
    console.error(error);
    return undefined;
  }
}
