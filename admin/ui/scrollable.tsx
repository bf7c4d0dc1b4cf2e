/** Wide or long content that scrolls inside the screen. */
import type { ReactNode } from "react";

export interface ScrollableProps {
  /** Name of the region for screen readers. */
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Region that scrolls, also by keyboard. */
export function Scrollable({ label, className = "scroll", children }: ScrollableProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: Safari scrolls a region by keyboard only when it has the focus.
    <section className={className} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** Preformatted text, such as a mail or a request. */
export function Output({ label, children }: Omit<ScrollableProps, "className">): ReactNode {
  return (
    <Scrollable label={label} className="output">
      <pre>{children}</pre>
    </Scrollable>
  );
}
