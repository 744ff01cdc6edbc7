import { SIDE_EFFECTS, ToolSearchError } from '@tool-search/core';
import { addressOf } from './document/document-reader.js';
import type { OpenApiSourceOptions } from './openapi-source-options.js';
import { checkNameGlob } from './operation/operation-filter.js';

type Refuse = (message: string, hint?: string) => never;

const OPTIONS = {
  name: true,
  document: true,
  baseUrl: true,
  auth: true,
  headers: true,
  include: true,
  exclude: true,
  tags: true,
  sideEffects: true,
  alwaysLoaded: true,
  examples: true,
  namespace: true,
  description: true,
  owner: true,
  loading: true,
  changes: true,
  lazy: true,
  refreshEveryMs: true,
  egress: true,
  callTimeoutMs: true,
  loadTimeoutMs: true,
  limits: true,
  maxResponseBytes: true,
  maxResponseTokens: true,
  maxDocumentBytes: true,
} satisfies Record<keyof OpenApiSourceOptions, true>;

const MIN_REFRESH_MS = 1_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Checks the options at startup. Error messages never repeat values that may be secret.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkOptions(options: OpenApiSourceOptions): void {
  const refuse: Refuse = (message, hint) => {
    throw new ToolSearchError('INVALID_CONFIGURATION', `OpenApiSource ${JSON.stringify(options.name)}: ${message}`, {
      hint,
    });
  };
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(OPTIONS, key));
  if (unknown !== undefined) refuse(`there is no option ${JSON.stringify(unknown.slice(0, 64))}.`);
  if (typeof options.name !== 'string' || !/^[A-Za-z0-9_.-]{1,64}$/.test(options.name))
    refuse('the name is not usable.', 'Use 1 to 64 of letters, digits, "_", "-" and ".".');
  if (options.namespace !== undefined && !/^[A-Za-z0-9_.-]{0,64}$/.test(options.namespace))
    refuse('the namespace is not usable.', 'Use up to 64 of letters, digits, "_", "-" and ".".');
  checkDocument(options, refuse);
  checkGlobs(options, refuse);
  checkNumbers(options, refuse);
  if (options.changes !== undefined && !['strict', 'additive', 'trust'].includes(options.changes))
    refuse('changes is unknown.', 'Use "strict", "additive" or "trust".');
  if (typeof options.headers === 'object') checkHeaders('headers', options.headers, refuse);
}

function checkDocument({ document, refreshEveryMs }: OpenApiSourceOptions, refuse: Refuse): void {
  if (typeof document !== 'string' && (typeof document !== 'object' || document === null))
    refuse('document must be the path of a file, an object or an address.');
  const address = addressOf(document);
  if (!address) {
    if (refreshEveryMs !== undefined) refuse('refreshEveryMs is for a document with an address.');
    if (typeof document === 'string' && /^https?:/i.test(document))
      refuse('document looks like an address.', 'Say new URL(…), which fetches it.');
    return;
  }
  const url = URL.canParse(String(address.url)) ? new URL(address.url) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    refuse("the document's address is not an absolute http or https URL.");
  } else if (url.username !== '' || url.password !== '') {
    refuse("the document's address holds credentials.", 'Send them in headers: { url, headers }.');
  }
  checkHeaders("the document's headers", address.headers ?? {}, refuse);
}

function checkHeaders(what: string, headers: Readonly<Record<string, string>>, refuse: Refuse): void {
  try {
    void new Headers(headers);
  } catch {
    refuse(`${what}: there is a name or value that HTTP does not allow.`);
  }
}

function checkGlobs(options: OpenApiSourceOptions, refuse: Refuse): void {
  for (const glob of options.alwaysLoaded ?? []) checkNameGlob('alwaysLoaded', glob);
  for (const name of Object.keys(options.examples ?? {})) checkNameGlob('examples', name);
  for (const [glob, effects] of Object.entries(options.sideEffects ?? {})) {
    checkNameGlob('sideEffects', glob);
    if (!SIDE_EFFECTS.includes(effects))
      refuse(`sideEffects of ${JSON.stringify(glob)} is unknown.`, `Use one of ${SIDE_EFFECTS.join(', ')}.`);
  }
}

function checkNumbers(options: OpenApiSourceOptions, refuse: Refuse): void {
  const check = (field: keyof OpenApiSourceOptions, min: number, max = Number.MAX_SAFE_INTEGER) => {
    const value = options[field] as number | undefined;
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= min && value <= max))
      refuse(`${field} must be a whole number from ${min} to ${max}.`);
  };
  check('callTimeoutMs', 1, MAX_TIMER_MS);
  check('loadTimeoutMs', 1, MAX_TIMER_MS);
  check('refreshEveryMs', MIN_REFRESH_MS, MAX_TIMER_MS);
  check('maxResponseBytes', 1);
  check('maxDocumentBytes', 1);
  check('maxResponseTokens', 0);
}
