/** The `nth` largest (from 1) of the first `count` values (quickselect). Reorders the values. */
export function nthLargest(values: Float64Array, count: number, nth: number): number {
  const wanted = nth - 1;
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = values[(low + high) >>> 1] ?? 0;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] ?? 0) > pivot) left += 1;
      while ((values[right] ?? 0) < pivot) right -= 1;
      if (left > right) break;
      const value = values[left] ?? 0;
      values[left++] = values[right] ?? 0;
      values[right--] = value;
    }
    if (wanted <= right) high = right;
    else if (wanted >= left) low = left;
    else break;
  }
  return values[wanted] ?? 0;
}
