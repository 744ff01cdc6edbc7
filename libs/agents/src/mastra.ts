import { isObject } from '@tool-search/core/internal';
import { resultTexts, userText } from './mastra/mastra-messages.js';
import { isToolboxTool, toolboxTool } from './mastra/mastra-step-tool.js';
import type { MastraRequestArgs, MastraStepArgs, MastraStepResult } from './mastra/mastra-types.js';
import type { AdapterOptions, AgentToolbox } from './wire/agent-toolbox.js';
import { ANY_PROVIDER_LIMITS } from './wire/provider-limits.js';
import { WireToolbox } from './wire/wire-toolbox.js';

export { MastraSource } from './mastra/mastra.source.js';
export type { MastraTools } from './mastra/mastra-types.js';

/** Options of {@link mastra}. */
type MastraOptions = AdapterOptions;

/** An input processor of a Mastra agent; belongs to one toolbox, so to one request. */
export interface MastraProcessor {
  readonly id: 'toolbox';
  readonly name: string;
  readonly description: string;
  /** Adds the toolbox's current tools after the agent's own, and its prompt parts to the system messages. */
  processInputStep<SYSTEM>(args: MastraStepArgs<SYSTEM>): Promise<MastraStepResult<SYSTEM>>;
  /** Adds the prompt parts after the last message where the option `prompt` is `end`. */
  processLLMRequest<MESSAGE>(args: MastraRequestArgs<MESSAGE>): { prompt: MESSAGE[] } | undefined;
}

/**
 * A toolbox for Mastra agents: `agent.generate(text, { inputProcessors: [mastra(toolbox)] })`, or
 * `inputProcessors: ({ requestContext }) => [mastra(requestContext.get('toolbox'))]` of an agent. A tool found in one
 * step can be called in the next, and one that is switched off during a run is gone from the next step.
 *
 * Mastra itself answers a call of a tool that is not listed: the tool is not run, and the model has to search first.
 * Mastra has no deferral by providers, so `native` is shown as `deferred`.
 *
 * A run fails with `INVALID_CONFIGURATION` when one of the agent's own tools is named like a meta tool.
 */
export function mastra(toolbox: AgentToolbox, options: MastraOptions = {}): MastraProcessor {
  const wire = new WireToolbox(toolbox, ANY_PROVIDER_LIMITS, { ...options, runsUnlisted: false });
  const placement = options.prompt ?? 'system';

  return {
    id: 'toolbox',
    name: 'Toolbox',
    description: "Lists the toolbox's current tools and runs them under its policies.",

    processInputStep: async <SYSTEM>(step: MastraStepArgs<SYSTEM>): Promise<MastraStepResult<SYSTEM>> => {
      const { messages, systemMessages, tools = {}, activeTools, state } = step;
      // A step may be given what the one before was shown.
      const own = Object.entries(tools).filter(([, tool]) => !isToolboxTool(tool));
      const ownNames = own.map(([name]) => name);
      const newTexts = { text: userText(messages), toolResults: resultTexts(messages) };
      const shown = await wire.step({ ...newTexts, own: ownNames });
      const listed = shown.tools.map((tool) => [tool.name, toolboxTool(wire, tool)] as const);
      const before = systemMessages.filter(
        (message) => state[PROMPT] === undefined || contentOf(message) !== state[PROMPT],
      );
      state[PROMPT] = shown.prompt;
      const hasPrompt = placement === 'system' && shown.prompt !== '';
      return {
        tools: Object.fromEntries([...own, ...listed]),
        ...(activeTools && { activeTools: [...activeTools, ...listed.map(([name]) => name)] }),
        systemMessages: hasPrompt ? [...before, { role: 'system', content: shown.prompt } as SYSTEM] : before,
      };
    },

    // The prompt of one request, which Mastra does not store: the text is never part of the conversation.
    processLLMRequest: <MESSAGE>({ prompt, state }: MastraRequestArgs<MESSAGE>) => {
      const text = state[PROMPT];
      if (placement !== 'end' || typeof text !== 'string' || text === '') return undefined;
      const last = prompt.at(-1);
      // A reply that is to be continued stays last.
      if (isObject(last) && last['role'] === 'assistant') return undefined;
      return { prompt: [...prompt, { role: 'user', content: [{ type: 'text', text }] } as MESSAGE] };
    },
  };
}

/** The key in a processor's state, which Mastra keeps for one run. */
const PROMPT = 'toolbox.prompt';

function contentOf(message: unknown): unknown {
  return isObject(message) ? message['content'] : undefined;
}
