import { signal } from '@preact/signals';

export interface Route {
  /** The first part of the hash; empty: the overview. */
  readonly screen: string;
  /** The parameters after the question mark: the state of the screen, so that its address shows somebody else the same. */
  readonly query: URLSearchParams;
}

/** Parameters to change; an empty one is left out of the address. */
export type Changes = Readonly<Record<string, string>>;

// Browsers refuse an address that changes with each key.
const WRITE_AFTER_MS = 300;

function routeOf(hash: string): Route {
  const [path = '', ...query] = hash.replace(/^#\/?/, '').split('?');
  return { screen: path, query: new URLSearchParams(query.join('?')) };
}

export const route = signal<Route>(routeOf(location.hash));

/** The address that was read or written last. */
let known = location.hash;
let writing: ReturnType<typeof setTimeout> | undefined;
let write = (): void => undefined;

// Before a link is followed, for "Back" to this screen.
addEventListener('click', writeNow, true);

addEventListener('hashchange', () => {
  clearTimeout(writing);
  write = () => undefined;
  known = location.hash;
  route.value = routeOf(known);
});

/** The link to a screen. */
export function linkTo(screen: string, query: Changes = {}): string {
  const text = new URLSearchParams(query).toString();
  return `#/${screen}${text === '' ? '' : `?${text}`}`;
}

/** The link to the screen that is shown, with other parameters. */
export function linkWith(changes: Changes): string {
  const { screen, query } = route.value;
  return linkTo(screen, changed(query, changes));
}

/** Changes parameters of the screen that is shown. "Back" leads to the screen before it. */
export function setParameters(changes: Changes): void {
  const { screen, query } = route.peek();
  const next = changed(query, changes);
  route.value = { screen, query: new URLSearchParams(next) };
  clearTimeout(writing);
  write = () => writeAddress(linkTo(screen, next));
  writing = setTimeout(writeNow, WRITE_AFTER_MS);
}

/** Removes all parameters of the screen that is shown. */
export function clearParameters(): void {
  setParameters(Object.fromEntries(Array.from(route.peek().query.keys(), (name) => [name, ''])));
}

function writeAddress(address: string): void {
  // A browser tells of another address a moment later: what was typed before it must not bring back the screen before it.
  if (location.hash !== known) return;
  history.replaceState(null, '', address);
  known = location.hash;
}

function writeNow(): void {
  clearTimeout(writing);
  write();
  write = () => undefined;
}

function changed(query: URLSearchParams, changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries({ ...Object.fromEntries(query), ...changes }).filter(([, value]) => value !== ''),
  );
}

/**
 * A parameter of the screen that is shown, and a function that changes it, like the state of a component.
 *
 * @param initial its value where the address does not have it
 */
export function useParameter(name: string, initial = ''): readonly [string, (value: string) => void] {
  const value = route.value.query.get(name) ?? initial;
  return [value, (next) => setParameters({ [name]: next })];
}
