/** Toolbar of the form editor. */
import type { ReactNode } from "react";
import type { Draft } from "../../shared/draft/draft.ts";
import { useText } from "../../shared/text/text.tsx";
import { Button, IconButton } from "../../ui/button.tsx";

interface EditorBarProps {
  readonly editor: Draft;
  readonly isCode: boolean;
  readonly onCode: (isCode: boolean) => void;
}

/** Undo, redo, whether the draft is saved, and the switch between fields and HTML. */
export function EditorBar({ editor, isCode, onCode }: EditorBarProps): ReactNode {
  const t = useText();
  return (
    <div className="build-bar" role="toolbar" aria-label={t("build.toolbar")}>
      <IconButton icon="undo" label={t("build.undo")} isDisabled={!editor.canUndo} onPress={editor.undo} />
      <IconButton icon="redo" label={t("build.redo")} isDisabled={!editor.canRedo} onPress={editor.redo} />
      <Button look="quiet" onPress={() => onCode(!isCode)} aria-pressed={isCode}>
        {isCode ? t("build.showFields") : "HTML"}
      </Button>
      <span className="muted" role="status">
        {t(`build.${editor.saving}`)}
      </span>
    </div>
  );
}
