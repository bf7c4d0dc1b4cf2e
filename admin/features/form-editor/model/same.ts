/** Whether two values of JSON say the same; in which order an object has its members says nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (
    typeof one !== "object" ||
    typeof other !== "object" ||
    one === null ||
    other === null ||
    Array.isArray(one) !== Array.isArray(other)
  )
    return false;
  const members = Object.entries(one);
  return (
    members.length === Object.keys(other).length &&
    members.every(([key, value]) => key in other && isSame(value, (other as Readonly<Record<string, unknown>>)[key]))
  );
}
