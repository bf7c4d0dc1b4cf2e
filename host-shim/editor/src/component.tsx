/** The admin as a React component, for hosts whose pages are React's. */
import "../styles/index.css";

export type * from "../types/options.d.ts";
export { Admin as FormsAdmin } from "./admin.tsx";
