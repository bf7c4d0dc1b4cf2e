/** File of an export of forms. */
import type { FormExport } from "../../../client/index.ts";

export const exportFile = (content: FormExport): Blob =>
  new Blob([JSON.stringify(content, null, 2)], { type: "application/json" });
