import { underSignals } from './under-signals.js';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** One message of a server was larger than is taken; its size is in bytes. */
export class MessageTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`a message of the server has more than ${maxBytes} bytes`);
    this.name = 'MessageTooLarge';
  }
}

/** A `fetch` whose response bodies fail as soon as one message in them has more than `maxBytes`. */
export function boundedFetch(maxBytes: number): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return (url, init) =>
    new Promise((resolve, reject) => {
      const run = async (signal: AbortSignal) => {
        const response = await fetch(url, { ...init, signal });
        if (!response.body) return resolve(response);
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
        const { status, statusText, headers } = response;
        const { readable, writable } = bounded(maxBytes, isStream);
        resolve(new Response(readable, { status, statusText, headers }));
        await response.body.pipeTo(writable);
      };
      // One signal serves all requests of a connection, and fetch itself lets go of it late, with a flood of warnings.
      // What goes wrong after the answer is for whoever reads the body, and no rejection any more.
      underSignals(init?.signal ? [init.signal] : [], run).catch(reject);
    });
}

function bounded(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let lineIsEmpty = true;
  // An event stream may live for days, so what is counted there is one event: all up to an empty line.
  const add = (byte: number | undefined) => {
    size += 1;
    if (byte === CARRIAGE_RETURN || size > maxBytes) return;
    const endsLine = byte === LINE_FEED;
    if (endsLine && lineIsEmpty) size = 0;
    lineIsEmpty = endsLine;
  };
  return new TransformStream({
    transform(chunk, controller) {
      if (isStream) for (let at = 0; at < chunk.length && size <= maxBytes; at++) add(chunk[at]);
      else size += chunk.length;
      if (size > maxBytes) controller.error(new MessageTooLarge(maxBytes));
      else controller.enqueue(chunk);
    },
  });
}
