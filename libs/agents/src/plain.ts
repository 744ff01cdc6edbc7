import { randomUUID } from 'node:crypto';
import { type CallOptions, type JsonSchema, resultText, type ToolResult } from '@tool-search/core';
import type { AdapterOptions, AgentToolbox } from './wire/agent-toolbox.js';
import { failedArguments, parsedArguments } from './wire/call-arguments.js';
import { checkedMaxSteps } from './wire/max-steps.js';
import { ANY_PROVIDER_LIMITS } from './wire/provider-limits.js';
import { WireToolbox } from './wire/wire-toolbox.js';

export type { AdapterOptions, AgentToolbox, LeftOutTool } from './wire/agent-toolbox.js';
export { ANTHROPIC_LIMITS, ANY_PROVIDER_LIMITS, OPENAI_LIMITS, type ProviderLimits } from './wire/provider-limits.js';

/** A tool as a model is told about it. */
export interface PlainTool {
  /** Letters, digits, `_` and `-`: a name that the provider takes. */
  readonly name: string;
  readonly description: string;
  /** An object at its root. */
  readonly inputSchema: JsonSchema;
}

/** What a model is given at one step. */
export interface PlainStep {
  /** The tools of this moment. */
  readonly tools: readonly PlainTool[];
  /** Guidance, directory and hints: for the system prompt, or for the end of the conversation; `''` for none. */
  readonly prompt: string;
}

/** A call as the model made it. */
export interface PlainCall {
  readonly name: string;
  /** An object, or its JSON. @default {} */
  readonly input?: unknown;
  /** The provider's id of the call. @default a random one */
  readonly id?: string;
}

/** One message of a plain conversation. */
export type PlainMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text?: string; readonly calls: readonly Required<PlainCall>[] }
  | { readonly role: 'tool'; readonly id: string; readonly name: string; readonly text: string; readonly ok: boolean };

/** What a model says: calls of tools, or nothing but text. */
export interface PlainReply {
  readonly text?: string;
  readonly calls?: readonly PlainCall[];
}

/** The team's own way to any model: sends tools, prompt and messages, and gives what the model says. */
export type AskModel = (
  turn: PlainStep & { readonly messages: readonly PlainMessage[]; readonly signal?: AbortSignal },
) => PlainReply | PromiseLike<PlainReply>;

/** One run of a plain loop. */
export interface PlainRun {
  readonly ask: AskModel;
  /** What the user asks for. */
  readonly text: string;
  /** The conversation before. @default none */
  readonly messages?: readonly PlainMessage[];
  /** Times the model is asked before the run ends unfinished. @default 20 */
  readonly maxSteps?: number;
  readonly signal?: AbortSignal;
}

/** How a run ended. */
export interface PlainOutcome {
  /** The model's last words; `''` where it had none. */
  readonly text: string;
  readonly stopped: 'answer' | 'max_steps';
  /** The whole conversation, to go on with. */
  readonly messages: readonly PlainMessage[];
}

/** A toolbox for a loop without any SDK. */
export interface PlainToolbox {
  /** What to give to the model now; to be asked anew before every request. */
  step(request?: Parameters<WireToolbox['step']>[0]): Promise<PlainStep>;
  /** Calls a tool or meta tool by the name the model uses. Never throws for a model's fault. */
  call(name: string, input: unknown, options?: Omit<CallOptions, 'naming'>): Promise<ToolResult>;
  /**
   * Asks, calls in parallel and asks again until the model says nothing but text.
   *
   * @throws what `ask` throws, and the signal's reason
   */
  run(run: PlainRun): Promise<PlainOutcome>;
}

/**
 * A toolbox for a loop of the team's own, with any model behind it and no SDK before it. Names and counts are those that every
 * provider takes; `limits` says otherwise. Belongs to one toolbox, so to one request.
 *
 * ```ts
 * const { text } = await plain(toolbox).run({ text: 'Refund invoice 7.', ask: ({ tools, prompt, messages }) => … });
 * ```
 */
export function plain(toolbox: AgentToolbox, options: AdapterOptions = {}): PlainToolbox {
  const wire = new WireToolbox(toolbox, ANY_PROVIDER_LIMITS, options);

  const step: PlainToolbox['step'] = async (request) => {
    const { tools, prompt } = await wire.step(request);
    return {
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      prompt: options.prompt === 'none' ? '' : prompt,
    };
  };

  const answer = async ({ id, name, input }: Required<PlainCall>, signal?: AbortSignal): Promise<PlainMessage> => {
    const given = typeof input === 'string' ? parsedArguments(input) : input;
    const result =
      given === undefined ? failedArguments() : await wire.call(name, given, { callId: id, ...(signal && { signal }) });
    return { role: 'tool', id, name, text: resultText(result), ok: result.ok };
  };

  const run: PlainToolbox['run'] = async ({ ask, text, signal, ...before }) => {
    const maxSteps = checkedMaxSteps(before.maxSteps);
    const messages: PlainMessage[] = [...(before.messages ?? []), { role: 'user', text }];
    for (let asked = 1; ; asked++) {
      signal?.throwIfAborted();
      const toolResults = messages.flatMap((message) => (message.role === 'tool' ? message.text : []));
      const shown = await step({ text, toolResults });
      const reply = await ask({ ...shown, messages: [...messages], ...(signal && { signal }) });
      const calls = (reply.calls ?? []).map(({ id = randomUUID(), input = {}, name }) => ({ id, name, input }));
      messages.push({ role: 'assistant', calls, ...(reply.text !== undefined && { text: reply.text }) });
      if (calls.length === 0) return { text: reply.text ?? '', stopped: 'answer', messages };
      messages.push(...(await Promise.all(calls.map((call) => answer(call, signal)))));
      if (asked >= maxSteps) return { text: reply.text ?? '', stopped: 'max_steps', messages };
    }
  };

  return { step, call: (name, input, given) => wire.call(name, input, given), run };
}
