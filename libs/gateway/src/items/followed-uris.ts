import { isObject } from '@tool-search/core/internal';

/** As many as one stream can follow. */
const MAX = 100;

/** The URIs of resources whose updates a `subscriptions/listen` message asks for. */
export function followedUris(message: unknown): readonly string[] {
  const params = isObject(message) && isObject(message['params']) ? message['params'] : {};
  const filter = isObject(params['notifications']) ? params['notifications'] : {};
  const uris: readonly unknown[] = Array.isArray(filter['resourceSubscriptions'])
    ? filter['resourceSubscriptions']
    : [];
  return uris.filter((uri) => typeof uri === 'string' && uri.length <= 2048).slice(0, MAX) as string[];
}
