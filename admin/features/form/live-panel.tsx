/** Panel after the first publication: the form's link, QR code and embed code, and a test submission. */
import { lazy, type ReactNode, Suspense } from "react";
import type { Draft } from "../../shared/draft/draft.ts";
import { useFormats } from "../../shared/text/format.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { stateOf } from "../../ui/form-state.tsx";
import { MailNotice } from "../../ui/mail-notice.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Loading } from "../../ui/states.tsx";
import { LinkBox } from "./link-box.tsx";
import { elementCode } from "./share-code.ts";
import { TestSubmission } from "./test-submission.tsx";

const QrCode = lazy(() => import("./qr-code.tsx"));

export interface LivePanelProps {
  readonly draft: Draft;
  readonly onClose: () => void;
}

export default function LivePanel({ draft, onClose }: LivePanelProps): ReactNode {
  const t = useText();
  const { dateTime } = useFormats();
  const { form, content } = draft.live;
  const isScheduled = stateOf(form) === "notYet";
  return (
    <Dialog
      title={isScheduled ? t("publish.doneLater", { at: dateTime(form.settings.opens_at) }) : t("publish.doneFirst")}
      isOpen
      wide
      onClose={onClose}
      actions={
        <>
          <ButtonLink to={`/forms/${form.id}/share`}>{t("first.share")}</ButtonLink>
          <Button look="primary" onPress={onClose}>
            {t("first.close")}
          </Button>
        </>
      }
    >
      <div className="live-panel">
        <div className="stack">
          <LinkBox url={form.url} />
          <MailNotice />
          {isScheduled ? null : (
            <>
              <div>
                <h3>{t("first.test")}</h3>
                <p className="help">{t("first.testHelp")}</p>
              </div>
              <TestSubmission form={form} fields={content.schema.fields} />
            </>
          )}
          <Snippet title={t("share.script")} help={t("share.embedHelp")} code={elementCode(form)} />
        </div>
        <Suspense fallback={<Loading />}>
          <QrCode url={form.url} name={form.slug} />
        </Suspense>
      </div>
    </Dialog>
  );
}
