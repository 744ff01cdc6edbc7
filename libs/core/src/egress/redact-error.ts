import { isObject } from '../json/json.js';
import { truncated } from '../json/safe-text.js';
import type { Secrets } from './secrets.js';

const MAX_CHARS = 1_000;
const MAX_CAUSES = 8;
const MAX_MEMBERS = 20;
const MAX_NAME = 100;
/** Members that are cleaned by themselves. */
const OWN = new Set(['message', 'stack', 'cause', 'name']);

/**
 * Cleans an error and up to 7 of its causes for logs: redacts credentials that a server may echo, replaces control
 * characters and cuts texts at 1,000 characters.
 */
export function redactError(error: unknown, secrets: Secrets): void {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < MAX_CAUSES; depth++) {
    cleanOne(current, secrets);
    current = current.cause;
  }
}

function cleanOne(error: Error, secrets: Secrets): void {
  const { message, stack } = error;
  const redacted = cleaned(message, secrets);
  if (redacted !== message) {
    // A replacement function, because a replacement string could contain patterns such as `$&`.
    if (stack !== undefined) error.stack = stack.replace(message, () => redacted);
    error.message = redacted;
  }
  for (const [name, value] of Object.entries(error)) {
    if (!OWN.has(name)) Reflect.set(error, name, cleanedMember(value, secrets));
  }
}

/** Texts are cleaned, and the data of an error of the protocol, of which numbers stay: one is the status. */
function cleanedMember(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return cleaned(value, secrets);
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).slice(0, MAX_MEMBERS);
  return Object.fromEntries(
    entries.map(([key, item]) => [
      secrets.redact(key).slice(0, MAX_NAME),
      typeof item === 'number' ? item : cleaned(String(JSON.stringify(item)), secrets),
    ]),
  );
}

function cleaned(text: string, secrets: Secrets): string {
  const clean = secrets.redact(text).replace(CONTROL, ' ');
  return clean.length > MAX_CHARS ? `${truncated(clean, MAX_CHARS)}…` : clean;
}

const CONTROL = /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}]/gu;
