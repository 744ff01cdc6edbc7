import { SurfaceTokens } from '../exposure/ledger/surface-tokens.js';
import { withDefaults } from '../options/options.js';
import { MemorySearchGapStore } from '../toolbox/search-gaps/memory-search-gap-store.js';
import type { TokenizerName } from '../tool/token-count.js';
import { type ToolContext, toolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { ToolEvents } from '../tool/tool-event.js';
import { SearchGaps, searchGapSchema } from '../toolbox/search-gaps/search-gaps.js';
import type { Explanation } from '../toolbox/explanation.js';
import type { CallRecorder } from '../toolbox/record/tool-call-records.js';
import type { SearchReply } from '../toolbox/meta-tools/replies.js';
import type { SearchRequest } from '../toolbox/search/search-request.js';
import type { StepLedger, Surface, SurfaceRequest } from '../toolbox/surface/surface.js';
import { Toolbox, type ToolboxParts } from '../toolbox/toolbox.js';

/** The reply to a search of a context, and its tokens. */
export interface SearchPreview {
  readonly reply: SearchReply;
  /** Tokens of the answer as a model reads it, without the parts of the scores. */
  readonly answerTokens: number;
  /** Tokens of the definition of each hit, in the order of the hits. */
  readonly definitionTokens: readonly number[];
  readonly tokenizer: TokenizerName;
}

/** The surface of a context at its first step, and its tokens. */
export interface SurfacePreview {
  readonly surface: Surface;
  /** Tokens of each listed tool, in the order of the surface. */
  readonly toolTokens: readonly number[];
  /** Tokens of each meta tool, in the order of the surface. */
  readonly metaTokens: readonly number[];
  /** Tokens of everything that is sent. */
  readonly shownTokens: number;
  /** Tokens of a plain list of all tools that the context can see. */
  readonly fullTokens: number;
  /** How many tools the context can see. */
  readonly visible: number;
  readonly tokenizer: TokenizerName;
}

const UNRECORDED: CallRecorder = {
  call: (_caller, _step, work) => work(),
  admission: (_caller, _step, work) => work(),
  completion: (_caller, _step, work) => work(),
  note: () => undefined,
};
const UNCOUNTED: StepLedger = { isOn: () => false, shown: () => undefined, answered: () => undefined };

/**
 * Shows operators what a context sees. It decides like any toolbox, but leaves no trace: nothing is counted, recorded,
 * learned, offered, activated or reported. The session and run of the context are left out, because a search would offer its
 * hits to them.
 */
export class ToolPreview {
  readonly #toolbox: Toolbox;

  /** @throws ToolSearchError `INVALID_CONTEXT` or `INVALID_SESSION` */
  constructor(
    private readonly parts: ToolboxParts,
    context: ToolContext,
  ) {
    const { sessionId: _session, runId: _run, ...caller } = toolContext(context);
    const events = new ToolEvents();
    const gaps = new SearchGaps(new MemorySearchGapStore(), events, withDefaults(searchGapSchema));
    const silent = { ...parts, events, gaps, ledger: UNCOUNTED, records: UNRECORDED, tracing: undefined };
    this.#toolbox = new Toolbox(silent, () => caller);
  }

  /** @throws ToolSearchError for an invalid request */
  async search(request: SearchRequest): Promise<SearchPreview> {
    const reply = await this.#toolbox.search({ ...request, explain: true });
    const { tokens } = this.parts;
    const read = { ...reply, tools: reply.tools.map(({ parts: _parts, ...tool }) => tool) };
    const definitions = new Map((await this.#toolbox.visible()).map((tool) => [tool.name, tool]));
    return {
      reply,
      answerTokens: tokens.count(JSON.stringify(read)),
      definitionTokens: reply.tools.map(({ name }) => {
        const tool = definitions.get(name);
        return tool ? tokens.of(tool) : 0;
      }),
      tokenizer: tokens.tokenizer,
    };
  }

  /** @throws ToolSearchError `INVALID_REQUEST` for an invalid mode */
  async surface(request: SurfaceRequest = {}): Promise<SurfacePreview> {
    const surface = await this.#toolbox.surface(request);
    const visible = await this.#toolbox.visible();
    const { tokens } = this.parts;
    const counted = new SurfaceTokens(tokens);
    return {
      surface,
      toolTokens: surface.tools.map((tool) => counted.of({ ...surface, tools: [tool], meta: [], prompt: {} })),
      metaTokens: surface.meta.map((tool) => counted.of({ ...surface, tools: [], meta: [tool], prompt: {} })),
      shownTokens: counted.of(surface),
      fullTokens: tokens.all(visible),
      visible: visible.length,
      tokenizer: tokens.tokenizer,
    };
  }

  /** All tools that the context can see, in catalog order. */
  visible(): Promise<readonly ToolDefinition[]> {
    return this.#toolbox.visible();
  }

  /** Why the context may or may not use a tool. */
  explain(name: string): Promise<Explanation> {
    return this.#toolbox.explain(name);
  }
}
