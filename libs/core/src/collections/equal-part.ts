/**
 * The most places that each of several may keep, so that all fit into a room: one that has fewer keeps all of them, and what
 * they leave free is shared by the others.
 *
 * @param counts the places that each has
 */
export function equalPart(counts: readonly number[], room: number): number {
  let left = room;
  for (const [index, count] of counts.toSorted((a, b) => a - b).entries()) {
    const part = Math.floor(left / (counts.length - index));
    if (count > part) return part;
    left -= count;
  }
  return Infinity;
}
