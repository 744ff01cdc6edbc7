import { isObject } from '../json/json.js';
import { isLegalName } from './tool-name.js';

/** That a tool should not be used any more. Times are ISO 8601: a date (UTC) or a date with a time and an offset. */
export interface Deprecation {
  /** Since when. */
  readonly since?: string;
  /** Canonical name of the tool to use instead. */
  readonly successor?: string;
  /** When it stops: from then on it is not listed or found, and a call answers `TOOL_RETIRED`. @default never */
  readonly sunset?: string;
}

/** The members of a {@link Deprecation}. */
export const DEPRECATION_KEYS = ['since', 'successor', 'sunset'] as const;

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Whether a text is a date or a time with an offset, in ISO 8601. */
export function isTime(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 40 && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

/** Epoch milliseconds from which a tool is retired; `Infinity` for never. */
export function sunsetOf(deprecation: Deprecation | undefined): number {
  return deprecation?.sunset === undefined ? Infinity : Date.parse(deprecation.sunset);
}

/** Whether the members that a deprecation may have are valid; others are not looked at. */
export function isDeprecation(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { since, successor, sunset } = value;
  return (
    (since === undefined || isTime(since)) &&
    (sunset === undefined || isTime(sunset)) &&
    (successor === undefined || (typeof successor === 'string' && isLegalName(successor)))
  );
}

/**
 * One sentence for a model that uses a deprecated tool.
 *
 * @param successor the name that the model knows; only where the caller may see that tool
 */
export function deprecationNote(name: string, { since, sunset }: Deprecation, successor?: string): string {
  const from = since === undefined ? '' : ` since ${since}`;
  const until = sunset === undefined ? '' : ` and stops on ${sunset}`;
  const instead = successor === undefined ? '' : ` Use ${successor} instead.`;
  return `${name} is deprecated${from}${until}.${instead}`;
}
