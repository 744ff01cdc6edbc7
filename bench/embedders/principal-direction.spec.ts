import { principalDirection, without } from './principal-direction.js';

describe('principalDirection', () => {
  it('is what vectors have most in common', () => {
    const vectors = [Float32Array.of(3, 4, 0.1), Float32Array.of(6, 8, -0.1), Float32Array.of(-3, -4, 0)];
    expect([...principalDirection(vectors, 3)].map(Math.abs)).toEqual([
      expect.closeTo(0.6, 3),
      expect.closeTo(0.8, 3),
      expect.closeTo(0, 1),
    ]);
  });

  it('is found where it is at right angles to the start', () => {
    expect([...principalDirection([Float32Array.of(1, -1)], 2)].map(Math.abs)).toEqual([
      expect.closeTo(Math.SQRT1_2),
      expect.closeTo(Math.SQRT1_2),
    ]);
  });

  it('is none without vectors', () => {
    expect(principalDirection([], 2)).toEqual(new Float32Array(2));
    expect(principalDirection([new Float32Array(2)], 2)).toEqual(new Float32Array(2));
  });
});

describe('without', () => {
  it('leaves what is at right angles', () => {
    expect(without(Float32Array.of(1, 0), Float32Array.of(3, 4))).toEqual(Float32Array.of(0, 4));
    expect(without(new Float32Array(2), Float32Array.of(3, 4))).toEqual(Float32Array.of(3, 4));
  });
});
