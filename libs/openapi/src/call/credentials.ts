import { type ToolContext, ToolSearchError } from '@tool-search/core';
import { Secrets } from '@tool-search/core/source';
import type { OperationPlan, PlannedCredential } from '../operation/operation-plan.js';

/** User name and password, for HTTP basic authentication. */
export interface BasicCredential {
  readonly username: string;
  readonly password: string;
}

/** A token or key, or user name and password. */
export type Credential = string | BasicCredential;

/**
 * A credential, or a function that is called for every call and returns the user's credential; `undefined` if the user
 * has none.
 */
export type CredentialOption =
  Credential | ((context: ToolContext) => Credential | undefined | Promise<Credential | undefined>);

/** Headers by name, as set by the operator. */
export type OperatorHeaders = Readonly<Record<string, string>>;

/** Headers, or a function that is called for every call. */
export type HeadersOption = OperatorHeaders | ((context: ToolContext) => OperatorHeaders | Promise<OperatorHeaders>);

/** The operator's additions to one request. */
export interface Provided {
  readonly headers: Headers;
  /** Names and values, not URL-encoded. */
  readonly query: readonly (readonly [string, string])[];
  readonly secrets: Secrets;
}

/** The operator's options for credentials. */
export interface CredentialSettings {
  readonly source: string;
  readonly auth?: Readonly<Record<string, CredentialOption>>;
  readonly headers?: HeadersOption;
}

/**
 * The operator's headers, and credentials for the first alternative in the operation's `security` that is complete.
 * Functions run for each call and nothing is cached. Only targets that the plan trusts get credentials.
 *
 * @throws ToolSearchError `SOURCE_UNAVAILABLE` if required credentials are missing or a function throws
 */
export async function providedFor(
  plan: OperationPlan,
  settings: CredentialSettings,
  context: ToolContext,
): Promise<Provided> {
  const headers = await operatorHeaders(settings, context);
  const secrets = new Secrets();
  secrets.addNamed(Object.fromEntries(headers));
  // With `headers` but without `auth`, the application provides all credentials in the headers.
  const isOwnAffair = settings.auth === undefined && settings.headers !== undefined;
  const needed = plan.security.filter((alternative) => alternative.length > 0);
  if (isOwnAffair || needed.length === 0) return { headers, query: [], secrets };
  const given = plan.trusted ? await firstGiven(needed, settings, headers, context) : undefined;
  if (given) return added(given, { headers, query: [], secrets }, settings.source);
  if (needed.length < plan.security.length) return { headers, query: [], secrets };
  throw missing(plan, settings.source);
}

type Given = readonly (readonly [PlannedCredential, Credential])[];

async function firstGiven(
  alternatives: OperationPlan['security'],
  { source, auth = {} }: CredentialSettings,
  headers: Headers,
  context: ToolContext,
): Promise<Given | undefined> {
  // Each function runs at most once per call.
  const asked = new Map<string, Promise<Credential | undefined>>();
  const ask = async (scheme: string): Promise<Credential | undefined> => {
    const option = Object.hasOwn(auth, scheme) ? auth[scheme] : undefined;
    if (typeof option !== 'function') return option;
    try {
      return await option(context);
    } catch (error) {
      throw failed(source, error);
    }
  };
  for (const alternative of alternatives) {
    const given: (readonly [PlannedCredential, Credential])[] = [];
    const isGiven = async (planned: PlannedCredential): Promise<boolean> => {
      const { kind, name, scheme } = planned;
      if (kind === 'unsupported') return false;
      if (!asked.has(scheme)) asked.set(scheme, ask(scheme));
      const credential = await asked.get(scheme);
      if (credential === undefined || credential === '')
        return ['bearer', 'basic', 'header'].includes(kind) && headers.has(name);
      given.push([planned, credential]);
      return true;
    };
    let complete = true;
    for (const planned of alternative) complete = complete && (await isGiven(planned));
    if (complete) return given;
  }
  return undefined;
}

function added(given: Given, { headers, query, secrets }: Provided, source: string): Provided {
  const inQuery = [...query];
  try {
    for (const [{ kind, name }, credential] of given) {
      const value = valueOf(kind, credential);
      secrets.add(value);
      for (const part of partsOf(credential)) secrets.add(part);
      if (kind === 'query') inQuery.push([name, value]);
      else if (kind === 'bearer') setHeader(headers, 'authorization', `Bearer ${value}`);
      else if (kind === 'basic') setHeader(headers, 'authorization', `Basic ${value}`);
      else if (kind === 'header') setHeader(headers, name, value);
      else headers.append('cookie', `${name}=${cookieValue(value)}`);
    }
  } catch (error) {
    throw failed(source, error);
  }
  const cookies = headers.get('cookie');
  // `Headers` joins two cookies with a comma; HTTP needs a semicolon.
  if (cookies?.includes(', ')) headers.set('cookie', cookies.replaceAll(', ', '; '));
  return { headers, query: inQuery, secrets };
}

/** What of a credential its server may echo. */
function partsOf(credential: Credential): readonly string[] {
  if (typeof credential === 'string') return [credential];
  return [`${credential.username}:${credential.password}`, credential.password];
}

/** The credentials that are the same for every call, and those with which the document is fetched. */
export function fixedSecrets(
  auth: CredentialSettings['auth'] = {},
  headers: HeadersOption = {},
  document?: { readonly url: string | URL; readonly headers?: OperatorHeaders },
): Secrets {
  const secrets = new Secrets();
  if (typeof headers === 'object') secrets.addNamed(headers);
  for (const option of Object.values(auth)) {
    if (typeof option !== 'function') for (const part of partsOf(option)) secrets.add(part);
  }
  if (document) {
    secrets.addNamed(document.headers ?? {});
    secrets.addUrl(document.url);
  }
  return secrets;
}

function valueOf(kind: PlannedCredential['kind'], credential: Credential): string {
  const isBasic = typeof credential === 'object';
  if (isBasic !== (kind === 'basic')) throw new TypeError(`a credential does not fit its scheme (${kind})`);
  if (typeof credential === 'string') return credential;
  return Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
}

function cookieValue(value: string): string {
  if (!/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(value)) throw new TypeError('not the value of a cookie');
  return value;
}

async function operatorHeaders({ source, headers = {} }: CredentialSettings, context: ToolContext): Promise<Headers> {
  let made: OperatorHeaders;
  try {
    made = typeof headers === 'function' ? await headers(context) : headers;
  } catch (error) {
    throw failed(source, error);
  }
  try {
    return new Headers(made);
  } catch {
    // The error of `Headers` would quote the values.
    throw failed(source, new TypeError('they are no names and values that HTTP allows'));
  }
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new TypeError(`a credential is no value that HTTP allows (${name})`);
  }
}

// The cause may contain a credential: it may be logged for the operator, but never returned to a caller.
function failed(source: string, cause: unknown): ToolSearchError {
  return new ToolSearchError('SOURCE_UNAVAILABLE', `The credentials of source ${source} could not be made.`, {
    hint: 'This is for the operator: look at auth and headers of this source.',
    cause,
  });
}

function missing(plan: OperationPlan, source: string): ToolSearchError {
  const schemes = [...new Set(plan.security.flat().map(({ scheme }) => scheme.slice(0, 64)))].slice(0, 5);
  const hint = plan.trusted
    ? `This is for the operator: set auth of source ${source} for ${schemes.join(' or ')}.`
    : `This is for the operator: set baseUrl of source ${source}; credentials go to its own origin only.`;
  return new ToolSearchError('SOURCE_UNAVAILABLE', 'The credentials that this tool needs are missing.', { hint });
}
