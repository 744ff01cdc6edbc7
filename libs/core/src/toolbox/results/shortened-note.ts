import type { JsonObject } from '../../json/json.js';
import type { CutList } from './shaping/fitted-json.js';

/** How a model reads on, in words: a tool and these arguments of `tool_result`. */
export type ReadOn = (args: JsonObject) => string;

/** Begins every note. */
export const NOTE_START = '[Shortened: the whole result';

/** A longer pointer is left out. */
const POINTER_CHARS = 80;

/** Tells a model that a result was shortened, and how to read on. */
export function shortenedNote({
  handle,
  chars,
  cut,
  heldForMs,
  readOn,
}: {
  /** @default the whole result is not held */
  readonly handle: string | undefined;
  readonly chars: number;
  /** Where to read on; undefined for a plain text. */
  readonly cut: CutList | undefined;
  readonly heldForMs: number;
  readonly readOn: ReadOn;
}): string {
  const size = `${NOTE_START} has ${chars} characters`;
  if (handle === undefined) return `${size} and could not be kept. Ask for less in one call.]`;
  const place: JsonObject =
    cut && cut.pointer.length <= POINTER_CHARS ? { pointer: cut.pointer, offset: cut.offset } : { offset: 0 };
  return (
    `${size} and is kept for ${Math.ceil(heldForMs / 60_000)} min. Read on: ${readOn({ handle, ...place })}. ` +
    'pointer is a JSON Pointer to any part, limit a number of items, search finds a text instead.]'
  );
}
