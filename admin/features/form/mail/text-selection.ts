/** The selection within an editable element, in the page or in a shadow root. */

type SelectionRoot = Node & { getSelection?: () => Selection | null };

const selectionOf = (element: HTMLElement): Selection | null =>
  (element.getRootNode() as SelectionRoot).getSelection?.() ?? document.getSelection();

/** Returns a copy of the selected range if it is within the element; else null. */
export function rangeIn(element: HTMLElement): Range | null {
  const selection = selectionOf(element);
  if (selection === null || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  return element.contains(range.commonAncestorContainer) ? range.cloneRange() : null;
}

export function select(element: HTMLElement, range: Range): void {
  const selection = selectionOf(element);
  if (!element.contains(range.commonAncestorContainer)) return;
  selection?.removeAllRanges();
  selection?.addRange(range);
}
