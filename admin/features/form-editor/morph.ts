/** Patches one element to equal another, changing only the differences, so that the iframe does not reload. */
export function morph(from: Element, to: Element): void {
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name)) from.removeAttribute(name);
  for (const { name, value } of [...to.attributes])
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  const oldNodes = [...from.childNodes];
  const newNodes = [...to.childNodes];
  let start = 0;
  while (
    start < oldNodes.length &&
    start < newNodes.length &&
    oldNodes[start]?.isEqualNode(newNodes[start] ?? null) === true
  )
    start += 1;
  let end = 0;
  while (
    end < oldNodes.length - start &&
    end < newNodes.length - start &&
    oldNodes[oldNodes.length - 1 - end]?.isEqualNode(newNodes[newNodes.length - 1 - end] ?? null) === true
  )
    end += 1;
  const removed = oldNodes.slice(start, oldNodes.length - end);
  const inserted = newNodes.slice(start, newNodes.length - end);
  const next = oldNodes[oldNodes.length - end] ?? null;
  const isSameShape =
    removed.length === inserted.length && removed.every((node, index) => node.nodeName === inserted[index]?.nodeName);
  inserted.forEach((node, index) => {
    const old = removed[index];
    if (isSameShape && old?.nodeType === 1) morph(old as Element, node as Element);
    else if (isSameShape && old !== undefined) old.textContent = node.textContent;
    else from.insertBefore(from.ownerDocument.importNode(node, true), next);
  });
  if (!isSameShape) for (const node of removed) node.remove();
}
