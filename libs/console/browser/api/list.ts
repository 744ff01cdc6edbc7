import { type Answer, api, type Asked, type Route } from './client.js';
import type { Routes } from './routes.js';

/** Routes that answer page by page. */
export type ListRoute = {
  [R in Route]: Routes[R] extends { readonly query?: { readonly cursor?: string } }
    ? Answer<R> extends { readonly items: readonly unknown[]; readonly next?: string }
      ? R
      : never
    : never;
}[Route];

/** One page of a list. */
export interface Page<R extends ListRoute> {
  readonly items: Answer<R>['items'];
  readonly next?: string;
}

interface PageRequest<R extends ListRoute> {
  readonly query: Asked<R>['query'] | undefined;
  /** Undefined: the first page. */
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

const PAGE = 50;

/** Reads one page of a list. @throws ApiError */
export function readPage<R extends ListRoute>(route: R, request: PageRequest<R>): Promise<Page<R>> {
  const { query, cursor, signal } = request;
  return api<ListRoute>(route, { query: { ...query, limit: PAGE, cursor }, signal });
}
