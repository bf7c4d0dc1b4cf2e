/** Dialogs and menus. */
import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Menu as AriaMenu, MenuItem, MenuTrigger, Separator } from "react-aria-components/Menu";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { Popover } from "react-aria-components/Popover";
import { useText } from "../shared/text/text.tsx";
import { Button, IconButton } from "./button.tsx";
import { Icon, type IconName } from "./icons.tsx";
import { keyed } from "../shared/keyed.ts";

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons in the footer, the primary one last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  readonly role?: "dialog" | "alertdialog";
}

export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  actions,
  wide = false,
  role = "dialog",
}: DialogProps): ReactNode {
  const t = useText();
  return (
    <ModalOverlay className="overlay" isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable>
      <Modal className={wide ? "modal wide" : "modal"}>
        {/* The label is a text because React Aria looks for a heading's id in the document, not in a shadow root. */}
        <AriaDialog className="dialog" role={role} aria-label={title}>
          <header className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <IconButton icon="close" label={t("common.close")} onPress={onClose} />
          </header>
          <div className="dialog-body">{children}</div>
          {actions === undefined ? null : <footer className="dialog-foot">{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

export function Confirm({ title, text, action, isOpen, onClose, onConfirm }: ConfirmProps): ReactNode {
  const t = useText();
  const confirm = () => {
    onClose();
    onConfirm();
  };
  return (
    <Dialog
      role="alertdialog"
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            {t("common.cancel")}
          </Button>
          <Button look="danger" onPress={confirm}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly danger?: boolean;
  readonly onAction: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly icon?: IconName;
  /** Shows the label, not only the icon. */
  readonly text?: boolean;
  readonly entries: readonly (MenuEntry | null)[];
}

export function Menu({ label, icon = "more", text = false, entries }: MenuProps): ReactNode {
  return (
    <MenuTrigger>
      <AriaButton className={text ? "button plain" : "button icon-only"} {...(text ? {} : { "aria-label": label })}>
        <Icon name={icon} />
        {text ? label : null}
      </AriaButton>
      <Popover className="popover" placement="bottom end">
        <AriaMenu className="menu" aria-label={label}>
          {keyed(entries, (entry) => entry?.id ?? "line").map(([key, entry]) =>
            entry === null ? (
              <Separator key={key} className="separator" />
            ) : (
              <MenuItem
                key={key}
                id={entry.id}
                className={entry.danger === true ? "option danger" : "option"}
                textValue={entry.label}
                onAction={entry.onAction}
              >
                {entry.icon === undefined ? null : <Icon name={entry.icon} />}
                {entry.label}
              </MenuItem>
            ),
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
