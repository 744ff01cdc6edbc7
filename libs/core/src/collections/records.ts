/** Whether a record has every member of a filter; undefined members of the filter do not count. */
export function fits<T extends object>(record: T, filter: { readonly [K in keyof T]?: T[K] | undefined }): boolean {
  return (Object.keys(filter) as (keyof T)[]).every((key) => filter[key] === undefined || filter[key] === record[key]);
}

/** Adds an item to the list that a map has under a key. */
export function addTo<K, T>(groups: Map<K, T[]>, key: K, item: T): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}

/** The first result of a function over some items that is not undefined. */
export function firstOf<T, R>(items: Iterable<T>, of: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = of(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
