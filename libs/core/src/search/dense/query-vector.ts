/** Any vector from outside. */
export type Numbers = readonly number[] | Float32Array;

/** A query as it is compared with stored vectors: whole numbers, and what makes their dot product a cosine. */
export interface QueryVector {
  readonly values: Int16Array;
  /** 1 / length; 0 for a vector without direction. */
  readonly scale: number;
}

// With 4,096 dimensions of a stored 127 the dot product stays below 2^31.
const QUERY_RANGE = 2_047;

/** Rounds a query's vector to whole numbers, 16 times finer than stored ones. */
export function queryVector(vector: Numbers): QueryVector {
  const values = new Int16Array(vector.length);
  const scale = quantize(vector, QUERY_RANGE, (dimension, value) => {
    values[dimension] = value;
  });
  return { values, scale };
}

/**
 * Rounds a vector so that its largest component has the size `range`.
 *
 * @returns 1 / length of what was put; 0 for a vector without direction
 */
export function quantize(vector: Numbers, range: number, put: (dimension: number, value: number) => void): number {
  let [largest, squares] = [0, 0];
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] ?? 0));
  if (largest === 0) return 0;
  for (let i = 0; i < vector.length; i++) {
    const rounded = Math.round(((vector[i] ?? 0) / largest) * range);
    squares += rounded * rounded;
    put(i, rounded);
  }
  return 1 / Math.sqrt(squares);
}

/**
 * Checks what an embedder answered.
 *
 * @throws Error for another number of vectors than texts, or one that is not `dimensions` finite numbers
 */
export function checkedVectors(answer: readonly Numbers[], texts: number, dimensions: number): readonly Numbers[] {
  if (!Array.isArray(answer) || answer.length !== texts) throw new Error(`it did not answer with ${texts} vectors`);
  const isVector = (vector: Numbers) =>
    vector?.length === dimensions && vector.every((value) => Number.isFinite(value));
  if (!answer.every(isVector)) throw new Error(`a vector does not consist of ${dimensions} numbers`);
  return answer;
}
