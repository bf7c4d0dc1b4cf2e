/** The collections that `getEmDashEntry` reads. */
import { defineLiveCollection } from "astro:content";
import { emdashLoader } from "emdash/runtime";

export const collections = { _emdash: defineLiveCollection({ loader: emdashLoader() }) };
