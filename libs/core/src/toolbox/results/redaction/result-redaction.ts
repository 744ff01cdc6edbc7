import { withDeadline } from '../../../async/deadline.js';
import { TimeSlicer } from '../../../async/time-slicer.js';
import type { JsonValue } from '../../../json/json.js';
import { func, kept, list, object, type OptionsOf, type SettingsOf, whole } from '../../../options/options.js';
import { glob } from '../../../tool/source/source-options.js';
import type { ToolContent } from '../../../tool/tool-definition.js';
import { globSet } from '../../../tool/tool-name.js';
import { failureOf, type ToolFailure } from '../../../tool/tool-result.js';
import { ToolSearchError } from '../../../tool/tool-search.error.js';
import type { ToolProgress } from '../../../tool/tool-source.js';
import { boundOutput, type BoundedOutput } from '../../call/bound.js';
import { RedactedTexts } from './redacted-texts.js';
import type { ResultRedactor } from './result-redactor.js';

/** The schema of the option `redaction`. */
export const redactionOptions = object({
  /** Removes credentials and personal data, for example `PatternRedactor` of `@tool-search/redaction`. */
  redactor: kept<ResultRedactor>({ redact: func() }, 'a redactor: an object with redact()'),
  /** The tools whose results are redacted, as names or globs. @default all */
  tools: list(glob()).default(['*']),
  /** Tools whose results stay as they are, although `tools` names them. @default none */
  except: list(glob()).default([]),
});

/** Which results are redacted, and by what. */
export interface RedactionOptions extends OptionsOf<typeof redactionOptions> {}

export const redactionTuning = object({
  /** Milliseconds that the redactor may take for one result; after that the result is withheld. @default 5000 */
  timeoutMs: whole(1, 600_000).default(5000),
});

export interface RedactionTuning extends OptionsOf<typeof redactionTuning> {}

export const redactionSchema = object({ ...redactionOptions.shape, ...redactionTuning.shape });

const SLICE_MS = 5;
/** Dropped at the end of a text that the limit of bytes cut: a value that was cut in two is not recognized. */
const CUT_CHARS = 128;
/** How many bytes of redacted JSON may come of a character: a replacement may be longer than what it replaces. */
const MAX_GROWTH = 8;

/** The members of `tool.called` about the redaction of a result. */
export interface RedactionFacts {
  redacted?: number;
}

/** Redacts the results of tools. Fails closed: without an answer of the redactor there is no result. */
export class ResultRedaction {
  readonly #redactor: ResultRedactor;
  readonly #timeoutMs: number;
  readonly #isNamed: (tool: string) => boolean;
  readonly #isExcepted: (tool: string) => boolean;

  constructor(
    { redactor, tools, except, timeoutMs }: SettingsOf<typeof redactionSchema>,
    private readonly reportFault: (tool: string, error: unknown) => void = () => undefined,
  ) {
    this.#redactor = redactor;
    this.#timeoutMs = timeoutMs;
    this.#isNamed = globSet(tools);
    this.#isExcepted = globSet(except);
  }

  /** Whether the results of a tool are redacted, so that they may contradict its output schema. */
  covers(tool: string): boolean {
    return this.#isNamed(tool) && !this.#isExcepted(tool);
  }

  /** The redaction of one call; undefined if the results of its tool are not redacted. */
  of(tool: string, signal: AbortSignal, facts: RedactionFacts = {}): CallRedaction | undefined {
    return this.covers(tool) ? this.#callOf(tool, signal, facts) : undefined;
  }

  /** The redaction of the arguments that a person sees who decides on a call, also of tools whose results stay as they are. */
  ofArguments(tool: string, signal: AbortSignal): CallRedaction {
    return this.#callOf(tool, signal, {});
  }

  #callOf(tool: string, signal: AbortSignal, facts: RedactionFacts): CallRedaction {
    return new CallRedaction(
      (texts) => this.#redact(texts, tool, signal),
      facts,
      (e) => this.reportFault(tool, e),
    );
  }

  async #redact(given: readonly string[], tool: string, signal: AbortSignal): Promise<RedactedAnswer> {
    try {
      return await withDeadline(
        this.#timeoutMs,
        async (own) => {
          const slicer = new TimeSlicer(SLICE_MS, own);
          const apart = new RedactedTexts();
          for (const text of given) await slicer.run(apart.add(text));
          const returned: unknown = await this.#redactor.redact(apart.texts, { tool, signal: own });
          if (!areTexts(returned, apart.texts.length)) {
            throw new TypeError(`the redactor did not return a list of ${apart.texts.length} texts`);
          }
          const changed = returned.filter((text, index) => text !== apart.texts[index]?.text).length;
          return { texts: changed === 0 ? given : apart.rebuilt(returned), changed };
        },
        signal,
      );
    } catch (cause) {
      throw new ToolSearchError(
        'REDACTION_FAILED',
        `The result of ${tool} is withheld, because it could not be redacted. The call may have taken effect.`,
        { hint: 'Check the state before you call it again; the operator finds the cause in the log.', cause },
      );
    }
  }
}

