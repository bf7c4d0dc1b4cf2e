/** The button that publishes, with its popover. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Dialog, DialogTrigger } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Loading } from "../../ui/states.tsx";
import type { PublishDialogProps } from "./publish-dialog.tsx";

const PublishDialog = lazy(() => import("./publish-dialog.tsx"));

export type PublishPopoverProps = Omit<PublishDialogProps, "onClose">;

export function PublishPopover({ draft, count, isFirst, onFirst }: PublishPopoverProps): ReactNode {
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  const open = (next: boolean) => {
    draft.clearFault();
    setIsOpen(next);
  };
  const title = isFirst ? t("publish.first") : t("publish.title", { count });
  const undecided = draft.rebased?.conflicts.length ?? 0;
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={open}>
      <Button look="primary" isDisabled={undecided > 0}>
        {t(isFirst ? "forms.publish" : "build.publish")}
      </Button>
      <Popover className="popover publish" placement="bottom end">
        <Dialog className="dialog" aria-label={title}>
          <h2>{title}</h2>
          <Suspense fallback={<Loading />}>
            <PublishDialog
              draft={draft}
              count={count}
              isFirst={isFirst}
              onClose={() => setIsOpen(false)}
              onFirst={() => {
                setIsOpen(false);
                onFirst();
              }}
            />
          </Suspense>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
