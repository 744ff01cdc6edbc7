import { depthOf, isObject, parsedJson } from '@tool-search/core/internal';
import { NOT_ANSWERED } from '../messages/sound-envelope.js';
import type { ReadRateLimiter } from './read-rate-limiter.js';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** Events that are passed on without a wait. */
const PIECE = 50;

/** Maximum nesting of a message that is written anew: far below a stack overflow. */
const MAX_DEPTH = 1_000;

export class MessageTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`a message of the server has more than ${maxBytes} bytes`);
    this.name = 'MessageTooLarge';
  }
}

/**
 * Passes an event stream on event by event, no faster than `pace` allows, and fails when one event has more than
 * `maxBytes` bytes: a stream may last for days.
 *
 * @param mend mends the message of an event; an event whose message it returns is passed on byte for byte
 */
export function boundedEvents(
  maxBytes: number,
  pace: ReadRateLimiter,
  mend: (message: unknown) => unknown,
): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let lineIsEmpty = true;
  /** The beginning of an event whose end has not come yet. */
  let begun: Uint8Array[] = [];
  // An event ends with an empty line.
  const endsEvent = (byte: number | undefined): boolean => {
    size += 1;
    if (byte === CARRIAGE_RETURN || size > maxBytes) return false;
    const endsLine = byte === LINE_FEED;
    const ends = endsLine && lineIsEmpty;
    if (ends) size = 0;
    lineIsEmpty = endsLine;
    return ends;
  };
  return new TransformStream({
    async transform(chunk, controller) {
      let from = 0;
      let ended: Uint8Array[] = [];
      const passOn = async () => {
        if (ended.length === 0) return;
        controller.enqueue(ended.length === 1 ? (ended[0] as Uint8Array) : Buffer.concat(ended));
        const { length } = ended;
        ended = [];
        await pace.keep(length);
      };
      for (let at = 0; at < chunk.length; at++) {
        const ends = endsEvent(chunk[at]);
        if (size > maxBytes) return controller.error(new MessageTooLarge(maxBytes));
        if (!ends) continue;
        begun.push(chunk.subarray(from, at + 1));
        ended.push(mendedEvent(begun.length === 1 ? (begun[0] as Uint8Array) : Buffer.concat(begun), mend));
        begun = [];
        from = at + 1;
        if (ended.length === PIECE) await passOn();
      }
      if (from < chunk.length) begun.push(chunk.subarray(from));
      await passOn();
    },
    flush(controller) {
      for (const part of begun) controller.enqueue(part);
    },
  });
}

function mendedEvent(event: Uint8Array, mend: (message: unknown) => unknown): Uint8Array {
  const lines = new TextDecoder().decode(event).split(/\r\n|\n|\r/);
  const isData = (line: string) => line.startsWith('data:');
  const message = parsedJson(
    lines
      .filter(isData)
      .map((line) => line.slice('data:'.length).replace(/^ /, ''))
      .join('\n'),
  );
  if (message === undefined) return event;
  const sound = mend(message);
  if (sound === message) return event;
  const mended = depthOf(sound, MAX_DEPTH) > MAX_DEPTH ? tooDeep(sound) : sound;
  const others = lines.filter((line) => line !== '' && !isData(line));
  return new TextEncoder().encode([...others, `data: ${JSON.stringify(mended)}`, '', ''].join('\n'));
}

/** What stands in the place of a message that cannot be written. Its request must not wait for it. */
function tooDeep(message: unknown): object {
  const { id } = isObject(message) ? message : {};
  const error = { code: NOT_ANSWERED, message: `what was answered has more than ${MAX_DEPTH} levels` };
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), error };
}
