/** Text with links, such as that of a consent: `I accept the [terms](https://example.com/terms)`. */
import { type ReactNode, useRef, useState } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea } from "react-aria-components/TextArea";
import { TextField as AriaTextField } from "react-aria-components/TextField";
import { useText } from "../../../shared/text/text.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import type { TextControlProperty } from "./property.ts";

/** Whether visitors' pages turn the address into a link. */
const isAddress = (address: string): boolean => /^(?:https?:\/\/\S+|mailto:\S+|tel:\S+|\/(?!\/)\S*)$/i.test(address);

/** Writes a link. Closing brackets in the address are encoded, because they would end the link. */
const linkText = (words: string, address: string): string =>
  `[${words.replaceAll(/[[\]]/g, "")}](${address.replaceAll(")", "%29")})`;

interface LinkDraft {
  readonly words: string;
  readonly address: string;
  readonly from: number;
  readonly to: number;
}

export default function LinkTextControl({
  property,
  field,
  label,
  help,
  onChange,
}: ControlProps<TextControlProperty>): ReactNode {
  const t = useText();
  const area = useRef<HTMLTextAreaElement>(null);
  const [link, setLink] = useState<LinkDraft | null>(null);
  const [isRejected, setIsRejected] = useState(false);
  const text = property.read(field);
  const set = (value: string, mergeKey?: string | null) => onChange(property.write(field, value), mergeKey);
  const begin = () => {
    const { selectionStart: from, selectionEnd: to } = area.current ?? { selectionStart: 0, selectionEnd: 0 };
    setIsRejected(false);
    setLink({ words: text.slice(from, to), address: "", from, to });
  };
  const close = () => {
    setLink(null);
    area.current?.focus();
  };
  const insert = () => {
    if (link === null) return;
    const address = link.address.trim();
    if (link.words.trim() === "" || !isAddress(address)) {
      setIsRejected(true);
      return;
    }
    set(text.slice(0, link.from) + linkText(link.words, address) + text.slice(link.to), null);
    close();
  };
  return (
    <>
      <AriaTextField
        className="field"
        value={text}
        onChange={(value) => set(value)}
        isInvalid={text.trim() === ""}
        validationBehavior="aria"
      >
        <span className="row apart">
          <Label className="label">{label}</Label>
          <Button look="quiet" aria-expanded={link !== null} onPress={link === null ? begin : close}>
            {t("build.link")}
          </Button>
        </span>
        <TextArea className="input" rows={4} ref={area} />
        <Text slot="description" className="help">
          {help}
        </Text>
        <FieldError className="fault">{t("build.textMissing")}</FieldError>
      </AriaTextField>
      {link === null ? null : (
        <LinkForm link={link} isRejected={isRejected} onChange={setLink} onInsert={insert} onCancel={close} />
      )}
    </>
  );
}

/** Asks for the words and the address of a link. */
function LinkForm({
  link,
  isRejected,
  onChange,
  onInsert,
  onCancel,
}: {
  readonly link: LinkDraft;
  /** Whether the words or the address were not accepted. */
  readonly isRejected: boolean;
  readonly onChange: (link: LinkDraft) => void;
  readonly onInsert: () => void;
  readonly onCancel: () => void;
}): ReactNode {
  const t = useText();
  return (
    <form
      className="stack close build-link"
      aria-label={t("build.link")}
      onSubmit={(event) => {
        event.preventDefault();
        onInsert();
      }}
    >
      <TextField
        label={t("build.linkText")}
        value={link.words}
        autoFocus={link.words === ""}
        fault={isRejected && link.words.trim() === "" ? t("build.textMissing") : undefined}
        onChange={(words) => onChange({ ...link, words })}
      />
      <TextField
        label={t("build.linkAddress")}
        value={link.address}
        autoFocus={link.words !== ""}
        placeholder="https://"
        fault={isRejected && !isAddress(link.address.trim()) ? t("build.linkFault") : undefined}
        onChange={(address) => onChange({ ...link, address })}
      />
      <div className="row">
        <Button type="submit" look="primary">
          {t("build.insertLink")}
        </Button>
        <Button onPress={onCancel}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}
