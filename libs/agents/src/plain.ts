import { randomUUID } from 'node:crypto';
import type { JsonSchema, ToolResult } from '@tool-search/core';
import type { CallOptions } from '@tool-search/core/internal';
import { resultText } from '@tool-search/core/adapter';
import type { AdapterOptions, AgentToolbox } from './wire/agent-toolbox.js';
import { parsedArguments, textOrigin } from './wire/call-arguments.js';
import { checkedMaxSteps } from './wire/max-steps.js';
import { ANY_PROVIDER_LIMITS } from './wire/provider-limits.js';
import { WireToolbox } from './wire/wire-toolbox.js';

export { ANTHROPIC_LIMITS, ANY_PROVIDER_LIMITS, OPENAI_LIMITS, type ProviderLimits } from './wire/provider-limits.js';

/** A tool in the form for a model. */
export interface PlainTool {
  /** Letters, digits, `_` and `-`: valid for the provider. */
  readonly name: string;
  readonly description: string;
  /** Its root is an object. */
  readonly inputSchema: JsonSchema;
}

/** Tools and prompt for one step. */
export interface PlainStep {
  /** The current tools. */
  readonly tools: readonly PlainTool[];
  /** Guidance, directory and hints, for the system prompt or the end of the conversation; `''` for none. */
  readonly prompt: string;
}

/** A call by the model. */
interface PlainCall {
  readonly name: string;
  /** An object, or its JSON text. @default {} */
  readonly input?: unknown;
  /** The provider's id of the call. @default a random id */
  readonly id?: string;
}

/** One message of a conversation. */
export type PlainMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text?: string; readonly calls: readonly Required<PlainCall>[] }
  | { readonly role: 'tool'; readonly id: string; readonly name: string; readonly text: string; readonly ok: boolean };

/** The model's reply: calls of tools, or only text. */
interface PlainReply {
  readonly text?: string;
  readonly calls?: readonly PlainCall[];
}

/** Your own access to any model: sends tools, prompt and messages, and returns the model's reply. */
export type AskModel = (
  turn: PlainStep & { readonly messages: readonly PlainMessage[]; readonly signal?: AbortSignal },
) => PlainReply | PromiseLike<PlainReply>;

/** One run. */
interface PlainRun {
  readonly ask: AskModel;
  /** The user's request. */
  readonly text: string;
  /** Earlier messages of the conversation. @default none */
  readonly messages?: readonly PlainMessage[];
  /** Maximum number of requests to the model. @default 20 */
  readonly maxSteps?: number;
  readonly signal?: AbortSignal;
}

/** The outcome of a run. */
export interface PlainOutcome {
  /** Text of the model's last reply; `''` where it has none. */
  readonly text: string;
  readonly stopped: 'answer' | 'max_steps';
  /** The whole conversation, ready to be continued. */
  readonly messages: readonly PlainMessage[];
}

/** A toolbox for a loop without an SDK. */
export interface PlainToolbox {
  /** The tools and prompt for the model now. Call it before every request. */
  step(request?: Parameters<WireToolbox['step']>[0]): Promise<PlainStep>;
  /** Calls a tool or meta tool by the name the model uses. Returns a model's errors as failures. */
  call(name: string, input: unknown, options?: Omit<CallOptions, 'naming'>): Promise<ToolResult>;
  /**
   * Runs the loop until the model replies without calls. Calls of one reply run in parallel.
   *
   * @throws the errors of `ask`, and the signal's reason
   */
  run(run: PlainRun): Promise<PlainOutcome>;
}

/**
 * A toolbox for your own loop, with any model and without an SDK. By default names and tool counts fit every provider;
 * `limits` changes this. Belongs to one toolbox, so to one request.
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
    const given = typeof input === 'string' ? parsedArguments(input) : { input };
    const origin = typeof input === 'string' ? textOrigin(input) : {};
    const result =
      'refused' in given
        ? given.refused
        : await wire.call(name, given.input, { callId: id, ...origin, ...(signal && { signal }) });
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
