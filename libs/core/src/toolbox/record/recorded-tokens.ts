import { atOnce } from '../../async/time-slicer.js';
import { TenantFairLru } from '../../collections/tenant-fair-lru.js';
import { countedInPieces } from '../../tool/counted-in-pieces.js';
import type { DefinitionTokens, TokenCounter } from '../../tool/token-count.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolResult } from '../../tool/tool-result.js';
import type { CallRecord } from './call-record.js';

/** Characters of a result that are counted. To count a long one takes milliseconds, during which nobody is served. */
const MAX_COUNTED = 4096;
/** To count each result would cost a tenth of the calls that a server answers in a second. */
const COUNTED_EVERY = 50;
const MAX_TOOLS = 10_000;

/** Tokens per character of a tool's results to one tenant: those to others must not show in its record. */
interface Density {
  readonly by: TokenCounter;
  readonly perChar: number;
  /** Calls until it is measured again. */
  left: number;
}

/** Counts what a record says about tokens. A counter of the application that throws costs nothing but the count. */
export class RecordedTokens {
  readonly #densities = new TenantFairLru<Density>(MAX_TOOLS);

  constructor(
    private readonly tokens: Pick<DefinitionTokens, 'of' | 'count'>,
    private readonly onFault: (error: unknown) => void = () => undefined,
  ) {}

  ofShown(definitions: readonly ToolDefinition[]): Pick<CallRecord, 'toolTokens'> {
    if (definitions.length === 0) return {};
    return this.#quietly(() => ({ toolTokens: definitions.map((tool) => this.tokens.of(tool)) }));
  }

  ofResult(
    { tenantId, tool }: Pick<CallRecord, 'tenantId' | 'tool'>,
    { content = [] }: ToolResult,
  ): Pick<CallRecord, 'resultTokens'> {
    let chars = 0;
    for (const block of content) if (block.type === 'text') chars += block.text.length;
    if (chars === 0) return { resultTokens: 0 };
    return this.#quietly(() => ({ resultTokens: Math.round(chars * this.#perChar(tenantId, tool, content)) }));
  }

  #perChar(tenantId: string, tool: string, content: NonNullable<ToolResult['content']>): number {
    const { count } = this.tokens;
    const known = this.#densities.get(tenantId, tool);
    if (known?.by === count && known.left > 0) {
      known.left -= 1;
      return known.perChar;
    }
    let text = '';
    for (const block of content) {
      if (text.length === MAX_COUNTED) break;
      if (block.type === 'text') text += block.text.slice(0, MAX_COUNTED - text.length);
    }
    const perChar = atOnce(countedInPieces(text, count)) / text.length;
    this.#densities.set(tenantId, tool, { by: count, perChar, left: COUNTED_EVERY - 1 });
    return perChar;
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
