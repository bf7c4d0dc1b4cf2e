/** A new password, which is shown once and can be copied. */
import type { ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { CopyButton } from "../../ui/copy.tsx";

interface PasswordHintProps {
  readonly text: string;
  readonly password: string;
  readonly children?: ReactNode;
}

export function PasswordHint({ text, password, children }: PasswordHintProps): ReactNode {
  const t = useText();
  return (
    <div className="hint" role="status">
      {text}
      <p className="row">
        <code className="secret">{password}</code>
        <CopyButton text={password} label={t("common.copy")} />
      </p>
      {children}
    </div>
  );
}
