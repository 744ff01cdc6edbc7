import type { Secrets } from '@tool-search/core/egress';
import { truncated, isObject } from '@tool-search/core/source';

const MAX_CHARS = 1_000;
const MAX_CAUSES = 8;

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

function cleanOne(error: Error & { data?: unknown }, secrets: Secrets): void {
  const { message, stack, data } = error;
  const told = cleaned(message, secrets);
  if (told !== message) {
    // A replacement function, because a replacement string could contain patterns such as `$&`.
    if (stack !== undefined) error.stack = stack.replace(message, () => told);
    error.message = told;
  }
  if (typeof data === 'string') error.data = cleaned(data, secrets);
  else if (isObject(data)) {
    const entries = Object.entries(data).slice(0, 20);
    error.data = Object.fromEntries(
      entries.map(([key, value]) => [
        key.slice(0, 100),
        typeof value === 'number' ? value : cleaned(String(JSON.stringify(value)), secrets),
      ]),
    );
  }
}

function cleaned(text: string, secrets: Secrets): string {
  const clean = secrets.redact(text).replace(CONTROL, ' ');
  return clean.length > MAX_CHARS ? `${truncated(clean, MAX_CHARS)}…` : clean;
}

const CONTROL = /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}]/gu;
