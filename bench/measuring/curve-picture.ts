import { mean } from './measures.js';

/** The values of one engine, one for each size. */
export interface Curve {
  readonly name: string;
  /** From 0 to 1. */
  readonly values: readonly number[];
}

const PLOT = { left: 56, right: 590, top: 52, bottom: 336 };
const LEGEND = { x: 618, y: 76, step: 26 };
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];
// Each curve also has a dash and a mark of its own, so that nobody needs to tell the colours apart.
const LOOKS = [
  { dash: 'none', mark: (x: number, y: number) => `<circle class="c0" cx="${x}" cy="${y}" r="5"/>` },
  { dash: '7 5', mark: (x: number, y: number) => `<path class="c1" d="M${x - 5} ${y - 5}h10v10h-10z"/>` },
] as const;
const STYLE = `
  text { font: 14px system-ui, sans-serif; fill: #1f2328; text-anchor: middle }
  .title { font-size: 16px; font-weight: 600 } .start { text-anchor: start } .end { text-anchor: end }
  .page { fill: #fff } .grid { stroke: #d1d9e0 }
  .c0 { fill: #0550ae } .c1 { fill: #953800 } .line.c0 { stroke: #0550ae } .line.c1 { stroke: #953800 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .page { fill: #0d1117 } .grid { stroke: #3d444d }
    .c0 { fill: #79c0ff } .c1 { fill: #ffa657 } .line.c0 { stroke: #79c0ff } .line.c1 { stroke: #ffa657 }
  }
  .line { fill: none; stroke-width: 2.5 }`;

/**
 * Draws two curves over sizes, on a logarithmic axis, as an SVG. It has its own background and follows the reader's
 * colour scheme; its description has all figures, for those who cannot see it.
 */
export function curvePicture(title: string, sizes: readonly number[], curves: readonly [Curve, Curve]): string {
  const [least, most] = [Math.log(Math.min(...sizes)), Math.log(Math.max(...sizes))];
  const inner = PLOT.right - PLOT.left - 48;
  const xs = sizes.map((size) => Math.round(PLOT.left + 24 + (inner * (Math.log(size) - least)) / (most - least)));
  const yOf = (value: number) => Math.round(PLOT.bottom - (PLOT.bottom - PLOT.top) * value);
  const drawn = curves.flatMap(({ name, values }, curve) => {
    const { dash, mark } = LOOKS[curve === 0 ? 0 : 1];
    const points = values.map((value, index) => ({ x: xs[index] ?? 0, y: yOf(value), value }));
    const isUpper = curves.every((other) => mean(other.values) <= mean(values));
    const legendY = LEGEND.y + curve * LEGEND.step;
    return [
      `<path class="line c${curve}" stroke-dasharray="${dash}" d="M${points.map(({ x, y }) => `${x} ${y}`).join('L')}"/>`,
      ...points.map(({ x, y }) => mark(x, y)),
      ...points.map(({ x, y, value }) => text(x, y + (isUpper ? -11 : 22), share(value))),
      mark(LEGEND.x, legendY),
      text(LEGEND.x + 12, legendY + 5, name, 'start'),
    ];
  });
  const figures = curves.map(
    ({ name, values }) =>
      `${name}: ${values.map((value, index) => `${share(value)} at ${count(sizes[index])}`).join(', ')}.`,
  );
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 400" role="img" aria-labelledby="title figures">',
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="figures">${escaped(figures.join(' '))}</desc>`,
    `<style>${STYLE}\n</style>`,
    '<rect class="page" width="720" height="400" rx="8"/>',
    text(PLOT.left, 28, title, 'title start'),
    ...TICKS.map((tick) => `<path class="grid" d="M${PLOT.left} ${yOf(tick)}H${PLOT.right}"/>`),
    ...TICKS.map((tick) => text(PLOT.left - 8, yOf(tick) + 5, tick.toFixed(1), 'end')),
    ...xs.map((x, index) => text(x, PLOT.bottom + 24, count(sizes[index]))),
    text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 50, 'tools in the catalog'),
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

/** A share as the documentation writes it: `.681`. */
export function share(value: number): string {
  return value.toFixed(3).replace(/^0/, '');
}

function text(x: number, y: number, content: string, kind = ''): string {
  return `<text${kind === '' ? '' : ` class="${kind}"`} x="${x}" y="${y}">${escaped(content)}</text>`;
}

function count(size = 0): string {
  return size.toLocaleString('en');
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
