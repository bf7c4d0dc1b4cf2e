/** Copies text to the clipboard and shows a notice. */
import type { ReactNode } from "react";
import { useText } from "../shared/text/text.tsx";
import { Button, IconButton } from "./button.tsx";
import { useNotices } from "../shared/notices.ts";
import { Output } from "./scrollable.tsx";

export function useCopy(): (text: string) => void {
  const t = useText();
  const notices = useNotices();
  return (text) => {
    navigator.clipboard.writeText(text).then(
      () => notices.show(t("common.copied")),
      () => notices.show(t("common.notCopied")),
    );
  };
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const copy = useCopy();
  return <IconButton icon="copy" label={label} onPress={() => copy(text)} />;
}

/** Code with a button that copies it. */
export function Snippet({
  title,
  help,
  code,
}: {
  readonly title: string;
  readonly help?: string;
  readonly code: string;
}): ReactNode {
  const t = useText();
  const copy = useCopy();
  return (
    <figure className="snippet">
      <figcaption>
        <strong>{title}</strong>
        <Button icon="copy" look="quiet" onPress={() => copy(code)} aria-label={t("common.copyOf", { what: title })}>
          {t("common.copy")}
        </Button>
      </figcaption>
      {help === undefined ? null : <p className="help">{help}</p>}
      <Output label={title}>
        <code>{code}</code>
      </Output>
    </figure>
  );
}

/** Downloads the content as a file. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
