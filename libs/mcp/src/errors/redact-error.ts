import { isObject } from '@tool-search/core';

const MAX_CHARS = 1_000;
const MAX_CAUSES = 8;
const MIN_SECRET = 8;

/**
 * Cleans an error and up to 7 of its causes for logs: redacts credentials that a server may echo, replaces control
 * characters and cuts texts at 1,000 characters.
 *
 * @param secrets values of headers or of an environment; parts shorter than 8 characters are too common to be redacted
 */
export function redactError(error: unknown, secrets: readonly string[]): void {
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(/\s+/)]);
  const long = [...new Set(parts)].filter((part) => part.length >= MIN_SECRET).sort((a, b) => b.length - a.length);
  let current = error;
  for (let depth = 0; current instanceof Error && depth < MAX_CAUSES; depth++) {
    cleanOne(current, long);
    current = current.cause;
  }
}

function cleanOne(error: Error & { data?: unknown }, secrets: readonly string[]): void {
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

function cleaned(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, '[removed]');
  clean = clean.replace(CONTROL, ' ');
  return clean.length > MAX_CHARS ? `${clean.slice(0, MAX_CHARS)}…` : clean;
}

const CONTROL = /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}]/gu;
