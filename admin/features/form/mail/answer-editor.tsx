/** Text field whose answers are chips. “/” or a button lists them; `rich` texts have bold, links and lists. */
import { type ReactNode, useId, useRef, useState } from "react";
import type { Field } from "../../../../client/index.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Button } from "../../../ui/button.tsx";
import { AnswerList } from "./answer-list.tsx";
import type { TextFormat } from "./answer-markup.ts";
import { useAnswers } from "./answers.ts";
import { FormatButtons } from "./format-buttons.tsx";
import { type AnswerText, isAtWordStart, useAnswerText } from "./use-answer-text.ts";

export interface AnswerEditorProps {
  readonly label: string;
  readonly value: string;
  readonly format: TextFormat;
  readonly fields: readonly Field[];
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

export function AnswerEditor({ label, value, format, fields, placeholder, onChange }: AnswerEditorProps): ReactNode {
  const t = useText();
  const labelId = useId();
  const tools = useRef<HTMLDivElement>(null);
  const [isListing, setIsListing] = useState(false);
  const { list, labelOf } = useAnswers(fields);
  const text = useAnswerText({ value, format, labelOf, onChange });
  // A popover that closes moves the focus first, so the caret is set in the next frame.
  const afterPopover = (act: () => void) => requestAnimationFrame(act);
  return (
    <div className="field">
      <span id={labelId} className="label">
        {label}
      </span>
      <div className={format === "line" ? "answer-editor line" : "answer-editor"}>
        <EditableText
          text={text}
          format={format}
          labelId={labelId}
          placeholder={value === "" ? placeholder : undefined}
          onSlash={() => setIsListing(true)}
        />
        <div className="row answer-tools" ref={tools}>
          {format === "rich" ? (
            <FormatButtons
              onFocus={text.focus}
              onDone={text.emit}
              onLink={(address) => afterPopover(() => text.putLink(address))}
            />
          ) : null}
          <Button
            look="quiet"
            icon="plus"
            onPress={() => setIsListing(true)}
            aria-haspopup="dialog"
            aria-expanded={isListing}
          >
            {t("actions.insertAnswer")}
          </Button>
        </div>
      </div>
      <AnswerList
        answers={list}
        trigger={tools}
        isOpen={isListing}
        onClose={() => {
          setIsListing(false);
          afterPopover(text.focus);
        }}
        onPick={(answer) => {
          setIsListing(false);
          afterPopover(() => text.putAnswer(answer.name, answer.label));
        }}
      />
    </div>
  );
}

interface EditableTextProps {
  readonly text: AnswerText;
  readonly format: TextFormat;
  readonly labelId: string;
  readonly placeholder: string | undefined;
  readonly onSlash: () => void;
}

function EditableText({ text, format, labelId, placeholder, onSlash }: EditableTextProps): ReactNode {
  const t = useText();
  const helpId = useId();
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: only an editable element can hold chips */}
      <div
        ref={text.box}
        role="textbox"
        tabIndex={0}
        contentEditable
        suppressContentEditableWarning
        className="input"
        aria-multiline={format !== "line"}
        aria-labelledby={labelId}
        aria-describedby={helpId}
        data-placeholder={placeholder}
        onInput={text.emit}
        onKeyDown={(event) => {
          if (format === "line" && event.key === "Enter") event.preventDefault();
          // The “/” is typed first, so that it stays if the user picks no answer.
          if (event.key === "/" && isAtWordStart(text.box.current)) requestAnimationFrame(onSlash);
        }}
        onPaste={(event) => {
          event.preventDefault();
          text.putText(event.clipboardData.getData("text/plain"));
        }}
      />
      <span id={helpId} className="visually-hidden">
        {t("answers.slashHelp")}
      </span>
    </>
  );
}
