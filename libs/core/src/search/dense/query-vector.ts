/** A vector as returned by an embedder. */
export type Numbers = readonly number[] | Float32Array;

/** A query vector in whole numbers, with the factor that turns its dot products into cosines. */
export interface QueryVector {
  readonly values: Int16Array;
  /** 1 / length; 0 for the zero vector. */
  readonly scale: number;
}

// With 4,096 dimensions and stored values up to 127 the dot product stays below 2^31.
const QUERY_RANGE = 2_047;

/** Rounds a query's vector to whole numbers, 16 times finer than stored vectors. */
export function queryVector(vector: Numbers): QueryVector {
  const values = new Int16Array(vector.length);
  const scale = quantize(vector, QUERY_RANGE, (dimension, value) => {
    values[dimension] = value;
  });
  return { values, scale };
}

/**
 * Rounds a vector to whole numbers, scaled so that the largest component has the size `range`.
 *
 * @returns 1 / length of the rounded vector; 0 for the zero vector
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
 * Validates the answer of an embedder.
 *
 * @throws Error if the number of vectors differs from `texts`, or a vector is not `dimensions` finite numbers
 */
export function checkedVectors(answer: readonly Numbers[], texts: number, dimensions: number): readonly Numbers[] {
  if (!Array.isArray(answer) || answer.length !== texts) throw new Error(`it did not answer with ${texts} vectors`);
  const isVector = (vector: Numbers) =>
    vector?.length === dimensions && vector.every((value) => Number.isFinite(value));
  if (!answer.every(isVector)) throw new Error(`a vector does not consist of ${dimensions} numbers`);
  return answer;
}
