/** Makes one document's body look like another's, touching only what differs, so that a frame need not load anew. */
export function morph(from: Element, to: Element): void {
  for (const { name } of [...from.attributes]) if (!to.hasAttribute(name)) from.removeAttribute(name);
  for (const { name, value } of [...to.attributes])
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  const olds = [...from.childNodes];
  const news = [...to.childNodes];
  let start = 0;
  while (start < olds.length && start < news.length && olds[start]?.isEqualNode(news[start] ?? null) === true)
    start += 1;
  let end = 0;
  while (
    end < olds.length - start &&
    end < news.length - start &&
    olds[olds.length - 1 - end]?.isEqualNode(news[news.length - 1 - end] ?? null) === true
  )
    end += 1;
  const gone = olds.slice(start, olds.length - end);
  const come = news.slice(start, news.length - end);
  const behind = olds[olds.length - end] ?? null;
  const isSameShape =
    gone.length === come.length && gone.every((node, index) => node.nodeName === come[index]?.nodeName);
  come.forEach((node, index) => {
    const old = gone[index];
    if (isSameShape && old?.nodeType === 1) morph(old as Element, node as Element);
    else if (isSameShape && old !== undefined) old.textContent = node.textContent;
    else from.insertBefore(from.ownerDocument.importNode(node, true), behind);
  });
  if (!isSameShape) for (const node of gone) node.remove();
}
