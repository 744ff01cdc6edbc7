import { curvePicture, share } from './curve-picture.js';

const picture = curvePicture(
  'Bread < cake & rolls',
  [10, 100, 1000],
  [
    { name: 'ours', values: [1, 0.5, 0] },
    { name: 'theirs', values: [0.75, 0.25, 0.125] },
  ],
);
const marksOf = (pattern: RegExp) => [...picture.matchAll(pattern)].map(([, x, y]) => [Number(x), Number(y)] as const);

describe('curvePicture', () => {
  it('says all figures in words', () => {
    expect(picture).toContain('<title id="title">Bread &lt; cake &amp; rolls</title>');
    expect(picture).toContain(
      'ours: 1.000 at 10, .500 at 100, .000 at 1,000. theirs: .750 at 10, .250 at 100, .125 at 1,000.',
    );
  });

  it('places sizes on a logarithmic axis, and 0 and 1 at the ends of the other one', () => {
    const [[x1, y1], [x2, y2], [x3, y3]] = marksOf(/cx="([\d.]+)" cy="([\d.]+)"/g) as [
      [number, number],
      [number, number],
      [number, number],
    ];
    expect(x2 - x1).toBe(x3 - x2);
    expect(y2 - y1).toBe(y3 - y2);
    expect(picture).toContain(`y="${y1 + 5}">1.0<`);
    expect(picture).toContain(`y="${y3 + 5}">0.0<`);
  });

  it('distinguishes the curves without colours, and has colours for dark pages', () => {
    expect(picture.match(/<circle /g)).toHaveLength(4);
    expect(picture.match(/<path class="c1"/g)).toHaveLength(4);
    expect(picture).toContain('stroke-dasharray="7 5"');
    expect(picture).toContain('@media (prefers-color-scheme: dark)');
  });
});

describe('share', () => {
  it('has three digits and no zero in front', () => {
    expect([0.68085, 1, 0].map(share)).toEqual(['.681', '1.000', '.000']);
  });
});
