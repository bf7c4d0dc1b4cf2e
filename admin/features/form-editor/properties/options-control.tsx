/** Editor of options: a row for each, with its label, and its value and picture behind a button. */
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useState } from "react";
import type { Option } from "../../../shared/draft/content.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Button } from "../../../ui/button.tsx";
import { useAnswerCounts } from "../answer-counts.ts";
import { ChangedOptions } from "../stored-answers.tsx";
import type { ControlProps } from "./control.tsx";
import { OptionRow } from "./option-row.tsx";
import { PasteList } from "./paste-list.tsx";
import type { OptionsProperty } from "./property.ts";
import { type OptionEdits, useOptionEdits } from "./use-option-edits.ts";
import { useRowDrag } from "./use-row-drag.ts";

export default function OptionsControl(props: ControlProps<OptionsProperty>): ReactNode {
  const { property, field, editor, label, help, onChange } = props;
  const t = useText();
  const count = useAnswerCounts(editor)(field.name) ?? 0;
  const options = property.read(field);
  const published = editor.live.content.schema.fields.find(({ name }) => name === field.name)?.options ?? [];
  const [isPasting, setIsPasting] = useState(false);
  const edits = useOptionEdits(options, (next, mergeKey) => onChange(property.write(field, next), mergeKey));
  const { shownRows, showMore, insertEmpty, announcement, set } = edits;
  return (
    <fieldset className="options">
      <legend className="visually-hidden">{label}</legend>
      <OptionRows id={props.id} formId={editor.form.id} options={options} published={published} edits={edits} />
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
      {options.length > shownRows ? (
        <Button look="quiet" onPress={showMore}>
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

interface OptionRowsProps {
  readonly id: string;
  readonly formId: number;
  readonly options: readonly Option[];
  readonly published: readonly Option[];
  readonly edits: OptionEdits;
}

/** The rows of the options, which can be dragged. */
function OptionRows({ id, formId, options, published, edits }: OptionRowsProps): ReactNode {
  const { list, shownRows, set, insert, insertEmpty, remove, move } = edits;
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
            formId={formId}
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
  );
}

const linesOf = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
