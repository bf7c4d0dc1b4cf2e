/** Collapsible section of the properties panel. */
import { type ReactNode, useState } from "react";
import { Icon } from "../../../ui/icons.tsx";

export interface SectionProps {
  readonly title: string;
  /** Short text beside the title while the section is closed. */
  readonly summary?: string;
  /** Whether the section is open at first. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** The content is rendered once the section was opened. */
export function Section({ title, summary, isOpen = true, children }: SectionProps): ReactNode {
  const [isShown, setIsShown] = useState(isOpen);
  const [wasShown, setWasShown] = useState(isOpen);
  return (
    <details
      className="section"
      open={isShown}
      onToggle={({ currentTarget }) => {
        setIsShown(currentTarget.open);
        if (currentTarget.open) setWasShown(true);
      }}
    >
      <summary>
        <span className="section-title">{title}</span>
        {summary === undefined || isShown ? null : <span className="section-summary clip">{summary}</span>}
        <Icon name="chevron" />
      </summary>
      {wasShown ? <div className="section-content">{children}</div> : null}
    </details>
  );
}
