/** Entry point of the admin as a standalone page, which the embedded host serves. */
import "../styles/app.css";
import "../styles/index.css";
import { createRoot } from "react-dom/client";
import type { AdminOptions } from "../types/options.d.ts";
import { Admin } from "./admin.tsx";

const container = document.getElementById("admin");
const options = document.querySelector<HTMLMetaElement>('meta[name="cf-forms-admin"]')?.content;
// The embedded host writes these options from the same type, so they are not checked again.
if (container !== null && options !== undefined)
  createRoot(container).render(<Admin {...(JSON.parse(options) as AdminOptions)} />);
