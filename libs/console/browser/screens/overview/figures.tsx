import type { ComponentChildren } from 'preact';
import type { PlainText } from '../../parts/safe-text.js';

/** Figures beside each other. */
export function Figures({ children }: { readonly children: ComponentChildren }) {
  return <ul class="figures">{children}</ul>;
}

interface FigureProps {
  readonly value: PlainText;
  readonly words: ComponentChildren;
  /** The link to what it counts. */
  readonly to: string;
  /** Whether it needs attention. */
  readonly isAlert?: boolean;
}

/** One figure, which leads to what it counts. */
export function Figure({ value, words, to, isAlert = false }: FigureProps) {
  return (
    <li>
      <a href={to} class={isAlert ? 'figure figure-alert' : 'figure'}>
        <strong>{value}</strong> {words}
      </a>
    </li>
  );
}
