import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** An answer over HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text. `any`, so that an example reads the answer that it shows without checks of its shape. */
  readonly body: any;
}

/** Sends requests as one user. */
export interface Client {
  get(path: string): Promise<Answer>;
  post(path: string, body?: object): Promise<Answer>;
  put(path: string, body: object): Promise<Answer>;
  /** The names that a search for these words finds, sorted. */
  search(query: string): Promise<string>;
  /** The text of a tool's result, or the code of a refusal. */
  call(name: string, input?: object): Promise<string>;
}

/** Starts an application on a free port of this machine. */
export async function start(
  module: Parameters<typeof NestFactory.create>[0],
  options: NestApplicationOptions = {},
): Promise<{ readonly app: INestApplication; readonly url: string; readonly as: (token: string) => Client }> {
  const app = await NestFactory.create(module, { logger: ['error'], abortOnError: false, ...options });
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return { app, url, as: (token) => clientOf(url, token) };
}

/** A client of an application that runs under this address. */
export function clientOf(url: string, token: string): Client {
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-session': 'a-conversation' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return {
    get: (path) => send('GET', path),
    post: (path, body = {}) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    search: async (query) => namesOf((await send('POST', 'agent/search', { query })).body),
    call: async (name, input = {}) => outcomeOf((await send('POST', 'agent/call', { name, arguments: input })).body),
  };
}

const namesOf = ({ tools }: { readonly tools: readonly { readonly name: string }[] }): string =>
  tools
    .map(({ name }) => name)
    .sort()
    .join(', ') || 'nothing';

/** The text of a result, or the code of a refusal. */
export const outcomeOf = (result: {
  readonly ok: boolean;
  readonly code?: string;
  readonly content?: readonly { readonly text?: string }[];
}): string => (result.ok ? (result.content?.[0]?.text ?? '') : (result.code ?? 'refused'));
