/** The admin on a page of its own, as the embedded host serves it. */
import "../styles/app.css";
import "../styles/index.css";
import { createRoot } from "react-dom/client";
import type { AdminOptions } from "../types/options.d.ts";
import { Admin } from "./admin.tsx";

const place = document.getElementById("admin");
const options = document.querySelector<HTMLMetaElement>('meta[name="cf-forms-admin"]')?.content;
// The page is the host's own, made from these very types.
if (place !== null && options !== undefined)
  createRoot(place).render(<Admin {...(JSON.parse(options) as AdminOptions)} />);
