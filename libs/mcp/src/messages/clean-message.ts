import type { Secrets } from '@tool-search/core/source';

/** Members that only the server and the SDK read: a changed one would not be recognized. */
const OPAQUE = ['nextCursor', 'requestState', 'progressToken', 'requestId'] as const;

/** Removes credentials from a message of a server, in place: from results and errors, requests and notifications. */
export function cleanMessage(message: object, secrets: Secrets): void {
  const members = message as Record<string, Record<string, unknown> | undefined>;
  for (const name of ['result', 'error', 'params']) {
    const said = members[name];
    if (said === undefined) continue;
    const clean = secrets.redactJson(said);
    if (clean === said) continue;
    for (const opaque of OPAQUE) if (said[opaque] !== undefined) clean[opaque] = said[opaque];
    members[name] = clean;
  }
}
