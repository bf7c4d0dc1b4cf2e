/**
 * Button that sends the mail to the signed-in user, and shows the result. A user without an email address types one.
 */
import { type ReactNode, useState } from "react";
import { useChange } from "../../../shared/api/queries.ts";
import { useOptions } from "../../../shared/options.ts";
import { useText } from "../../../shared/text/text.tsx";
import { ApiMessage } from "../../../ui/api-message.tsx";
import { Button } from "../../../ui/button.tsx";
import { DeliveryBadge, useDeliveryState } from "../../../ui/delivery-state.tsx";
import { TextField } from "../../../ui/fields.tsx";
import { isRecipient } from "./addresses.ts";
import { type MailPreviewProps, testBody, useTestAnswers } from "./mail-preview.tsx";

export function SendTest({ action, formId, fields, schema }: MailPreviewProps): ReactNode {
  const t = useText();
  const { user } = useOptions();
  const stateOf = useDeliveryState();
  const { data } = useTestAnswers(formId, fields);
  const [address, setAddress] = useState(user?.email ?? "");
  const run = useChange((client) => {
    // The test has no Cc and Bcc, because copies would go to other people.
    const alone = { ...action, ...(action.type === "email" ? { cc: "", bcc: "" } : {}) };
    return client.testAction({ body: testBody(alone, { formId, schema }, data, address.trim()) });
  });
  const facts = run.data === undefined ? null : { ...run.data, action_type: action.type };
  return (
    <div className="row send-test">
      {user?.email ? null : (
        <TextField label={t("actions.yourEmail")} type="email" value={address} onChange={setAddress} />
      )}
      <Button
        icon="mail"
        isDisabled={!isRecipient(address.trim())}
        isPending={run.isPending}
        onPress={() => run.mutate(undefined)}
      >
        {t("actions.sendTest")}
      </Button>
      <span role="status" className="row">
        {facts === null ? null : (
          <>
            <DeliveryBadge facts={facts} />
            <span className="muted">
              <ApiMessage>{stateOf(facts).reason}</ApiMessage>
            </span>
          </>
        )}
      </span>
    </div>
  );
}
