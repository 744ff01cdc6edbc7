import { signal } from '@preact/signals';

export interface Route {
  /** The first part of the hash; empty: the overview. */
  readonly screen: string;
  /** The parameters after the question mark. */
  readonly query: URLSearchParams;
}

function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  return { screen: path, query: new URLSearchParams(query) };
}

export const route = signal<Route>(routeOf(location.hash));

addEventListener('hashchange', () => (route.value = routeOf(location.hash)));

/** The link to a screen. */
export function linkTo(screen: string, query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString();
  return `#/${screen}${text === '' ? '' : `?${text}`}`;
}
