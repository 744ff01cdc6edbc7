import type { Transport } from '@modelcontextprotocol/client';
import type { Secrets } from '@tool-search/core/egress';

type Receive = NonNullable<Transport['onmessage']>;

/** Members that only the server and the SDK read: a changed one would not be recognized. */
const OPAQUE = ['nextCursor', 'requestState', 'progressToken', 'requestId'] as const;

/**
 * Removes credentials from every message of a transport before anyone receives it: results and errors, and requests and
 * notifications of the server. What the SDK receives while it negotiates the revision is among them, so this cannot be a handler
 * of messages, which the SDK replaces meanwhile.
 */
export function cleanIncoming(transport: Transport, secrets: Secrets): void {
  // A handler that is set calls the one before it.
  const clean = new WeakSet<object>();
  let receive: Receive | undefined;
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set: (handler: Receive | undefined) => {
      receive =
        handler &&
        ((message, extra) => {
          if (!clean.has(message)) cleanMessage(message, secrets);
          clean.add(message);
          handler(message, extra);
        });
    },
  });
}

/** In place: everyone who receives a message receives the same object. */
function cleanMessage(message: object, secrets: Secrets): void {
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
