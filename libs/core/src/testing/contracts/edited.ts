/** What a test does to some part of a JSON value. Loosely typed, because it names the part by its path. */
// oxlint-disable-next-line typescript/no-explicit-any -- every step of such a path would need a check that fails no test
export type JsonEdit = (copy: any) => void;

/** A copy of a JSON value after an edit. */
export function edited<T>(value: T, edit: JsonEdit): T {
  const copy = structuredClone(value);
  edit(copy);
  return copy;
}
