/** Text field with a menu that inserts answers, by the labels of their fields. */
import { type ReactNode, useRef } from "react";
import type { Field } from "../../client/index.ts";
import { labelOf } from "../shared/field-label.ts";
import { useText } from "../shared/text/text.tsx";
import { TextField, type TextFieldProps } from "./fields.tsx";
import { Menu } from "./overlays.tsx";

/** Limit on the listed fields. */
const MAX_LISTED = 100;

export interface AnswerTextFieldProps extends TextFieldProps {
  /** Fields whose answers the text may contain. */
  readonly fields: readonly Field[];
}

export function AnswerTextField({ fields, ...field }: AnswerTextFieldProps): ReactNode {
  const t = useText();
  const box = useRef<HTMLDivElement>(null);
  const insert = (name: string) => {
    const { value, onChange } = field;
    const at = box.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(".input")?.selectionEnd;
    const caret = at ?? value.length;
    onChange(`${value.slice(0, caret)}[${name}]${value.slice(caret)}`);
  };
  return (
    <div className="stack close" ref={box}>
      <TextField {...field} />
      {fields.length === 0 ? null : (
        <div className="row">
          <Menu
            text
            icon="plus"
            label={t("actions.insertAnswer")}
            entries={fields.slice(0, MAX_LISTED).map((known) => ({
              id: known.name,
              label: labelOf(known),
              onAction: () => insert(known.name),
            }))}
          />
        </div>
      )}
    </div>
  );
}
