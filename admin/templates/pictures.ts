/** Pictures of the templates. Empty in the source: the build fills them in (scripts/template-pictures.mjs). */

/** The visitor's style, for an image. */
export const style: string = "";

/** Forms as visitors see them, as XML, by the template's id and the language. */
export const pictures: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
