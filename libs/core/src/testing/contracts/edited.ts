/** An edit of a part of a JSON value. Loosely typed, because it addresses the part by its path. */
// oxlint-disable-next-line typescript/no-explicit-any -- every step of such a path would need a check that fails no test
export type JsonEdit = (copy: any) => void;

export function edited<T>(value: T, edit: JsonEdit): T {
  const copy = structuredClone(value);
  edit(copy);
  return copy;
}
