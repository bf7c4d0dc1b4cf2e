/** Recipients as chips: typed, pasted, or the visitor's address; removed by keyboard or mouse. */
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Label } from "react-aria-components/Label";
import { Tag, TagGroup, TagList } from "react-aria-components/TagGroup";
import type { Field } from "../../../../client/index.ts";
import { keyed } from "../../../shared/keyed.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { answerOf, isRecipient, itemsOf } from "./addresses.ts";
import { emailFields, useAnswers } from "./answers.ts";

export interface AddressChipsProps {
  readonly label: string;
  /** Comma list, as the setting stores it. */
  readonly value: string;
  readonly fields: readonly Field[];
  readonly required?: boolean;
  readonly help?: string | undefined;
  readonly onChange: (value: string) => void;
}

export function AddressChips({ label, value, fields, required = false, help, onChange }: AddressChipsProps): ReactNode {
  const t = useText();
  const inputId = useId();
  const helpId = useId();
  const [typed, setTyped] = useState("");
  const { labelOf } = useAnswers(fields);
  const visitors = emailFields(fields);
  const items = keyed(itemsOf(value), (item) => item);
  const values = items.map(([, item]) => item);
  const set = (next: readonly string[]) => onChange(next.join(", "));
  const add = (text: string) => {
    const added = itemsOf(text).filter((item) => !values.includes(item));
    if (added.length > 0) set([...values, ...added]);
    setTyped("");
  };
  const remove = (keys: ReadonlySet<string | number>) =>
    set(items.filter(([key]) => !keys.has(key)).map(([, item]) => item));
  const nameOf = (item: string): string => {
    const name = answerOf(item);
    if (name === null) return item;
    const isOnly = visitors.length === 1 && visitors[0]?.name.toLowerCase() === name.toLowerCase();
    return isOnly ? t("actions.visitorEmail") : (labelOf(name) ?? item);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter" || event.key === "," || event.key === ";") {
      if (event.key !== "Enter" || typed.trim() !== "") event.preventDefault();
      add(typed);
    } else if (event.key === "Backspace" && typed === "") set(values.slice(0, -1));
  };
  const isWrong = values.some((item) => !isRecipient(item));
  return (
    <div className="field">
      <TagGroup className="addresses" onRemove={remove}>
        <Label className="label">
          {label}
          {required ? (
            <span className="required" aria-hidden="true">
              {" "}
              *
            </span>
          ) : null}
        </Label>
        <div className="input address-box">
          <TagList
            className="address-list"
            items={items.map(([id, item]) => ({ id, item }))}
            dependencies={[labelOf, visitors]}
          >
            {({ id, item }) => (
              <Tag
                id={id}
                textValue={nameOf(item)}
                className={
                  isRecipient(item) ? (answerOf(item) === null ? "address" : "address answer") : "address wrong"
                }
              >
                {nameOf(item)}
                <AriaButton slot="remove" className="address-remove">
                  <Icon name="close" />
                </AriaButton>
              </Tag>
            )}
          </TagList>
          <input
            id={inputId}
            className="address-input"
            type="text"
            inputMode="email"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            aria-label={t("actions.addAddress", { label })}
            aria-invalid={isWrong || undefined}
            aria-describedby={helpId}
            placeholder={values.length === 0 ? "name@example.com" : undefined}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={onKeyDown}
            onBlur={() => add(typed)}
            onPaste={(event) => {
              const text = event.clipboardData.getData("text/plain");
              if (itemsOf(typed + text).length < 2 && !isRecipient((typed + text).trim())) return;
              event.preventDefault();
              add(typed + text);
            }}
          />
        </div>
      </TagGroup>
      <span id={helpId} className={isWrong ? "fault" : "help"}>
        {isWrong ? t("actions.wrongAddress") : help}
      </span>
      <span className="row">
        {visitors
          .map(({ name, label: fieldLabel }) => ({ item: `[${name}]`, name, fieldLabel }))
          .filter(({ item }) => !values.includes(item))
          .slice(0, 3)
          .map(({ item, name, fieldLabel }) => (
            <Button key={name} look="quiet" icon="plus" onPress={() => set([...values, item])}>
              {visitors.length === 1 ? t("actions.visitorEmail") : fieldLabel || name}
            </Button>
          ))}
      </span>
    </div>
  );
}
