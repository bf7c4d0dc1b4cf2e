/** Row of one option: handle, label, details, removal. */
import { type ClipboardEvent, type HTMLAttributes, type KeyboardEvent, type ReactNode, useState } from "react";
import type { Option } from "../../../shared/draft/content.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/fields.tsx";
import { relabelOption } from "../model/options.ts";
import { PictureControl } from "./picture-control.tsx";
import { useInput } from "./use-input.ts";

export interface OptionRowProps {
  readonly id: string;
  readonly option: Option;
  readonly options: readonly Option[];
  readonly at: number;
  readonly published: readonly Option[];
  readonly formId: number;
  readonly onChange: (options: readonly Option[], member: keyof Option) => void;
  readonly onRemove: () => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
  readonly handleProps: HTMLAttributes<HTMLButtonElement>;
}

export function OptionRow(props: OptionRowProps): ReactNode {
  const { id, option, options, at, published, onChange, onRemove, onKeyDown, onPaste, handleProps } = props;
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  const name = option.label || option.value;
  const input = useInput({
    id: `${id}/label`,
    value: option.label,
    format: (label) => label,
    parse: (label) => {
      if (label.trim() === "" && option.label !== "") return { fault: t("build.optionEmpty") };
      return relabelOption(options, at, label, published) === null
        ? { fault: t("build.wordTaken", { text: label }) }
        : { value: label };
    },
    onChange: (label) => onChange(relabelOption(options, at, label, published) ?? options, "label"),
  });
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the input inside takes the keys. */}
      <div className="option-row" onKeyDown={onKeyDown} onPaste={onPaste}>
        <button
          type="button"
          className="option-handle"
          aria-label={t("build.drag", { name })}
          aria-keyshortcuts="ArrowUp ArrowDown"
          {...handleProps}
        >
          ⠿
        </button>
        <TextField
          label={t("build.optionNumber", { number: at + 1 })}
          hideLabel
          value={input.text}
          fault={input.fault}
          onChange={input.change}
        />
        <IconButton
          icon="more"
          label={t("build.optionDetails", { name })}
          aria-expanded={isOpen}
          onPress={() => setIsOpen(!isOpen)}
        />
        <IconButton icon="close" label={t("build.removeOption", { name })} onPress={onRemove} />
      </div>
      {isOpen ? <OptionDetails {...props} /> : null}
    </>
  );
}

/** Value and picture of an option, and the buttons that move it. */
function OptionDetails({ id, option, options, at, formId, onChange, onMove }: OptionRowProps): ReactNode {
  const t = useText();
  const value = useInput({
    id: `${id}/value`,
    value: option.value,
    format: (text) => text,
    parse: (text) => {
      if (text.trim() === "") return { fault: t("build.valueMissing") };
      return options.some((other, index) => index !== at && other.value === text)
        ? { fault: t("build.valueTaken", { text }) }
        : { value: text };
    },
    onChange: (text) => onChange(options.with(at, { ...option, value: text }), "value"),
  });
  return (
    <div className="option-details">
      <TextField
        label={t("build.optionValue")}
        help={t("build.optionValueHelp")}
        code
        value={value.text}
        fault={value.fault}
        onChange={value.change}
      />
      <PictureControl
        id={`${id}/image`}
        formId={formId}
        label={t("build.optionPicture")}
        value={option.image ?? ""}
        onChange={(image) => {
          const { image: _, ...rest } = option;
          onChange(options.with(at, image === "" ? rest : { ...rest, image }), "image");
        }}
      />
      <div className="row">
        <Button look="quiet" icon="up" isDisabled={at === 0} onPress={() => onMove(-1)}>
          {t("build.up")}
        </Button>
        <Button look="quiet" icon="down" isDisabled={at === options.length - 1} onPress={() => onMove(1)}>
          {t("build.down")}
        </Button>
      </div>
    </div>
  );
}
