import { z } from 'zod';
import { object, type OptionsOf, value } from '../options/options.js';
import { isLegalName } from './tool-name.js';

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Whether a text is a date or a time with an offset, in ISO 8601. */
export function isTime(given: unknown): given is string {
  return typeof given === 'string' && given.length <= 40 && TIME.test(given) && !Number.isNaN(Date.parse(given));
}

const time = () => value<string>(isTime, 'a date, or a time with an offset, in ISO 8601');

/** The schema of a {@link Deprecation}. Other members are refused. */
export const deprecationOptions = object({
  /** Since when. */
  since: time().optional(),
  /** Canonical name of the tool to use instead. */
  successor: value<string>((given) => typeof given === 'string' && isLegalName(given), 'a canonical name').optional(),
  /** When it stops: from then on it is not listed or found, and a call answers `TOOL_RETIRED`. @default never */
  sunset: time().optional(),
});

const openDeprecation = z.object(deprecationOptions.shape);

/** That a tool should not be used any more. Times are ISO 8601: a date (UTC) or a date with a time and an offset. */
export interface Deprecation extends Readonly<OptionsOf<typeof deprecationOptions>> {}

/** Epoch milliseconds from which a tool is retired; `Infinity` for never. */
export function sunsetOf(deprecation: Deprecation | undefined): number {
  return deprecation?.sunset === undefined ? Infinity : Date.parse(deprecation.sunset);
}

/** Whether the members that a deprecation may have are valid; others are not looked at. */
export function isDeprecation(given: unknown): boolean {
  return openDeprecation.safeParse(given).success;
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
