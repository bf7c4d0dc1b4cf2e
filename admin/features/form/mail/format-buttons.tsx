/** Buttons that format the selected text: bold, lists, a link. */
import { type ReactNode, useState } from "react";
import { Dialog, DialogTrigger } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import { useText } from "../../../shared/text/text.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/fields.tsx";

export interface FormatButtonsProps {
  /** Returns the focus and the selection to the text. */
  readonly onFocus: () => void;
  /** Called when the text has changed. */
  readonly onDone: () => void;
  /** Links the selected text, or inserts a link. */
  readonly onLink: (address: string) => void;
}

const COMMANDS = [
  ["bold", "bold", "answers.bold"],
  ["insertUnorderedList", "list", "answers.list"],
  ["insertOrderedList", "numbers", "answers.numbers"],
] as const;

export function FormatButtons({ onFocus, onDone, onLink }: FormatButtonsProps): ReactNode {
  const t = useText();
  const run = (command: string) => {
    onFocus();
    // Deprecated without a successor: no other interface formats a selection.
    document.execCommand(command);
    onDone();
  };
  return (
    <>
      {COMMANDS.map(([command, icon, label]) => (
        <IconButton key={command} icon={icon} label={t(label)} onPress={() => run(command)} />
      ))}
      <LinkButton onLink={onLink} />
    </>
  );
}

function LinkButton({ onLink }: { readonly onLink: (address: string) => void }): ReactNode {
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  const [address, setAddress] = useState("https://");
  const isAddress = /^(?:https?:\/\/|mailto:|tel:).+/i.test(address.trim());
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
      <IconButton icon="link" label={t("answers.link")} />
      <Popover className="popover answer-link" placement="bottom start">
        <Dialog className="dialog" aria-label={t("answers.link")}>
          <form
            className="row nowrap"
            onSubmit={(event) => {
              event.preventDefault();
              if (!isAddress) return;
              setIsOpen(false);
              onLink(address.trim());
            }}
          >
            <TextField label={t("answers.address")} type="text" value={address} onChange={setAddress} autoFocus />
            <Button type="submit" look="primary" isDisabled={!isAddress}>
              {t("answers.addLink")}
            </Button>
          </form>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
