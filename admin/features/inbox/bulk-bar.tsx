/** Toolbar for the selected submissions. */
import type { ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import type { View } from "./filters.ts";

export interface BulkBarProps {
  readonly count: number;
  readonly view: View;
  readonly onStatus: (status: string) => void;
  readonly onDelete: () => void;
  readonly onAll: () => void;
  readonly onNone: () => void;
}

export function BulkBar({ count, view, onStatus, onDelete, onAll, onNone }: BulkBarProps): ReactNode {
  const t = useText();
  return (
    <div className="bulk" role="toolbar" aria-label={t("inbox.bulk")}>
      <strong>{t("inbox.selectedCount", { count })}</strong>
      <Button look="quiet" onPress={onAll}>
        {t("inbox.selectAll")}
      </Button>
      <Button look="quiet" onPress={onNone}>
        {t("inbox.selectNone")}
      </Button>
      <span className="spacer" />
      <Button onPress={() => onStatus("read")}>{t("inbox.markRead")}</Button>
      <Button onPress={() => onStatus("new")}>{t("inbox.markNew")}</Button>
      <Button onPress={() => onStatus("archived")}>{t("inbox.archive")}</Button>
      {view === "spam" ? (
        <Button onPress={() => onStatus("read")}>{t("inbox.notSpam")}</Button>
      ) : (
        <Button onPress={() => onStatus("spam")}>{t("inbox.markSpam")}</Button>
      )}
      {view === "trash" ? (
        <Button look="danger" onPress={onDelete}>
          {t("inbox.deleteForever")}
        </Button>
      ) : (
        <Button onPress={() => onStatus("trash")}>{t("inbox.trash")}</Button>
      )}
    </div>
  );
}
