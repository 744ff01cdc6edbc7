import { useState } from 'preact/hooks';
import { type PlainText, plainText } from '../safe-text.js';
import { Table } from '../screen.js';
import { roundTop, spanName, type TimeAxis } from './time-axis.js';

const HEIGHT = 100;

/** One kind of value of each span. */
export interface Series {
  readonly name: string;
  readonly tone: 'accent' | 'muted' | 'good' | 'warn' | 'bad';
  /** Undefined where there is none. */
  readonly values: readonly (number | undefined)[];
}

interface ChartProps {
  readonly title: string;
  readonly axis: TimeAxis;
  readonly series: readonly Series[];
  /** Bars upon each other, bars behind each other, the largest first, or lines. */
  readonly as: 'stacked' | 'behind' | 'lines';
  /** A value with its unit. */
  readonly inWords: (value: number) => PlainText;
}

/** Values over time: a picture with axes and a legend, the values of a span by pointer and arrow keys, and a table. */
export function Chart({ title, axis, series, as, inWords }: ChartProps) {
  const [at, setAt] = useState<number>();
  const { length } = axis;
  const top = roundTop(Math.max(0, ...topsOf(series, as, length)));
  const textAt = (index: number) =>
    plainText(
      `${spanName(axis, index)}: ${series.map(({ name, values }) => `${name} ${valueAt(values, index)}`).join(', ')}`,
      400,
    );
  const valueAt = (values: Series['values'], index: number) => {
    const value = values[index];
    return value === undefined ? '–' : inWords(value);
  };
  const shown = at ?? length - 1;
  const point = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * length))));
  };
  const step = (event: KeyboardEvent) => {
    const next = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.min(length - 1, Math.max(0, next)));
  };
  return (
    <figure class="charted">
      <figcaption>
        <strong>{plainText(title)}</strong>
        <ul class="legend">
          {series.map(({ name, tone }) => (
            <li key={name}>
              <svg class="key" viewBox="0 0 1 1" aria-hidden="true">
                <rect class={`bar-${tone}`} width="1" height="1" />
              </svg>
              {plainText(name)}
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="plot">
        <div class="y-axis" aria-hidden="true">
          <span>{inWords(top)}</span>
          <span>{inWords(top / 2)}</span>
          <span>{inWords(0)}</span>
        </div>
        <div
          class="spans"
          role="slider"
          tabIndex={0}
          aria-label={plainText(`${title}, by time`)}
          aria-valuemin={0}
          aria-valuemax={length - 1}
          aria-valuenow={shown}
          aria-valuetext={textAt(shown)}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setAt(undefined)}
          onKeyDown={step}
        >
          <svg viewBox={`0 0 ${length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            <path class="grid" d={`M0 0H${length}M0 ${HEIGHT / 2}H${length}`} />
            {at !== undefined && <rect class="pointed" x={at} width="1" height={HEIGHT} />}
            {as === 'lines' ? (
              <Lines series={series} top={top} />
            ) : (
              <Bars series={series} top={top} length={length} isStacked={as === 'stacked'} />
            )}
          </svg>
        </div>
        <div class="x-axis" aria-hidden="true">
          <span>{spanName(axis, 0)}</span>
          {length > 2 && <span>{spanName(axis, Math.floor(length / 2))}</span>}
          {length > 1 && <span>{spanName(axis, length - 1)}</span>}
        </div>
      </div>
      {/* A screen reader is told by the slider. */}
      <p class="readout" aria-hidden="true">
        {at === undefined ? 'Point at a time, or choose it with the arrow keys.' : textAt(at)}
      </p>
      <ValueTable title={title} axis={axis} series={series} valueAt={valueAt} />
    </figure>
  );
}

/** The highest point of each span. */
function topsOf(series: readonly Series[], as: ChartProps['as'], length: number): readonly number[] {
  return Array.from({ length }, (_, index) => {
    const values = series.map((each) => each.values[index] ?? 0);
    return as === 'stacked' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
  });
}

interface BarsProps {
  readonly series: readonly Series[];
  readonly top: number;
  readonly length: number;
  readonly isStacked: boolean;
}

function Bars({ series, top, length, isStacked }: BarsProps) {
  const feet = Array.from({ length }, () => 0);
  return (
    <>
      {series.map(({ name, tone, values }) => {
        // One path for all bars of a kind: a week has 168 of them.
        const bars = values.flatMap((value = 0, index) => {
          const height = (value / top) * HEIGHT;
          const foot = isStacked ? (feet[index] ?? 0) : 0;
          feet[index] = foot + height;
          return height === 0 ? [] : [`M${index + 0.1} ${HEIGHT - foot}h0.8v${-height}h-0.8z`];
        });
        return <path key={name} class={`bar-${tone}`} d={bars.join('')} />;
      })}
    </>
  );
}

function Lines({ series, top }: { readonly series: readonly Series[]; readonly top: number }) {
  return (
    <>
      {series.map(({ name, tone, values }) => {
        const points = values.map((value, index) => {
          if (value === undefined) return '';
          const [x, y] = [index + 0.5, HEIGHT - (value / top) * HEIGHT];
          if (values[index - 1] !== undefined) return `L${x} ${y}`;
          // Without neighbours there is no line, so a short one is drawn.
          return values[index + 1] === undefined ? `M${x - 0.3} ${y}h0.6` : `M${x} ${y}`;
        });
        return <path key={name} class={`line line-${tone}`} d={points.join('')} />;
      })}
    </>
  );
}

interface ValueTableProps {
  readonly title: string;
  readonly axis: TimeAxis;
  readonly series: readonly Series[];
  readonly valueAt: (values: Series['values'], index: number) => PlainText | '–';
}

/** The spans that have a value, the newest first; drawn only when it is opened. */
function ValueTable({ title, axis, series, valueAt }: ValueTableProps) {
  const [isOpen, setOpen] = useState(false);
  const indexes = Array.from({ length: axis.length }, (_, index) => axis.length - 1 - index).filter((index) =>
    series.some(({ values }) => (values[index] ?? 0) > 0),
  );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        As a table<span class="unseen">: {plainText(title)}</span>
      </summary>
      {isOpen && (
        <Table caption={title} columns={['From', ...series.map(({ name }) => ({ number: name }))]}>
          {indexes.map((index) => (
            <tr key={index}>
              <td>{spanName(axis, index)}</td>
              {series.map(({ name, values }) => (
                <td key={name}>{valueAt(values, index)}</td>
              ))}
            </tr>
          ))}
        </Table>
      )}
    </details>
  );
}
