/** Entry point of the admin as a standalone page, which the embedded host serves. */
import "../styles/app.css";
import "../styles/index.css";
import { createRoot } from "react-dom/client";
import type { AdminOptions } from "../types/options.d.ts";
import { Admin } from "./admin.tsx";
import { chosenLanguage } from "../shared/text/text.tsx";

const container = document.getElementById("admin");
const options = document.querySelector<HTMLMetaElement>('meta[name="cf-forms-admin"]')?.content;
if (container !== null && options !== undefined) {
  // The embedded host writes these options from the same type, so they are not checked again.
  const parsed = JSON.parse(options) as AdminOptions;
  // The page shows only the admin, so it has the admin's language. Choosing another reloads the page.
  document.documentElement.lang = chosenLanguage(parsed.language).code;
  createRoot(container).render(<Admin {...parsed} />);
}
