import { atOnce } from '../../async/time-slicer.js';
import { countedInPieces } from '../../tool/counted-in-pieces.js';
import type { DefinitionTokens } from '../../tool/token-count.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolResult } from '../../tool/tool-result.js';
import type { CallRecord } from './call-record.js';

/** Characters of a result that are counted. To count a long one takes milliseconds, during which nobody is served. */
const MAX_COUNTED = 4096;

/** Counts what a record says about tokens. A counter of the application that throws costs nothing but the count. */
export class RecordedTokens {
  constructor(
    private readonly tokens: Pick<DefinitionTokens, 'of' | 'count'>,
    private readonly onFault: (error: unknown) => void = () => undefined,
  ) {}

  ofShown(definitions: readonly ToolDefinition[]): Pick<CallRecord, 'toolTokens'> {
    if (definitions.length === 0) return {};
    return this.#quietly(() => ({ toolTokens: definitions.map((tool) => this.tokens.of(tool)) }));
  }

  ofResult({ content = [] }: ToolResult): Pick<CallRecord, 'resultTokens'> {
    let [counted, chars] = ['', 0];
    for (const block of content) {
      if (block.type !== 'text') continue;
      chars += block.text.length;
      if (counted.length < MAX_COUNTED) counted += block.text.slice(0, MAX_COUNTED - counted.length);
    }
    if (chars === 0) return { resultTokens: 0 };
    return this.#quietly(() => {
      const tokens = atOnce(countedInPieces(counted, this.tokens.count));
      return { resultTokens: Math.round((tokens * chars) / counted.length) };
    });
  }

  #quietly<T extends object>(count: () => T): T | Record<string, never> {
    try {
      return count();
    } catch (error) {
      this.onFault(error);
      return {};
    }
  }
}
