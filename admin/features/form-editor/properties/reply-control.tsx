/** Switch that makes an email field the reply address of the form's notifications. */
import type { ReactNode } from "react";
import type { FormAction } from "../../../../client/index.ts";
import { Switch } from "../../../ui/fields.tsx";
import type { ControlProps } from "./control.tsx";
import type { ReplyProperty } from "./property.ts";
import { isReplyAddress, withReplyAddress } from "./reply-address.ts";

export function ReplyControl({ field, editor, label, help = "" }: ControlProps<ReplyProperty>): ReactNode {
  const actions = (editor.content.settings["actions"] ?? []) as readonly FormAction[];
  const emails = editor.content.schema.fields.filter(({ type }) => type === "email");
  const isOnly = emails.length === 1;
  const isOn = isReplyAddress(actions, field.name, isOnly);
  return (
    <Switch
      label={label}
      help={help}
      value={isOn}
      // A mail without a reply address replies to the only email field, so turning the switch off would change nothing.
      isDisabled={(isOnly && isOn) || !actions.some(({ type }) => type === "email")}
      onChange={(next) => editor.changeActions((current) => withReplyAddress(current, field.name, next))}
    />
  );
}
