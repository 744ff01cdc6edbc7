import type { ModelMessage, PrepareStepFunction, PrepareStepResult, ToolCallRepairFunction, ToolSet } from 'ai';
import type { AdapterOptions, AgentToolbox } from './wire/agent-toolbox.js';
import { AiSdkConversation } from './ai-sdk/ai-sdk-conversation.js';
import type { AiSdkProvider } from './ai-sdk/ai-sdk-provider.js';
import { withoutStaleReferences } from './ai-sdk/model-references.js';
import { metaNamesOf, WireNames } from './wire/wire-names.js';
import { ANY_PROVIDER_LIMITS } from './wire/provider-limits.js';
import { PROGRAM_TOOL, type ProgramOptions, programTool } from './ai-sdk/program-tool.js';
import { StepEnding, StepInstructions } from './ai-sdk/step-prompt.js';
import { ToolRegistry } from './ai-sdk/tool-registry.js';

export { aiSdkQueryWriter } from './ai-sdk/ai-sdk-query-writer.js';
export { aiSdkSearch } from './ai-sdk/ai-sdk-search.js';
export { AiSdkSource } from './ai-sdk/ai-sdk.source.js';
export type { ProgramLimits, ProgramOptions, RunProgram } from './ai-sdk/program-tool.js';
export type { AgentToolbox } from './wire/agent-toolbox.js';

/** The caller's own parts of a call, and how the toolbox is shown. */
interface AiSdkOptions<TOOLS extends ToolSet = ToolSet> extends AdapterOptions {
  /** The caller's own tools: registered beside the toolbox's and listed before them. */
  readonly tools?: TOOLS;
  /** Which of the caller's own tools are active; the toolbox's tools are not affected. @default all of them */
  readonly activeTools?: readonly (keyof TOOLS & string)[];
  /** Runs first; everything it returns is kept. Its `activeTools` apply to the caller's own tools only. */
  readonly prepareStep?: PrepareStepFunction<TOOLS>;
  /** Repairs calls of the caller's own tools and calls that are not JSON. */
  readonly repairToolCall?: ToolCallRepairFunction<ToolSet>;
  /** `false` is short for `prompt: 'none'`. @default true */
  readonly instructions?: boolean;
  /** The provider of the model, for `native`. @default detected from each step's model */
  readonly provider?: AiSdkProvider;
  /** Adds the tool `run_program`, with which the model runs programs that call the toolbox's tools. @default no programs */
  readonly programs?: ProgramOptions;
}

/** Spread this into `generateText`, `streamText` or an agent. Belongs to one toolbox, so to one request. */
export interface AiSdkSettings {
  /** Every visible tool under its wire name, the meta tools and the caller's own. */
  readonly tools: ToolSet;
  /** Updates the list of tools at every step. */
  readonly prepareStep: PrepareStepFunction<ToolSet>;
  /** Sends a call of a tool that is not listed through the toolbox, which runs or refuses it. */
  readonly repairToolCall: ToolCallRepairFunction<ToolSet>;
}

/**
 * A toolbox for the Vercel AI SDK: `generateText({ model, prompt, stopWhen, ...(await aiSdk(toolbox)) })`. A tool found
 * in one step can be called in the next, and one that is switched off during a run is gone from the next step.
 *
 * A tool whose wire name is used by one of the caller's own tools gets the next free name (`name_2`).
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` when one of the caller's own tools is named like a meta tool or, with
 *   `programs`, `run_program`; for a wrong glob in `programs.tools`
 */
export async function aiSdk<TOOLS extends ToolSet = ToolSet>(
  toolbox: AgentToolbox,
  options: AiSdkOptions<TOOLS> = {},
): Promise<AiSdkSettings> {
  const { activeTools } = options;
  const placement = options.instructions === false ? 'none' : (options.prompt ?? 'system');
  const given = options.tools ?? {};
  const { programs } = options;
  const taken = new Set([...Object.keys(given), ...(programs ? [PROGRAM_TOOL] : [])]);
  const names = new WireNames(ANY_PROVIDER_LIMITS.nameChars, taken);
  const conversation = new AiSdkConversation(toolbox, options, names);
  const own = programs
    ? { ...given, [PROGRAM_TOOL]: programTool(programs, conversation.callFromProgram, given) }
    : given;
  const registry = new ToolRegistry(conversation, names, own, metaNamesOf(toolbox));
  const instructions = new StepInstructions();
  const ending = new StepEnding();
  // The SDK filters `tools` at each step but cannot be given additional ones: callers who copy the object would miss
  // tools that are registered later.
  registry.addTools(await toolbox.visible());

  return {
    tools: registry.tools,

    prepareStep: async (step) => {
      const before = instructions.without(step.instructions);
      const kept = ending.without(step.messages);
      const wanted = await ownStep(options, { ...step, instructions: before, messages: kept });
      const ownMessages = wanted.messages ?? kept;
      const wantedNames = wanted.activeTools ?? activeTools;
      const ownNames = registry.ownNames(wantedNames && [...wantedNames, ...(programs ? [PROGRAM_TOOL] : [])]);
      const text = textOfUser(step.initialMessages);
      const shown = await conversation.step(wanted.model ?? step.model, ownMessages, text, ownNames);
      const deferral = conversation.deferral(shown, ownMessages);
      const listed = registry.list(shown.tools, deferral);
      const active = [...ownNames, ...listed];
      const system = wanted.instructions ?? wanted.system ?? before;
      const shownInstructions = placement === 'system' ? instructions.with(system, shown.prompt) : system;
      const currentMessages = withoutStaleReferences(deferral.messages, deferral.references, new Set(listed));
      const messages = placement === 'end' ? ending.with(currentMessages, shown.prompt) : currentMessages;
      return {
        ...wanted,
        activeTools: active,
        ...((wanted.toolOrder || !registry.isOrdered(active)) && {
          toolOrder: [...new Set([...(wanted.toolOrder ?? []), ...active])],
        }),
        ...(shownInstructions !== undefined && { instructions: shownInstructions }),
        ...(messages !== step.messages && { messages }),
      };
    },

    repairToolCall: async (call) => {
      const { tools, toolCall } = call;
      const unlisted = !Object.hasOwn(tools, toolCall.toolName) && !registry.isOwn(toolCall.toolName);
      if (!unlisted) return (await options.repairToolCall?.(call)) ?? null;
      registry.addTools(await toolbox.visible());
      const unlistedTool = registry.toolNamed(toolCall.toolName);
      if (!unlistedTool) return null;
      // `tools` is the step's own copy, from which the SDK reads and executes the repaired call.
      tools[toolCall.toolName] = unlistedTool;
      return toolCall;
    },
  };
}

type Step = Parameters<PrepareStepFunction<ToolSet>>[0];

// The caller's function is typed for its own tools; at run time the steps also contain calls of the toolbox's tools.
async function ownStep<TOOLS extends ToolSet>(
  { prepareStep }: AiSdkOptions<TOOLS>,
  step: Step,
): Promise<NonNullable<PrepareStepResult<ToolSet>>> {
  const own = prepareStep as PrepareStepFunction<ToolSet> | undefined;
  return (await own?.(step)) ?? {};
}

function textOfUser(messages: readonly ModelMessage[]): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
}
