import { isIPv4, isIPv6 } from 'node:net';
import type { Format } from 'ajv';

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME =
  /^(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?(?: ?(?:z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?))?(?:\[[^[\]\s]+\])*$/i;
const MIDNIGHT = /^24:00(?::00(?:[.,]0+)?)?/;
const EMAIL = /^(?:"(?:[^"\\]|\\.)+"|[^\s\p{Cc}"(),:;<>@[\\\]]+)@(?:\[[\w.:]+\]|([^\s@[\]]+))$/u;
/** Of signs only `-` and `_`, whatever the letters. */
const HOST_LABEL = /^(?!-)[^\s\p{Cc}!-,./:-@[-^`{-~]{1,63}(?<!-)$/u;

/**
 * Formats in place of those of ajv-formats. In JSON Schema a format describes a value and need not be checked, and
 * servers read more than the standards name: a time without a zone, an address with letters that are not ASCII. So only
 * a text that no reader of the format could take is refused. A text is scanned in linear time.
 */
export const LENIENT_FORMATS: Readonly<Record<string, Format>> = {
  date: isDate,
  time: isTime,
  'iso-time': isTime,
  'date-time': isDateTime,
  'iso-date-time': isDateTime,
  // ISO 8601, "90s" of Go, "00:05:00" of .NET, "1 hour" of PostgreSQL.
  duration: /\d/,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIPv4,
  // With a zone, as in fe80::1%eth0.
  ipv6: isIPv6,
  url: /^[a-z][a-z\d+.-]*:\S+$/i,
  uuid: /^(?:urn:uuid:)?[\da-f]{8}(-?)[\da-f]{4}\1[\da-f]{4}\1[\da-f]{4}\1[\da-f]{12}$/i,
  // With the alphabet of URLs too, in lines, and with or without padding.
  byte: /^[\w+/\s-]*(?:={1,2}\s*)?$/,
  // Each language has patterns that others do not read.
  regex: true,
};

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  // The day 0 of the next month is the last one of this month.
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return month >= 1 && month <= 12 && day >= 1 && day <= last.getUTCDate();
}

function isTime(text: string): boolean {
  return TIME.test(text.replace(MIDNIGHT, '00:00:00'));
}

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /[t ]/i.test(text.charAt(10)) && isTime(text.slice(11));
}

function isEmail(text: string): boolean {
  const found = EMAIL.exec(text);
  return found !== null && (found[1] === undefined || isHostname(found[1]));
}

function isHostname(text: string): boolean {
  const labels = text.replace(/\.$/, '').split(/[.。]/u);
  return text.length <= 254 && labels.every((label, index) => HOST_LABEL.test(label) || (index === 0 && label === '*'));
}
