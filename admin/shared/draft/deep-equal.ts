/** Whether two JSON values are deeply equal; the order of an object's members does not matter. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
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
    members.every(
      ([key, value]) => key in other && isDeepEqual(value, (other as Readonly<Record<string, unknown>>)[key]),
    )
  );
}
