import type { Secrets } from '@tool-search/core/source';

/** Members that only the server and the SDK read: a changed one would not be recognized. */
const OPAQUE = ['nextCursor', 'requestState', 'progressToken', 'requestId'] as const;

/** Removes credentials from a message of a server, in place: from results and errors, requests and notifications. */
export function cleanMessage(message: object, secrets: Secrets): void {
  const members = message as Record<string, Record<string, unknown> | undefined>;
  for (const name of ['result', 'error', 'params']) {
    const member = members[name];
    if (member === undefined) continue;
    const clean = secrets.redactJson(member);
    if (clean === member) continue;
    for (const opaque of OPAQUE) if (member[opaque] !== undefined) clean[opaque] = member[opaque];
    members[name] = clean;
  }
}
