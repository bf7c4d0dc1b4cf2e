/**
 * Dialog that publishes a draft from the list of forms: the content of the header's popover, then the live form's
 * panel.
 */
import { type ReactNode, useState } from "react";
import type { OpenedDraft } from "../../shared/draft/draft.ts";
import { useDraft, useOpenedDraft } from "../../shared/draft/use-draft.ts";
import { useOptions } from "../../shared/options.ts";
import { useText } from "../../shared/text/text.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Loaded } from "../../ui/states.tsx";
import LivePanel from "./live-panel.tsx";
import PublishDialog from "./publish-dialog.tsx";

export interface PublishFormDialogProps {
  readonly formId: number;
  readonly onClose: () => void;
}

export default function PublishFormDialog({ formId, onClose }: PublishFormDialogProps): ReactNode {
  const t = useText();
  const opened = useOpenedDraft(formId);
  if (opened.data !== undefined) return <OpenedPublishDialog opened={opened.data} onClose={onClose} />;
  return (
    <Dialog title={t("publish.first")} isOpen onClose={onClose}>
      <Loaded query={opened}>{() => null}</Loaded>
    </Dialog>
  );
}

/** The dialog never edits the draft, so another user's change needs no notice. */
const ignoreOthers = () => undefined;

interface OpenedPublishDialogProps {
  readonly opened: OpenedDraft;
  readonly onClose: () => void;
}

function OpenedPublishDialog({ opened, onClose }: OpenedPublishDialogProps): ReactNode {
  const t = useText();
  const draft = useDraft(opened, { login: useOptions().user?.login, onOthersChange: ignoreOthers });
  const [isLive, setIsLive] = useState(false);
  if (isLive) return <LivePanel draft={draft} onClose={onClose} />;
  return (
    <Dialog title={t("publish.first")} isOpen onClose={onClose}>
      <div className="stack">
        <PublishDialog draft={draft} count={0} isFirst onClose={onClose} onFirst={() => setIsLive(true)} />
      </div>
    </Dialog>
  );
}
