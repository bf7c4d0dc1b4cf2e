/** Dialog in which a list of options is typed or pasted, one a line. */
import { type ReactNode, useState } from "react";
import type { Option } from "../../../shared/draft/content.ts";
import { useText } from "../../../shared/text/text.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/fields.tsx";
import { Dialog } from "../../../ui/overlays.tsx";
import { optionsToText, parseOptions } from "../model/options.ts";

interface PasteListProps {
  readonly options: readonly Option[];
  readonly published: readonly Option[];
  readonly onClose: () => void;
  readonly onUse: (options: readonly Option[]) => void;
}

export function PasteList({ options, published, onClose, onUse }: PasteListProps): ReactNode {
  const t = useText();
  const [text, setText] = useState(() => optionsToText(options));
  const parsed = parseOptions(text, options, published);
  return (
    <Dialog
      title={t("build.pasteList")}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("common.cancel")}</Button>
          <Button
            look="primary"
            onPress={() => {
              onUse(parsed);
              onClose();
            }}
          >
            {t("build.useOptions", { count: parsed.length })}
          </Button>
        </>
      }
    >
      <TextField
        label={t("build.optionLines")}
        help={t("build.optionsHelp")}
        rows={12}
        autoFocus
        value={text}
        onChange={setText}
      />
    </Dialog>
  );
}
