/** Collapsible section of the properties panel. */
import { type ReactNode, useState } from "react";
import { Icon } from "../../../ui/icons.tsx";

export interface SectionProps {
  readonly title: string;
  /** Short text beside the title while the section is closed. */
  readonly summary?: string;
  /** Whether the section is open at first. */
  readonly isOpen?: boolean;
  /** Key under which all panels remember whether the section is open. */
  readonly memory?: string;
  readonly children: ReactNode;
}

/** Sections that were opened or closed, by their key, for as long as the page is open. */
const remembered = new Map<string, boolean>();

/** Renders the content once the section was opened. */
export function Section({ title, summary, isOpen = true, memory, children }: SectionProps): ReactNode {
  const [isShown, setIsShown] = useState(() => remembered.get(memory ?? "") ?? isOpen);
  const [wasShown, setWasShown] = useState(isShown);
  return (
    <details
      className="section"
      open={isShown}
      onToggle={({ currentTarget }) => {
        setIsShown(currentTarget.open);
        if (memory !== undefined) remembered.set(memory, currentTarget.open);
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
