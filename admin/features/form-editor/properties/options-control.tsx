/** Editor of options: a row for each, with its label, and its value and picture behind a button. */
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { Option } from "../../../shared/draft/content.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/fields.tsx";
import { Dialog } from "../../../ui/overlays.tsx";
import { useAnswerCounts } from "../answer-counts.ts";
import { optionsToText, parseOptions } from "../model/options.ts";
import { ChangedOptions } from "../stored-answers.tsx";
import type { ControlProps } from "./control.tsx";
import { OptionRow } from "./option-row.tsx";
import type { OptionsProperty } from "./property.ts";
import { useRowDrag } from "./use-row-drag.ts";

/** Number of rows that are shown at first. */
const SHOWN_ROWS = 60;

export default function OptionsControl({
  property,
  field,
  editor,
  id,
  label,
  help,
  onChange,
}: ControlProps<OptionsProperty>): ReactNode {
  const t = useText();
  const count = useAnswerCounts(editor)(field.name) ?? 0;
  const options = property.read(field);
  const published = editor.live.content.schema.fields.find(({ name }) => name === field.name)?.options ?? [];
  const [shownRows, setShownRows] = useState(SHOWN_ROWS);
  const [isPasting, setIsPasting] = useState(false);
  /** Description of the last move, for screen readers. */
  const [announcement, setAnnouncement] = useState("");
  const list = useRef<HTMLUListElement>(null);
  /** Row whose input gets the focus once it is rendered. */
  const nextFocus = useRef<number | null>(null);
  useEffect(() => {
    if (nextFocus.current === null) return;
    const input = list.current?.querySelector<HTMLInputElement>(`[data-row="${nextFocus.current}"] input`);
    nextFocus.current = null;
    input?.focus();
    input?.select();
  });
  const set = (next: readonly Option[], mergeKey: string | null = null) =>
    onChange(property.write(field, next), mergeKey);
  const insert = (at: number, labels: readonly string[]) => {
    const added = labels.map((text) => ({ value: text, label: text }));
    const values = new Set(options.map(({ value }) => value));
    const fresh = added.filter(
      ({ value }, index) => !values.has(value) && added.findIndex((one) => one.value === value) === index,
    );
    if (fresh.length === 0) return;
    nextFocus.current = at + fresh.length - 1;
    setShownRows((rows) => Math.max(rows, at + fresh.length));
    set(options.toSpliced(at, 0, ...fresh));
  };
  const insertEmpty = (at: number) => {
    const values = new Set(options.flatMap(({ value, label: text }) => [value, text]));
    let number = options.length + 1;
    while (values.has(t("build.option", { number }))) number += 1;
    insert(at, [t("build.option", { number })]);
  };
  const remove = (at: number) => {
    nextFocus.current = Math.min(at, options.length - 2);
    set(options.toSpliced(at, 1));
  };
  const move = (from: number, to: number) => {
    const moved = options[from];
    if (moved === undefined || to === from || to < 0 || to >= options.length) return;
    const next = options.toSpliced(from, 1).toSpliced(to, 0, moved);
    const before = next[to - 1];
    const where = before === undefined ? t("build.positionFirst") : t("build.positionAfter", { name: nameOf(before) });
    setAnnouncement(t("build.announceMoved", { name: nameOf(moved), where }));
    set(next);
  };
  const drag = useRowDrag(list, move);
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    insertEmpty(at + 1);
  };
  const onPaste = (event: ClipboardEvent, at: number) => {
    const lines = linesOf(event.clipboardData.getData("text/plain"));
    if (lines.length < 2) return;
    event.preventDefault();
    insert(at + 1, lines);
  };
  return (
    <fieldset className="options">
      <legend className="visually-hidden">{label}</legend>
      <ul ref={list}>
        {options.slice(0, shownRows).map((option, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the value of a new option follows its label.
            key={at}
            data-row={at}
            data-dragged={drag.from === at || undefined}
            data-drop={drag.dropSide(at)}
          >
            <OptionRow
              id={`${id}/${at}`}
              option={option}
              options={options}
              at={at}
              published={published}
              formId={editor.form.id}
              onChange={(next, member) => set(next, `option ${at} ${member}`)}
              onRemove={() => remove(at)}
              onMove={(by) => move(at, at + by)}
              onKeyDown={(event) => onKeyDown(event, at)}
              onPaste={(event) => onPaste(event, at)}
              handleProps={drag.handleProps(at)}
            />
          </li>
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {options.length > shownRows ? (
        <Button look="quiet" onPress={() => setShownRows(shownRows + 5 * SHOWN_ROWS)}>
          {t("build.moreOptions", { count: options.length - shownRows })}
        </Button>
      ) : null}
      <div className="row">
        <Button icon="plus" onPress={() => insertEmpty(options.length)}>
          {t("build.addOption")}
        </Button>
        <Button look="quiet" onPress={() => setIsPasting(true)}>
          {t("build.pasteList")}
        </Button>
      </div>
      <p className="help">{count > 0 ? t("build.optionsAnswers", { count }) : t("build.optionsKeepValue")}</p>
      {help === undefined ? null : <p className="help">{help}</p>}
      {count > 0 ? <ChangedOptions field={field} editor={editor} /> : null}
      {isPasting ? (
        <PasteList options={options} published={published} onClose={() => setIsPasting(false)} onUse={set} />
      ) : null}
    </fieldset>
  );
}

const nameOf = ({ label, value }: Option): string => label || value;

const linesOf = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

interface PasteListProps {
  readonly options: readonly Option[];
  readonly published: readonly Option[];
  readonly onClose: () => void;
  readonly onUse: (options: readonly Option[]) => void;
}

function PasteList({ options, published, onClose, onUse }: PasteListProps): ReactNode {
  const t = useText();
  const [text, setText] = useState(() => optionsToText(options));
  const parsed = parseOptions(text, options, published);
  return (
    <Dialog
      title={t("build.pasteList")}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("common.cancel")}</Button>
          <Button
            look="primary"
            onPress={() => {
              onUse(parsed);
              onClose();
            }}
          >
            {t("build.useOptions", { count: parsed.length })}
          </Button>
        </>
      }
    >
      <TextField
        label={t("build.optionLines")}
        help={t("build.optionsHelp")}
        rows={12}
        autoFocus
        value={text}
        onChange={setText}
      />
    </Dialog>
  );
}
