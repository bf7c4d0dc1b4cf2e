/** Edits that the outline and the preview offer as actions. All commands of one edit are one undo step. */
import type { Field } from "../../shared/draft/content.ts";
import type { Draft } from "../../shared/draft/draft.ts";
import { partsOf, type Target } from "../../shared/draft/tree.ts";
import type { Notices } from "../../shared/notices.ts";
import type { LanguageCode } from "../../shared/text/languages.ts";
import type { Translate } from "../../shared/text/text.tsx";
import type { PluginFieldType } from "./plugin-field-types.ts";
import { insertableFields, parseFields, serializeFields } from "./model/clipboard.ts";
import {
  fieldTitle,
  freeName,
  newFields,
  PALETTE,
  type PaletteEntry,
  titleOfName,
  typeName,
} from "../../shared/field-types.ts";
import { rowsOf, shiftedTarget } from "./model/rows.ts";
import { type Width, widthOf, withWidth } from "./model/width.ts";

/** The state that an edit reads and changes, as of the latest render. */
export interface EditContext {
  readonly editor: Draft;
  readonly onSelect: (keys: ReadonlySet<string>) => void;
  /** Field types of plugins. */
  readonly types: readonly PluginFieldType[];
  readonly language: LanguageCode;
}

/** Values that a field gets when it becomes hidden. */
const HIDDEN = {
  type: "hidden",
  required: false,
  options: [],
  conditions: [],
  validation: {},
  default_value: "",
  css_class: "",
  placeholder: "",
  description: "",
} as const;

/** Each edit is an arrow function, so that it works when it is detached from the object. */
export class FieldEdits {
  readonly #latest: { readonly current: EditContext };
  readonly #t: Translate;
  readonly #notices: Notices;
  /** Describes an edit to screen readers. */
  readonly #announce: (text: string) => void;
  /** Number of the current edit, whose commands share a merge key. */
  #number = 0;

  constructor(
    latest: { readonly current: EditContext },
    t: Translate,
    notices: Notices,
    announce: (text: string) => void,
  ) {
    this.#latest = latest;
    this.#t = t;
    this.#notices = notices;
    this.#announce = announce;
  }

  readonly insert = (added: readonly Field[], target: Target): void => this.#insert(added, target, null);

  readonly addType = (type: string, target: Target, beside: string | null = null): void => {
    const names = new Set(this.#fields().map(({ name }) => name));
    const known = PALETTE.find(({ id }) => id === type);
    const added = this.#latest.current.types.find(({ id }) => id === type);
    if (known !== undefined) this.#insert(this.#newFields(known, names), target, beside);
    else if (added !== undefined)
      this.#insert([{ ...added.field, name: freeName(added.label, names) }], target, beside);
  };

  readonly move = (names: readonly string[], target: Target, beside: string | null = null): void => {
    const moved = this.#existing(names);
    if (moved.length === 0) return;
    const mergeKey = this.#nextMergeKey();
    this.#run({ kind: "move", names: moved, target }, mergeKey);
    if (beside !== null && !moved.includes(beside))
      this.#setWidths([...moved, beside], this.#sharedWidth(beside), mergeKey);
    const name = moved.map((one) => this.#labelOf(one)).join(", ");
    this.#announce(this.#t("build.announceMoved", { name, where: this.#positionText(target) }));
  };

  readonly shift = (names: readonly string[], by: 1 | -1): void => {
    const rows = rowsOf(partsOf(this.#latest.current.editor.content.schema));
    const moved = rows.filter(({ field, id }) => field !== null && names.includes(id));
    const edge = moved.at(by === 1 ? -1 : 0);
    const target = edge === undefined ? null : shiftedTarget(rows, edge, by);
    if (target !== null) this.move(names, target);
  };

  readonly remove = (names: readonly string[]): void => {
    const removed = this.#existing(names);
    if (removed.length === 0) return;
    this.#run({ kind: "remove", names: removed });
    const text = this.#t("build.removed", { count: removed.length });
    this.#notices.showUndoable(text, () => this.#latest.current.editor.undo());
  };

  readonly hide = (kept: readonly string[], names: readonly string[]): void => {
    const mergeKey = this.#nextMergeKey();
    const removed = this.#existing(names).filter((name) => !kept.includes(name));
    for (const name of this.#existing(kept)) this.#run({ kind: "update", name, change: HIDDEN }, mergeKey);
    if (removed.length > 0) this.#run({ kind: "remove", names: removed }, mergeKey);
  };

  readonly setWidth = (names: readonly string[], width: Width): void =>
    this.#setWidths(names, width, this.#nextMergeKey());

  readonly serialize = (names: readonly string[]): string =>
    serializeFields(this.#fields().filter(({ name }) => names.includes(name)));

  readonly paste = (text: string, target: Target): void => {
    const read = parseFields(text);
    if (read.length === 0) this.#notices.show(this.#t("build.nothingToPaste"));
    else this.insert(read, target);
  };

  #insert(added: readonly Field[], target: Target, beside: string | null): void {
    const width = this.#sharedWidth(beside);
    const inserted = insertableFields(added, this.#fields()).map((field) =>
      width === "" ? field : { ...field, css_class: withWidth(field, width) },
    );
    if (inserted.length === 0) return;
    const mergeKey = this.#nextMergeKey();
    this.#run({ kind: "add", fields: inserted, target }, mergeKey);
    if (beside !== null) this.#setWidths([beside], width, mergeKey);
    const isInside = ({ group }: Field): boolean => inserted.some(({ name }) => name === group);
    this.#latest.current.onSelect(new Set(inserted.filter((one) => !isInside(one)).map(({ name }) => name)));
    const name = inserted.map((field) => fieldTitle(field, this.#latest.current.language)).join(", ");
    this.#announce(this.#t("build.announceAdded", { name, where: this.#positionText(target) }));
  }

  #newFields(known: PaletteEntry, names: ReadonlySet<string>): readonly Field[] {
    const { language } = this.#latest.current;
    const options = [1, 2, 3].map((number) => this.#t("build.option", { number }));
    return newFields(known, typeName(known.id, language), options, names, language);
  }

  #setWidths(names: readonly string[], width: Width, mergeKey: string): void {
    for (const name of names) {
      const field = this.#fields().find((candidate) => candidate.name === name);
      if (field !== undefined)
        this.#run({ kind: "update", name, change: { css_class: withWidth(field, width) } }, mergeKey);
    }
  }

  /** Returns the width for a field that shares a row with `beside`. */
  #sharedWidth(beside: string | null): Width {
    const field = this.#fields().find(({ name }) => name === beside);
    return field === undefined ? "" : widthOf(field) || "cf-half";
  }

  #positionText(target: Target): string {
    return target.after === null
      ? this.#t("build.positionFirst")
      : this.#t("build.positionAfter", { name: this.#labelOf(target.after) });
  }

  #fields(): readonly Field[] {
    return this.#latest.current.editor.content.schema.fields;
  }

  #labelOf(name: string): string {
    return titleOfName(this.#fields(), name, this.#latest.current.language);
  }

  #existing(names: readonly string[]): readonly string[] {
    return names.filter((name) => this.#fields().some((field) => field.name === name));
  }

  #nextMergeKey(): string {
    this.#number += 1;
    return `drop ${this.#number}`;
  }

  readonly #run: Draft["run"] = (command, mergeKey) => this.#latest.current.editor.run(command, mergeKey);
}
