import { type PlainText, plainText } from './safe-text.js';

interface BarProps {
  /** From 0 to 1. */
  readonly share: number;
  /** What the picture says, for those who do not see it. */
  readonly label: string;
  readonly tone?: 'accent' | 'muted' | 'good' | 'bad';
}

/** A horizontal bar. */
export function Bar({ share, label, tone = 'accent' }: BarProps) {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={plainText(label)}>
      <rect class="bar-track" width="100" height="8" />
      <rect class={`bar-${tone}`} width={width} height="8" />
    </svg>
  );
}

/** A number with separators. */
export const count = (value: number): PlainText => plainText(value.toLocaleString('en'));
