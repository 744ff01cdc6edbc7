import { useState } from 'preact/hooks';
import { cutText, plainText, visibleText } from './safe-text.js';

interface TextProps {
  readonly value: string;
  /** Characters that are shown at first. @default 300 */
  readonly max?: number;
}

/** A text of others: never markup, isolated from the direction of its surroundings, cut with a way to see all. */
export function Text({ value, max }: TextProps) {
  const [isWhole, setWhole] = useState(false);
  const { text, isCut } = cutText(value, max);
  if (!isCut) return <bdi>{visibleText(value)}</bdi>;
  return (
    <>
      {isWhole ? (
        <pre class="whole" tabIndex={0} role="region" aria-label="The whole text">
          <bdi>{visibleText(value)}</bdi>
        </pre>
      ) : (
        <bdi>{visibleText(text)}…</bdi>
      )}{' '}
      <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : `Show all ${value.length.toLocaleString('en')} characters`}
      </button>
    </>
  );
}

interface NameProps {
  readonly of: string;
  /** Characters that are shown. @default 120 */
  readonly max?: number;
}

/**
 * A text of others within a button, a link or a label, where the button of {@link Text} does not fit: cut without a way to
 * see all, so the whole of it must be shown somewhere else.
 */
export function Name({ of, max }: NameProps) {
  return <bdi>{plainText(of, max)}</bdi>;
}

/** Tells a screen reader which of many equal buttons or links it is. */
export function UnseenName({ of }: NameProps) {
  return (
    <span class="unseen">
      {' '}
      <Name of={of} />
    </span>
  );
}

/** A value as indented JSON. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = JSON.stringify(value, undefined, 2) ?? '';
  const { text: shown, isCut } = cutText(text, 4000);
  return (
    <pre class="json" tabIndex={0} role="region" aria-label={plainText(label)}>
      {isCut ? <Text value={text} max={4000} /> : <bdi>{visibleText(shown)}</bdi>}
    </pre>
  );
}
