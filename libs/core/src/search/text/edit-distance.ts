const FAR = 1_000_000;

// Three rows of the distance table, reused by every comparison: one misspelt word needs thousands of them.
let beforeLast = new Int32Array(64);
let last = new Int32Array(64);
let row = new Int32Array(64);

/**
 * Number of letters to insert, delete, replace or swap with their neighbour to turn one word into the other (optimal
 * string alignment distance); `max + 1` if it exceeds `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  let [start, endOfA, endOfB] = [0, a.length, b.length];
  if (Math.abs(endOfA - endOfB) > max) return max + 1;
  while (start < endOfA && start < endOfB && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  while (endOfA > start && endOfB > start && a.charCodeAt(endOfA - 1) === b.charCodeAt(endOfB - 1)) {
    endOfA -= 1;
    endOfB -= 1;
  }
  const width = endOfB - start;
  if (row.length < width + 2) grow(2 * width + 2);
  for (let j = 0; j <= width; j++) last[j] = j;
  for (let i = 1; i <= endOfA - start; i++) {
    // Cells further than `max` from the diagonal exceed `max`.
    const from = Math.max(1, i - max);
    const to = Math.min(width, i + max);
    const letter = a.charCodeAt(start + i - 1);
    const before = i > 1 ? a.charCodeAt(start + i - 2) : -1;
    row[from - 1] = from === 1 ? i : FAR;
    let least = row[from - 1] as number;
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(start + j - 1);
      let distance = (last[j - 1] as number) + (letter === other ? 0 : 1);
      distance = Math.min(distance, (last[j] as number) + 1, (row[j - 1] as number) + 1);
      if (before === other && j > 1 && letter === b.charCodeAt(start + j - 2)) {
        distance = Math.min(distance, (beforeLast[j - 2] as number) + 1);
      }
      row[j] = distance;
      if (distance < least) least = distance;
    }
    if (to < width) row[to + 1] = FAR;
    if (least > max) return max + 1;
    const free = beforeLast;
    beforeLast = last;
    last = row;
    row = free;
  }
  return Math.min(last[width] as number, max + 1);
}

function grow(length: number): void {
  beforeLast = new Int32Array(length);
  last = new Int32Array(length);
  row = new Int32Array(length);
}
