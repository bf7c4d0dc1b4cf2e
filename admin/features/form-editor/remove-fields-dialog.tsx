/**
 * Dialog before fields with answers are removed. Offers to keep them as hidden fields, so that inbox and exports still
 * show the answers.
 */
import type { ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import type { CountAnswers } from "./answer-counts.ts";
import type { FieldActions } from "./use-field-actions.ts";

export interface RemoveFieldsDialogProps {
  readonly names: readonly string[];
  readonly countAnswers: CountAnswers;
  readonly actions: FieldActions;
  readonly onClose: () => void;
}

export default function RemoveFieldsDialog({
  names,
  countAnswers,
  actions,
  onClose,
}: RemoveFieldsDialogProps): ReactNode {
  const t = useText();
  const countOf = (name: string): number => countAnswers(name) ?? 0;
  const closeThen = (callback: () => void) => () => {
    onClose();
    callback();
  };
  return (
    <Dialog
      role="alertdialog"
      title={t("build.deleteTitle", { count: names.length })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            {t("common.cancel")}
          </Button>
          <Button look="danger" onPress={closeThen(() => actions.remove(names))}>
            {t("common.delete")}
          </Button>
          <Button
            look="primary"
            onPress={closeThen(() =>
              actions.hide(
                names.filter((name) => countOf(name) > 0),
                names,
              ),
            )}
          >
            {t("build.keepAnswers")}
          </Button>
        </>
      }
    >
      <p>{t("build.deleteAnswers", { count: names.reduce((sum, name) => sum + countOf(name), 0) })}</p>
      <p className="help">{t("build.keepAnswersHelp")}</p>
    </Dialog>
  );
}
