import { tenant } from '../state/operator.js';
import { endSession, token } from '../state/session.js';
import { ofTenant } from './of-tenant.js';
import type { ProblemBody, Routes } from './routes.js';

/** A refusal or failure of the routes for operators. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** The error code of the problem; OFFLINE if the server did not answer. */
    readonly code: string,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** What is read of a problem. A proxy may answer with other codes, or with none. */
type Problem = Partial<Record<keyof Pick<ProblemBody, 'code' | 'detail' | 'hint'>, string>>;

type Query = Readonly<Record<string, string | number | undefined>>;

/** A request as it is sent. */
export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Query;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

/** Method and path of a route, as in the OpenAPI document. */
export type Route = keyof Routes;

/** A query; members that are empty are not sent. */
type Typed<Members> = { readonly [Name in keyof Members]: Members[Name] | '' };

/** What a route takes: the parameters of its path, its query and its body. */
export type Asked<R extends Route> = {
  readonly [Part in keyof Routes[R] as Exclude<Part, 'answer'>]: Part extends 'query'
    ? Typed<Routes[R][Part]>
    : Routes[R][Part];
} & { readonly signal?: AbortSignal };

type Arguments<R extends Route> = object extends Asked<R> ? [asked?: Asked<R>] : [asked: Asked<R>];

export type Answer<R extends Route> = Routes[R]['answer'];

/** Reads from or writes to a route for operators. @throws ApiError */
export async function api<R extends Route>(route: R, ...[given]: Arguments<R>): Promise<Answer<R>> {
  const { path: parameters, ...request }: Request & { readonly path?: Parameters } = given ?? {};
  const [named = '', template = ''] = route.split(' ');
  const path = pathOf(template, parameters);
  const asked = ofTenant(path, { ...request, method: named as NonNullable<Request['method']> }, tenant.value);
  const { body, method = 'GET', query = {}, signal } = asked;
  const used = token.value;
  const response = await fetched(urlOf(path, query), {
    method,
    headers: {
      accept: 'application/json',
      ...(used !== '' && { authorization: `Bearer ${used}` }),
      ...(body && { 'content-type': 'application/json' }),
      // No form of another site can send it.
      ...(method !== 'GET' && { 'x-tool-search-console': '1', 'idempotency-key': randomKey() }),
    },
    credentials: 'same-origin',
    cache: 'no-store',
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (response.ok) return (await response.json()) as Answer<R>;
  const problem = await problemOf(response);
  const { code = `HTTP_${response.status}`, detail = `The server answered ${response.status}.`, hint } = problem;
  if (response.status === 401) endSession(used, detail);
  throw new ApiError(response.status, code, detail, hint);
}

type Parameters = Readonly<Record<string, string>>;

function pathOf(template: string, parameters: Parameters = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}

async function fetched(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'OFFLINE', 'The server did not answer.', 'The console goes on trying.');
  }
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const { code, detail, hint } = (await response.json()) as Partial<Record<keyof Problem, unknown>>;
    // A proxy may answer with JSON of another kind.
    return {
      ...(typeof code === 'string' && { code }),
      ...(typeof detail === 'string' && { detail }),
      ...(typeof hint === 'string' && { hint }),
    };
  } catch {
    return {};
  }
}

function urlOf(path: string, query: Query): URL {
  const url = new URL(`${baseOf(setting('api'))}${path}`, document.baseURI);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  return url;
}

function baseOf(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** Reads a setting that the server wrote into the page. */
export function setting(name: 'api' | 'gateway' | 'signIn'): string {
  return document.getElementById('console')?.dataset[name] ?? '';
}

// crypto.randomUUID exists only on HTTPS and localhost.
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
