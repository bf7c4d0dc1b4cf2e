/** Dialog of one run: its message and its output, such as a request and its response. */
import { type ReactNode, useState } from "react";
import { useText } from "../../shared/text/text.tsx";
import { ApiMessage, OriginalMessage } from "../../ui/api-message.tsx";
import { deliveryProblem } from "../../../client/delivery-problem.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/overlays.tsx";
import { RunOutput } from "../../ui/output.tsx";

export interface RunDetailsProps {
  readonly id: number;
  readonly name: string;
  readonly message: string;
  /** Absent for a run without output, such as one from before output was stored. */
  readonly output?: unknown;
}

export function RunDetails({ id, name, message, output }: RunDetailsProps): ReactNode {
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  const hasOutput = output !== undefined && output !== null;
  if (!hasOutput && deliveryProblem(message) === null) return null;
  return (
    <>
      <Button look="quiet" onPress={() => setIsOpen(true)} aria-label={t("log.detailsOf", { id })}>
        {t("queue.details")}
      </Button>
      <Dialog wide title={`${name} #${id}`} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <p className="answer">
          <ApiMessage>{message}</ApiMessage>
        </p>
        <OriginalMessage>{message}</OriginalMessage>
        {hasOutput ? <RunOutput value={output} /> : null}
      </Dialog>
    </>
  );
}
