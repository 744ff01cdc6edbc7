import type { Caller } from '../../access/tool-gate.js';
import { TimeSlicer } from '../../async/time-slicer.js';
import { countedInPieces } from '../../tool/counted-in-pieces.js';
import { eventIds } from '../../tool/tool-context.js';
import type { TokenMeter } from '../../tool/token-count.js';
import type { ToolContent, ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { contentText } from '../../tool/tool-result.js';
import type { BoundedOutput } from '../call/bound.js';
import type { HeldResults, ResultDocument } from './held/held-results.js';
import { shape } from './shaping/shape.js';
import { type ReadOn, shortenedNote } from './shortened-note.js';
import { type ShorteningBounds, shorteningRules } from './shortening-rules.js';

/** The call that returned a result. */
export interface ShortenedCall {
  readonly tool: ToolDefinition;
  readonly caller: Caller;
  readonly callId: string;
  readonly readOn: ReadOn;
  /** Whether later parts of the result are marked as data too. @default false */
  readonly isUntrusted?: boolean;
}

/** A result that is small enough for a model. */
export interface ShortenedOutput extends BoundedOutput {
  /** Names the whole result; set if it was shortened and is held. */
  readonly handle?: string;
  /** Tells the model what is missing and how to read on; set if it was shortened. */
  readonly note?: string;
}

const SLICE_MS = 10;
/** Characters of a text that takes milliseconds to read. */
const LARGE = 65_536;
/** As long as any handle and the numbers of any result. */
const LONGEST = {
  handle: `r_${'M'.repeat(22)}`,
  chars: 999_999_999,
  cut: { pointer: 'x'.repeat(80), offset: 999_999 },
};

/** Shortens results that have too many tokens for a model, and holds the whole ones. */
export class ShortenedResults {
  readonly #boundsOf: ReturnType<typeof shorteningRules>;

  constructor(
    private readonly held: HeldResults,
    private readonly meter: TokenMeter,
    private readonly events: ToolEvents,
    private readonly reportFault: (tool: string, error: unknown) => void,
  ) {
    this.#boundsOf = shorteningRules(held.settings);
  }

  /** Whether results of this tool may be shortened. */
  mayShorten(tool: ToolDefinition): boolean {
    return this.#boundsOf(tool) !== undefined;
  }

  /**
   * The result as a model reads it: unchanged if it has at most `maxTokens`, else shortened to `shapedTokens`, the note
   * included, without structured content. Texts, embedded texts and links count and are shortened. Images, audio and
   * other bytes stay as they are and do not count, because a tokenizer of texts says nothing about them.
   */
  async shorten(output: BoundedOutput, call: ShortenedCall): Promise<ShortenedOutput> {
    const bounds = this.#boundsOf(call.tool);
    if (!bounds) return output;
    const slicer = new TimeSlicer(SLICE_MS);
    // The result was already converted and measured in this turn.
    if (output.content.some((block) => block.type === 'text' && block.text.length > LARGE)) await slicer.pause();
    const read = output.content.filter(isRead);
    const main = mainBlock(read, bounds.shapedTokens);
    const beside = main ? read.filter((block) => block !== main) : [];
    const shownText = contentText(main ? [main] : read);
    const structured = output.structured === undefined ? undefined : JSON.stringify(output.structured);
    const text = shownText === '' ? (structured ?? '') : shownText;
    const besides = text === structured ? undefined : structured;
    const isOver = await this.#isOver(text, bounds, slicer);
    const isOverBesides = besides !== undefined && (await this.#isOver(besides, bounds, slicer));
    if (!isOver && !isOverBesides) return output;

    const { count } = this.meter;
    const longest = shortenedNote({ ...LONGEST, heldForMs: this.held.settings.heldForMs, readOn: call.readOn });
    const budget = Math.max(1, bounds.shapedTokens - count(longest) - count(contentText(beside)));
    const shaped = isOver ? await slicer.run(shape(text, budget, count)) : undefined;
    const content = [
      ...(shaped ? [textBlock(shaped.text), ...beside] : read),
      ...output.content.filter((block) => !isRead(block)),
    ];
    // Whole JSON was not cut: only its repetition as structured content had no room.
    const truncated = output.truncated && !shaped?.isJson;
    if (shaped?.isWhole && !isOverBesides) return { ...output, content, truncated };

    const document = {
      text,
      ...(besides !== undefined && { structured: besides }),
      ...(call.isUntrusted && { untrusted: true as const }),
    };
    const handle = await this.#store(call, document);
    const { tool, caller, callId } = call;
    const ids = { ...eventIds(caller.context), callId, tool: tool.name };
    const chars = Math.max(text.length, besides?.length ?? 0);
    this.events.emit({ type: 'result.shortened', ...ids, chars, held: handle !== undefined });
    const note = shortenedNote({
      handle,
      chars,
      cut: shaped ? shaped.cut : { pointer: '', offset: 0 },
      heldForMs: this.held.settings.heldForMs,
      readOn: call.readOn,
    });
    return { content, truncated, note, ...(handle !== undefined && { handle }) };
  }

  // A result that cannot be held is still shortened: the model must never get all of it.
  async #store({ caller, tool }: ShortenedCall, document: ResultDocument): Promise<string | undefined> {
    try {
      return await this.held.hold(caller, tool.name, document);
    } catch (error) {
      this.reportFault(tool.name, error);
      return undefined;
    }
  }

  async #isOver(text: string, { maxTokens }: ShorteningBounds, slicer: TimeSlicer): Promise<boolean> {
    // A token has at least one byte, so most results need no count.
    if (Buffer.byteLength(text) <= maxTokens) return false;
    return (await slicer.run(countedInPieces(text, this.meter.count, maxTokens))) > maxTokens;
  }
}

/** Whether a model reads a block as text. */
function isRead(block: ToolContent): boolean {
  if (block.type === 'resource') return block.resource.blob === undefined;
  return block.type === 'text' || block.type === 'resource_link';
}

/**
 * The longest of several texts if the others are no more than remarks, such as that a source has cut its answer: it is
 * shortened by its own structure, and the remarks stay. Otherwise all texts are one.
 */
function mainBlock(read: readonly ToolContent[], shapedTokens: number): ToolContent | undefined {
  if (read.length < 2) return undefined;
  const lengthOf = (block: ToolContent) => contentText([block]).length;
  const main = read.reduce((longest, block) => (lengthOf(block) > lengthOf(longest) ? block : longest));
  const others = read.filter((block) => block !== main);
  return contentText(others).length <= shapedTokens / 4 ? main : undefined;
}

function textBlock(text: string): ToolContent {
  return { type: 'text', text };
}