interface RedactedAnswer {
  readonly texts: readonly string[];
  /** How many texts of the redactor changed. */
  readonly changed: number;
}

/** Redacts everything that one call returns. */
export class CallRedaction {
  constructor(
    private readonly redact: (texts: readonly string[]) => Promise<RedactedAnswer>,
    private readonly facts: RedactionFacts,
    private readonly reportFault: (error: unknown) => void,
  ) {}

  /**
   * Redacts an output: texts, the texts of resources and links, and structured content. Images, sound and binary
   * resources stay as they are. Replacements can be longer than what they replace, so it is bounded once more.
   *
   * @throws ToolSearchError `REDACTION_FAILED`
   */
  async output(output: BoundedOutput, maxBytes: number): Promise<BoundedOutput> {
    const { content, structured, truncated } = output;
    const given = content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(withoutData(block))));
    if (structured !== undefined) given.push(JSON.stringify(structured));
    const { texts, changed } = await this.redact(given);
    // An answer of the application in the place of another one is redacted too.
    this.facts.redacted = (this.facts.redacted ?? 0) + changed;
    if (changed === 0 && !truncated) return output;
    const cut = truncated ? content.findLastIndex(({ type }) => type === 'text') : -1;
    const blocks = content.map((block, index): ToolContent => {
      const text = texts[index] ?? '';
      if (block.type === 'text') return { type: 'text', text: index === cut ? text.slice(0, -CUT_CHARS) : text };
      return text === given[index] ? block : withData(block, JSON.parse(text) as Record<string, unknown>);
    });
    const last = texts.at(-1) ?? '';
    const redacted = structured === undefined || last === given.at(-1) ? structured : (JSON.parse(last) as JsonValue);
    const bounded = boundOutput({ content: blocks, ...(redacted !== undefined && { structured: redacted }) }, maxBytes);
    return { ...bounded, truncated: bounded.truncated || truncated };
  }

  /** Redacts JSON text. @throws ToolSearchError `REDACTION_FAILED` */
  async json(text: string): Promise<string> {
    const output = { content: [{ type: 'text', text } as const], truncated: false };
    const [block] = (await this.output(output, text.length * MAX_GROWTH)).content;
    return block?.type === 'text' ? block.text : '';
  }

  /**
   * Redacts suggested values.
   *
   * @throws ToolSearchError `REDACTION_FAILED`
   */
  async suggestions(values: readonly string[]): Promise<readonly string[]> {
    try {
      return (await this.redact(values)).texts;
    } catch (error) {
      this.reportFault(error);
      throw new ToolSearchError('REDACTION_FAILED', 'The suggestions are withheld: they could not be redacted.', {
        hint: 'Enter the value yourself; the operator finds the cause in the log.',
      });
    }
  }

  /** Redacts the words of a source about its own failure. Never throws. */
  async failure(failed: ToolFailure): Promise<ToolFailure> {
    // These words are the library's own.
    if (failed.code === 'REDACTION_FAILED') return failed;
    try {
      const { message, hint, content } = failed;
      // What a server says about its refusal is text.
      const own = (content ?? []).map((block) => (block.type === 'text' ? block.text : ''));
      const hints = hint === undefined ? [] : [hint];
      const { texts } = await this.redact([message, ...hints, ...own]);
      const words = texts.slice(1 + hints.length);
      return {
        ...failed,
        message: texts[0] ?? '',
        ...(hint !== undefined && { hint: texts[1] ?? '' }),
        ...(content && { content: words.map((text) => ({ type: 'text' as const, text })) }),
      };
    } catch (error) {
      this.reportFault(error);
      return failureOf(error);
    }
  }

  /** The words of a tool that is still running cannot wait for the redactor, so they are left out. */
  progress({ message: _message, ...numbers }: ToolProgress): ToolProgress {
    return numbers;
  }
}

function areTexts(returned: unknown, length: number): returned is readonly string[] {
  return Array.isArray(returned) && returned.length === length && returned.every((text) => typeof text === 'string');
}

/** Members of a block that a redactor neither reads nor changes: its kind and its binary data. */
const UNREAD = new Set(['type', 'mimeType', 'data', 'blob']);

function membersOf(part: object, areUnread: boolean): Record<string, unknown> {
  return Object.fromEntries(Object.entries(part).filter(([key]) => UNREAD.has(key) === areUnread));
}

function withoutData(block: Exclude<ToolContent, { type: 'text' }>): Record<string, unknown> {
  const members = membersOf(block, false);
  return block.type === 'resource' ? { ...members, resource: membersOf(block.resource, false) } : members;
}

function withData(block: Exclude<ToolContent, { type: 'text' }>, redacted: Record<string, unknown>): ToolContent {
  const own = { ...membersOf(block, true), ...redacted };
  if (block.type !== 'resource') return own as ToolContent;
  return {
    ...own,
    resource: { ...membersOf(block.resource, true), ...(redacted['resource'] as object) },
  } as ToolContent;
}
