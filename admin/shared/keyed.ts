/** Keys for lists of items without ids. */

/** An item with a key for React. */
export type Keyed<Item> = readonly [key: string, item: Item];

/** Pairs each item with a unique key: its text, and a number for each repetition of that text. */
export function keyed<Item>(items: readonly Item[], textOf: (item: Item) => string = String): readonly Keyed<Item>[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const text = textOf(item);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return [count === 1 ? text : `${text} (${count})`, item];
  });
}
