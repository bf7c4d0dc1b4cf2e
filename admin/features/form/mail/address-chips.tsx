/** Recipients as chips: typed, pasted, or the visitor's address; removed by keyboard or mouse. */
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Tag, TagGroup, TagList } from "react-aria-components/TagGroup";
import type { Field } from "../../../../client/index.ts";
import { labelOf } from "../../../shared/field-label.ts";
import { keyed } from "../../../shared/keyed.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Button } from "../../../ui/button.tsx";
import { FieldLabel } from "../../../ui/fields.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { answerOf, isRecipient, itemsOf } from "./addresses.ts";
import { emailFields, useAnswers } from "./answers.ts";

export interface AddressChipsProps {
  readonly label: string;
  /** Recipients separated by commas, as the setting stores them. */
  readonly value: string;
  readonly fields: readonly Field[];
  readonly required?: boolean;
  readonly help?: string | undefined;
  readonly onChange: (value: string) => void;
}

export function AddressChips({ label, required = false, help, ...list }: AddressChipsProps): ReactNode {
  const t = useText();
  const helpId = useId();
  const addresses = useAddresses(list);
  const isWrong = addresses.values.some((item) => !isRecipient(item));
  return (
    <div className="field">
      <TagGroup className="addresses" onRemove={addresses.remove}>
        <FieldLabel label={label} isRequired={required} />
        <div className="input address-box">
          <Chips addresses={addresses} />
          <AddressInput label={label} describedBy={helpId} isWrong={isWrong} addresses={addresses} />
        </div>
      </TagGroup>
      <span id={helpId} className={isWrong ? "fault" : "help"}>
        {isWrong ? t("actions.wrongAddress") : help}
      </span>
      <VisitorAddresses addresses={addresses} />
    </div>
  );
}

interface Addresses {
  /** The recipients, each with a key. */
  readonly items: readonly (readonly [key: string, item: string])[];
  readonly values: readonly string[];
  /** The fields that hold a visitor's address. */
  readonly visitors: readonly Field[];
  /** Returns the name that a recipient shows. */
  nameOf(item: string): string;
  /** Adds the recipients of a text. */
  add(text: string): void;
  remove(keys: ReadonlySet<string | number>): void;
  removeLast(): void;
}

function useAddresses({
  value,
  fields,
  onChange,
}: Pick<AddressChipsProps, "value" | "fields" | "onChange">): Addresses {
  const t = useText();
  const { labelOf } = useAnswers(fields);
  const visitors = emailFields(fields);
  const items = keyed(itemsOf(value), (item) => item);
  const values = items.map(([, item]) => item);
  const set = (next: readonly string[]) => onChange(next.join(", "));
  return {
    items,
    values,
    visitors,
    nameOf(item) {
      const name = answerOf(item);
      if (name === null) return item;
      const isOnly = visitors.length === 1 && visitors[0]?.name.toLowerCase() === name.toLowerCase();
      return isOnly ? t("actions.visitorEmail") : (labelOf(name) ?? item);
    },
    add(text) {
      const added = itemsOf(text).filter((item) => !values.includes(item));
      if (added.length > 0) set([...values, ...added]);
    },
    remove: (keys) => set(items.filter(([key]) => !keys.has(key)).map(([, item]) => item)),
    removeLast: () => set(values.slice(0, -1)),
  };
}

interface PartProps {
  readonly addresses: Addresses;
}

const lookOf = (item: string): string => {
  if (!isRecipient(item)) return "address wrong";
  return answerOf(item) === null ? "address" : "address answer";
};

function Chips({ addresses: { items, nameOf } }: PartProps): ReactNode {
  return (
    <TagList className="address-list" items={items.map(([id, item]) => ({ id, item, name: nameOf(item) }))}>
      {({ id, item, name }) => (
        <Tag id={id} textValue={name} className={lookOf(item)}>
          {name}
          <AriaButton slot="remove" className="address-remove">
            <Icon name="close" />
          </AriaButton>
        </Tag>
      )}
    </TagList>
  );
}

interface AddressInputProps extends PartProps {
  readonly label: string;
  readonly describedBy: string;
  readonly isWrong: boolean;
}

/** Accepts a typed or pasted address; Enter, a comma, a semicolon or leaving the input turns it into a chip. */
function AddressInput({ label, describedBy, isWrong, addresses }: AddressInputProps): ReactNode {
  const t = useText();
  const [typed, setTyped] = useState("");
  const add = (text: string) => {
    addresses.add(text);
    setTyped("");
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter" || event.key === "," || event.key === ";") {
      if (event.key !== "Enter" || typed.trim() !== "") event.preventDefault();
      add(typed);
    } else if (event.key === "Backspace" && typed === "") addresses.removeLast();
  };
  return (
    <input
      className="address-input"
      type="text"
      inputMode="email"
      autoComplete="off"
      spellCheck={false}
      value={typed}
      aria-label={t("actions.addAddress", { label })}
      aria-invalid={isWrong || undefined}
      aria-describedby={describedBy}
      placeholder={addresses.values.length === 0 ? "name@example.com" : undefined}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => add(typed)}
      onPaste={(event) => {
        const text = typed + event.clipboardData.getData("text/plain");
        if (itemsOf(text).length < 2 && !isRecipient(text.trim())) return;
        event.preventDefault();
        add(text);
      }}
    />
  );
}

/** Buttons that add the address of a field, for the first fields that are not recipients yet. */
function VisitorAddresses({ addresses: { visitors, values, add } }: PartProps): ReactNode {
  const t = useText();
  return (
    <span className="row">
      {visitors
        .filter(({ name }) => !values.includes(`[${name}]`))
        .slice(0, 3)
        .map((field) => (
          <Button key={field.name} look="quiet" icon="plus" onPress={() => add(`[${field.name}]`)}>
            {visitors.length === 1 ? t("actions.visitorEmail") : labelOf(field)}
          </Button>
        ))}
    </span>
  );
}
