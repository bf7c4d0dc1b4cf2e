/** One run of an action: what it said, what it sent, and what was answered. */
import { type ReactNode, useState } from "react";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { Output } from "../../ui/output.tsx";

export interface RunDetailsProps {
  readonly id: number;
  readonly name: string;
  readonly message: string;
  /** Missing where the run kept nothing, such as one before this was stored. */
  readonly output?: unknown;
}

export function RunDetails({ id, name, message, output }: RunDetailsProps): ReactNode {
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  if (output === undefined || output === null) return null;
  return (
    <>
      <Button look="quiet" onPress={() => setIsOpen(true)} aria-label={t("log.detailsOf", { id })}>
        {t("queue.details")}
      </Button>
      <Dialog wide title={`${name} #${id}`} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <p className="answer">{message}</p>
        <Output value={output} />
      </Dialog>
    </>
  );
}
