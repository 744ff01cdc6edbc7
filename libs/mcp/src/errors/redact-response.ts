import type { SourceAnswer } from '@tool-search/core';
import type { Endpoint } from '../connection/credentials.js';

const MIN_CHARS = 8;
const REMOVED = '[removed]';
/** Headers and variables whose values are credentials. Other values, such as paths, may be part of a correct answer. */
const NAMES = /auth|token|key|secret|passw|cookie|credential|session/i;
const SCHEME = /^(basic|bearer|digest|token|apikey)\s+/i;

/**
 * Redacts credentials that the server echoes in its answer, because the answer may reach other people than the owner of
 * the credentials. Authentication schemes such as `Bearer` are kept, and so are values shorter than 8 characters, which
 * are too common.
 */
export function redactResponse(answer: SourceAnswer, endpoint: Endpoint): SourceAnswer {
  const secrets = credentialsOf(endpoint);
  if (secrets.length === 0) return answer;
  const json = JSON.stringify(answer);
  if (!secrets.some((secret) => json.includes(JSON.stringify(secret).slice(1, -1)))) return answer;
  const strike = (_key: string, value: unknown): unknown =>
    typeof value === 'string' ? secrets.reduce((text, secret) => text.replaceAll(secret, REMOVED), value) : value;
  return JSON.parse(json, strike) as SourceAnswer;
}

function credentialsOf(endpoint: Endpoint): readonly string[] {
  const variables = 'url' in endpoint ? endpoint.headers : endpoint.env;
  const named = Object.entries(variables).filter(([name]) => NAMES.test(name));
  const values = named.flatMap(([, value]) => [value.replace(SCHEME, ''), ...value.split(/[\s;,]+/)]);
  return [...new Set(values)].filter(({ length }) => length >= MIN_CHARS).toSorted((a, b) => b.length - a.length);
}
