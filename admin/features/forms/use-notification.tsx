/** Choice in the dialog of a new form: whether its submissions are emailed, and to which address. */
import { type ReactNode, useState } from "react";
import { isEmail, storeNotifiedAddress, useNotifiedAddress } from "../../shared/default-notification.ts";
import { useOptions } from "../../shared/options.ts";
import { useText } from "../../shared/text/text.tsx";
import { Checkbox, TextField } from "../../ui/fields.tsx";

interface Notification {
  readonly controls: ReactNode;
  /** The address to notify; empty for none. */
  readonly address: string;
  /** Whether the choice is complete. Shows a message if not, and remembers an address that the account lacks. */
  check(): boolean;
}

/** The checkbox for the default notification, and an input for the address if the account has none. */
export function useNotification(): Notification {
  const t = useText();
  const ofAccount = useOptions().user?.email ?? "";
  const suggested = useNotifiedAddress();
  const [isOn, setIsOn] = useState(true);
  const [typed, setTyped] = useState(suggested);
  const [isChecked, setIsChecked] = useState(false);
  const needsAddress = ofAccount === "";
  const email = (needsAddress ? typed : ofAccount).trim();
  const isWrong = isOn && !isEmail(email);
  return {
    address: isOn ? email : "",
    check() {
      setIsChecked(true);
      if (isWrong) return false;
      if (isOn && needsAddress) storeNotifiedAddress(email);
      return true;
    },
    controls: (
      <>
        <Checkbox
          label={needsAddress ? t("actions.notifyMe") : t("new.notifyAt", { email: ofAccount })}
          value={isOn}
          onChange={setIsOn}
        />
        {needsAddress && isOn ? (
          <TextField
            label={t("new.notifyAddress")}
            type="email"
            autoComplete="email"
            value={typed}
            onChange={setTyped}
            required
            fault={isChecked && isWrong ? t("new.notifyMissing") : undefined}
          />
        ) : null}
      </>
    ),
  };
}
