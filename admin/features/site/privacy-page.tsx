/** Export and erasure of a person's data. Each erasure has a receipt. */
import { type ReactNode, useRef, useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Erasure } from "../../../client/index.ts";
import { useClient } from "../../shared/api/client.ts";
import { sendToHost } from "../../shared/api/host.ts";
import { keys } from "../../shared/api/keys.ts";
import { erasuresQuery } from "../../shared/api/resources.ts";
import { useOptions } from "../../shared/options.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/copy.tsx";
import { TextField } from "../../ui/fields.tsx";
import { useNotices } from "../../shared/notices.ts";
import { Confirm } from "../../ui/overlays.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";
import { Loaded } from "../../ui/states.tsx";

export default function PrivacyPage(): ReactNode {
  const t = useText();
  const [email, setEmail] = useState("");
  const [isConfirming, setIsConfirming] = useState(false);
  const { exporting, save } = useExport(email.trim());
  const { erasedCount, receipt, erase, stop } = useErasure(email.trim());
  const isAddress = /^\S+@\S+$/.test(email.trim());

  return (
    <Page title={t("nav.privacy")}>
      <div className="stack">
        <Card title={t("privacy.person")} help={t("privacy.help")}>
          <TextField type="email" label={t("privacy.email")} value={email} onChange={setEmail} />
          <div className="row">
            <Button icon="download" isDisabled={!isAddress} isPending={exporting !== null} onPress={() => void save()}>
              {t("privacy.export")}
            </Button>
            <Button
              look="danger"
              icon="trash"
              isDisabled={!isAddress}
              isPending={erasedCount !== null}
              onPress={() => setIsConfirming(true)}
            >
              {t("privacy.erase")}
            </Button>
          </div>
          <Status exporting={exporting} erasedCount={erasedCount} receipt={receipt} onStop={stop} />
        </Card>
        <Receipts />
      </div>
      <Confirm
        title={t("privacy.confirm")}
        text={t("privacy.confirmText", { email: email.trim() })}
        action={t("common.delete")}
        isOpen={isConfirming}
        onClose={() => setIsConfirming(false)}
        onConfirm={() => void erase()}
      />
    </Page>
  );
}

/** Exports a person's data to a file. `exporting` cancels a running export. */
function useExport(email: string) {
  const client = useClient();
  const notices = useNotices();
  const [exporting, setExporting] = useState<AbortController | null>(null);
  const save = async () => {
    const abort = new AbortController();
    setExporting(abort);
    try {
      const response = await client.response(
        "exportPersonalData",
        { body: { email: email } },
        { signal: abort.signal },
      );
      saveFile(`personal-data-${email}.json`, await response.blob());
    } catch (error) {
      if (!abort.signal.aborted) notices.showError(error);
    } finally {
      setExporting(null);
    }
  };
  return { exporting, save };
}

/** Result of an erasure, with the ids of its receipts. */
interface ShownReceipt extends Pick<Erasure, "submissions" | "files"> {
  readonly ids: readonly string[];
  /** Number of erased mails in the outbox. */
  readonly mails: number;
}

/** Erases a person's data, also the mails that the host keeps. `erasedCount` is the number of erased submissions while the erasure runs. */
function useErasure(email: string) {
  const client = useClient();
  const notices = useNotices();
  const queries = useQueryClient();
  const [erasedCount, setErasedCount] = useState<number | null>(null);
  const [receipt, setReceipt] = useState<ShownReceipt | null>(null);
  const { mail } = useOptions().host ?? {};
  const stopped = useRef(false);
  /** Repeats the request until all is erased, because each request erases a limited number. */
  const erase = async () => {
    stopped.current = false;
    setReceipt(null);
    setErasedCount(0);
    try {
      let sum: ShownReceipt = { ids: [], submissions: 0, files: 0, mails: 0 };
      for (let isDone = false; !isDone && !stopped.current; ) {
        const part = await client.erasePersonalData({ body: { email: email } });
        sum = {
          ids: [...sum.ids, part.id],
          submissions: sum.submissions + part.submissions,
          files: sum.files + part.files,
          mails: 0,
        };
        setErasedCount(sum.submissions);
        setReceipt(sum);
        isDone = part.done;
        if (isDone && mail !== undefined) {
          const address = `${mail}?${new URLSearchParams({ email })}`;
          const { deleted } = await sendToHost<{ readonly deleted: number }>(client, "DELETE", address);
          setReceipt({ ...sum, mails: deleted });
        }
      }
    } catch (error) {
      notices.showError(error);
    } finally {
      setErasedCount(null);
      for (const queryKey of [keys.erasures, keys.submissions, keys.forms, keys.mails])
        void queries.invalidateQueries({ queryKey });
    }
  };
  const stop = () => {
    stopped.current = true;
  };
  return { erasedCount, receipt, erase, stop };
}

/** Progress of the export and the erasure, and the receipt of the last erasure. */
function Status({
  exporting,
  erasedCount,
  receipt,
  onStop,
}: Pick<ReturnType<typeof useExport>, "exporting"> &
  Pick<ReturnType<typeof useErasure>, "erasedCount" | "receipt"> & { readonly onStop: () => void }): ReactNode {
  const t = useText();
  return (
    <div role="status">
      {exporting === null ? null : (
        <p className="row">
          {t("privacy.exporting")}
          <Button onPress={() => exporting.abort()}>{t("common.cancel")}</Button>
        </p>
      )}
      {erasedCount === null ? null : (
        <p className="row">
          {t("privacy.erasing", { count: erasedCount })}
          <Button onPress={onStop}>{t("common.cancel")}</Button>
        </p>
      )}
      {receipt === null || erasedCount !== null ? null : (
        <p className="hint">
          {t("privacy.erased", {
            count: receipt.submissions,
            files: receipt.files,
            mails: receipt.mails,
            id: receipt.ids.join(", "),
          })}
        </p>
      )}
    </div>
  );
}

/** Table of the receipts of all erasures. */
function Receipts(): ReactNode {
  const t = useText();
  const formats = useFormats();
  const receipts = useQuery(erasuresQuery(useClient()));
  return (
    <Card title={t("privacy.receipts")} help={t("privacy.receiptsHelp")}>
      <Loaded query={receipts}>
        {(list) =>
          list.length === 0 ? (
            <p className="muted">{t("privacy.noReceipts")}</p>
          ) : (
            <Scrollable label={t("privacy.receipts")}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{t("common.date")}</th>
                    <th scope="col">{t("privacy.receipt")}</th>
                    <th scope="col">{t("numbers.submissions")}</th>
                    <th scope="col">{t("detail.files")}</th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((erasure) => (
                    <tr key={erasure.id}>
                      <td>{formats.dateTime(erasure.erased_at)}</td>
                      <td>
                        <code>{erasure.id}</code>
                      </td>
                      <td className="number">{erasure.submissions}</td>
                      <td className="number">{erasure.files}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scrollable>
          )
        }
      </Loaded>
    </Card>
  );
}
