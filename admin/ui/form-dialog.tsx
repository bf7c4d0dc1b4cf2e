/** Dialog with a form that is saved by one request. */
import type { ReactNode } from "react";
import { useText } from "../shared/text/text.tsx";
import { Button } from "./button.tsx";
import { Dialog, type DialogProps } from "./overlays.tsx";
import { ErrorText } from "./states.tsx";

export interface FormDialogProps extends Pick<DialogProps, "title" | "wide" | "onClose" | "children"> {
  /** The request; its error shows above the fields. */
  readonly request: {
    readonly isPending: boolean;
    readonly isError: boolean;
    readonly error: unknown;
    mutate(input: undefined): void;
  };
  /** Text of the button that sends the request. */
  readonly action: string;
  readonly isDisabled?: boolean;
}

export function FormDialog({
  request,
  action,
  isDisabled = false,
  onClose,
  children,
  ...dialog
}: FormDialogProps): ReactNode {
  const t = useText();
  return (
    <Dialog
      {...dialog}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t("common.cancel")}</Button>
          <Button
            look="primary"
            isDisabled={isDisabled}
            isPending={request.isPending}
            onPress={() => request.mutate(undefined)}
          >
            {action}
          </Button>
        </>
      }
    >
      {request.isError ? (
        <div className="fault" role="alert">
          <ErrorText error={request.error} />
        </div>
      ) : null}
      {children}
    </Dialog>
  );
}
