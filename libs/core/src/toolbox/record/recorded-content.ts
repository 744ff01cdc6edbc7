import { NEVER_ABORTED } from '../../async/deadline.js';
import { globSet } from '../../tool/tool-name.js';
import type { ToolResult } from '../../tool/tool-result.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ResultRedaction } from '../results/redaction/result-redaction.js';
import type { CallRecord } from './call-record.js';
import type { RecordSettings } from './record-options.js';

/** Redaction of arguments that were taken at the end of a call. */
export type PendingContent = () => Promise<Pick<CallRecord, 'arguments'>>;

/** Decides which arguments and results are recorded. Fails closed: what cannot be redacted is not recorded. */
export class RecordedContent {
  readonly #maxChars: number;
  readonly #namesArguments: (tool: string) => boolean;
  readonly #takesResults: (tool: string) => boolean;

  /** @throws ToolSearchError `INVALID_CONFIGURATION` for content without a redactor */
  constructor(
    settings: Pick<RecordSettings, 'arguments' | 'results' | 'maxChars'>,
    private readonly redaction: ResultRedaction | undefined,
  ) {
    const { arguments: ofArguments, results, maxChars } = settings;
    if (!redaction && ofArguments.length + results.length > 0) {
      throw new ToolSearchError('INVALID_CONFIGURATION', 'record.arguments and record.results need a redactor.', {
        hint: 'Set redaction: { redactor }, or record no content.',
      });
    }
    this.#maxChars = maxChars;
    this.#namesArguments = globSet(ofArguments);
    this.#takesResults = globSet(results);
  }

  /** Whether the arguments of a tool are recorded. */
  takesArguments(tool: string): boolean {
    return this.redaction?.covers(tool) === true && this.#namesArguments(tool);
  }

  /** The text of a result, which the call has redacted already. */
  resultOf(tool: string, { content = [] }: ToolResult): Pick<CallRecord, 'result'> {
    if (!this.redaction?.covers(tool) || !this.#takesResults(tool)) return {};
    let text = '';
    for (const block of content) {
      if (text.length >= this.#maxChars) break;
      const next = block.type === 'text' ? block.text.slice(0, this.#maxChars) : `[${block.type}]`;
      text += text === '' ? next : `\n${next}`;
    }
    // A copy: a slice would keep the whole result in memory for as long as the record waits.
    return { result: Buffer.from(text.slice(0, this.#maxChars)).toString() };
  }

  /** The arguments, to be redacted in the background; undefined if they are not recorded. */
  argumentsOf(tool: string, value: unknown): PendingContent | undefined {
    const { redaction } = this;
    if (!redaction || !this.takesArguments(tool)) return undefined;
    const text = JSON.stringify(value);
    // A value that is cut in two is not recognized by a redactor, so nothing is cut before redaction.
    if (text.length > this.#maxChars) return undefined;
    return async () => {
      try {
        const redacted = await redaction.of(tool, NEVER_ABORTED)?.json(text);
        return redacted === undefined ? {} : { arguments: redacted.slice(0, this.#maxChars * 2) };
      } catch {
        return {};
      }
    };
  }
}
