/** Bar at the foot of a screen whose changes are saved by a button. */
import type { ReactNode } from "react";
import { useText } from "../shared/text/text.tsx";
import { Button } from "./button.tsx";
import { ErrorText } from "./states.tsx";

export interface SaveBarProps {
  readonly isSaving: boolean;
  /** Error of the last save; null without one. */
  readonly error?: unknown;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

export function SaveBar({ isSaving, error = null, onDiscard, onSave }: SaveBarProps): ReactNode {
  const t = useText();
  return (
    <section className="save-bar" aria-label={t("common.unsaved")}>
      <div className="save-bar-text">
        {error === null ? (
          <span>{t("common.unsaved")}</span>
        ) : (
          <div className="fault" role="alert">
            <ErrorText error={error} />
          </div>
        )}
      </div>
      <Button onPress={onDiscard}>{t("common.discard")}</Button>
      <Button look="primary" isPending={isSaving} onPress={onSave}>
        {isSaving ? t("common.saving") : t("common.save")}
      </Button>
    </section>
  );
}
