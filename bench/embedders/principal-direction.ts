const MAX_ROUNDS = 100;
const SETTLED = 1e-7;

/**
 * Returns the principal direction of the vectors as a unit vector (the first right singular vector of the rows, by
 * power iteration); all 0 if there is none.
 */
export function principalDirection(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  // Starts with a row: a direction orthogonal to every row cannot be the result.
  let direction = unit(longest(vectors) ?? new Float32Array(dimensions));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const sum = new Float32Array(dimensions);
    for (const vector of vectors) addTo(sum, vector, dot(vector, direction));
    const turned = unit(sum);
    const isSettled = 1 - dot(turned, direction) < SETTLED;
    direction = turned;
    if (isSettled) break;
  }
  return direction;
}

/** Removes from a vector its component along a unit vector. */
export function without(direction: Float32Array, vector: Float32Array): Float32Array {
  const share = dot(vector, direction);
  return vector.map((value, i) => value - share * (direction[i] ?? 0));
}

/** Adds `factor * vector` to `target` in place. */
export function addTo(target: Float32Array, vector: Float32Array, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i] = (target[i] ?? 0) + factor * (vector[i] ?? 0);
}

function longest(vectors: readonly Float32Array[]): Float32Array | undefined {
  return vectors.reduce<Float32Array | undefined>(
    (best, vector) => (best && dot(best, best) >= dot(vector, vector) ? best : vector),
    undefined,
  );
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
