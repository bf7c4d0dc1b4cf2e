/** A form's address with a button that copies it. If the form is online, the address is a link. */
import type { ReactNode } from "react";
import { useText } from "../../shared/text/text.tsx";
import { Button } from "../../ui/button.tsx";
import { useCopy } from "../../ui/copy.tsx";

export interface LinkBoxProps {
  readonly url: string;
  /** Whether visitors can open the link already; default true. */
  readonly isOnline?: boolean;
}

export function LinkBox({ url, isOnline = true }: LinkBoxProps): ReactNode {
  const t = useText();
  const copy = useCopy();
  return (
    <div className="link-box">
      {isOnline ? (
        <a href={url} target="_blank" rel="noopener" className="clip">
          {url}
        </a>
      ) : (
        <span className="clip">{url}</span>
      )}
      <Button icon="copy" onPress={() => copy(url)}>
        {t("forms.copyAddress")}
      </Button>
    </div>
  );
}
