import type { Toolbox } from '@tool-search/core';
import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseFunctionToolCall,
  ResponseInput,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseToolSearchCall,
  Tool,
} from 'openai/resources/responses/responses';
import type { AdapterOptions, AgentToolbox } from './wire/agent-toolbox.js';
import { parsedArguments, textOrigin } from './wire/call-arguments.js';
import { checkedMaxSteps } from './wire/max-steps.js';
import { OPENAI_LIMITS } from './wire/provider-limits.js';
import {
  currentFunctions,
  inputItems,
  loadedNames,
  toolResults,
  userText,
  withoutStale,
  withoutToolSearches,
} from './openai-responses/responses-input.js';
import { clientToolSearch, functionOutput, functionTool } from './openai-responses/responses-tools.js';
import { answerToolSearch } from './openai-responses/responses-search.js';
import { WireToolbox } from './wire/wire-toolbox.js';

/** Parts of the caller's request that the toolbox takes into account. */
type ResponsesOwnFields = Pick<
  ResponseCreateParamsNonStreaming,
  'tools' | 'instructions' | 'previous_response_id' | 'conversation'
>;

/** Fields to spread into `client.responses.create`, after the caller's own fields. */
export interface ResponsesRequest {
  /** The caller's own tools, then the toolbox's current tools. */
  readonly tools: Tool[];
  readonly input: ResponseInputItem[];
  /** The caller's instructions followed by the prompt parts; undefined where both are empty. */
  readonly instructions?: string;
}

/** The part of OpenAI's client that is used here. */
interface ResponsesClient {
  readonly responses: {
    create(
      body: ResponseCreateParamsNonStreaming,
      options?: { readonly signal?: AbortSignal | null },
    ): PromiseLike<Response>;
  };
}

/** Limits of a run. */
interface ResponsesRunOptions {
  /** Maximum number of requests to the model. @default 20 */
  readonly maxSteps?: number;
  /** Aborts the run, including running tools. */
  readonly signal?: AbortSignal;
}

/** The outcome of a run. */
export interface ResponsesRun {
  /** The newest response; `response.output_text` is the model's text. */
  readonly response: Response;
  /** The conversation so far, ready to be continued. */
  readonly input: ResponseInputItem[];
  /** False when the model needs answers from the caller's own functions, or more steps than `maxSteps`. */
  readonly isComplete: boolean;
}

/** A toolbox for OpenAI's Responses API; belongs to one toolbox, so to one request. */
export interface OpenAiResponses {
  /**
   * Builds the next request. Call it before every request: withdrawn tools are removed, also from the results of
   * earlier searches.
   *
   * @param own the caller's other fields: they come first and are kept
   * @throws ToolSearchError `INVALID_CONFIGURATION` when one of the caller's functions is named like a meta tool
   */
  request(input: string | ResponseInput | undefined, own?: ResponsesOwnFields): Promise<ResponsesRequest>;
  /**
   * Runs all calls of a response in parallel. Returns the items to append after `response.output`: one answer per call,
   * in their order. Calls of the caller's own functions are left to the caller.
   */
  answer(response: Pick<Response, 'output'>, options?: { readonly signal?: AbortSignal }): Promise<ResponseInputItem[]>;
  /**
   * Runs the loop until the model makes no more calls.
   *
   * @throws the client's errors, and the signal's reason; ToolSearchError `INVALID_REQUEST` for `maxSteps` below 1
   */
  run(
    client: ResponsesClient,
    params: ResponseCreateParamsNonStreaming,
    options?: ResponsesRunOptions,
  ): Promise<ResponsesRun>;
}

/**
 * A toolbox for OpenAI's Responses API: `await openaiResponses(toolbox).run(client, { model, input })`.
 *
 * In the mode `native` the model gets the API's own `tool_search`, executed by the toolbox (the model must support it).
 * Found tools are loaded after the search in the conversation and not repeated in `tools`: the list stays unchanged,
 * and with it the prompt cache. Only a tool that is withdrawn during a conversation is removed from it, which
 * invalidates the cache from there on. A found tool whose search is no longer in the conversation is listed again.
 */
export function openaiResponses(
  toolbox: AgentToolbox & Pick<Toolbox, 'search' | 'activate'>,
  options: AdapterOptions = {},
): OpenAiResponses {
  const wire = new WireToolbox(toolbox, OPENAI_LIMITS, { ...options, canDefer: true });
  let own: ReadonlySet<string> = new Set();
  // Tools that this object has loaded into a conversation stored by the provider.
  const loadedHere = new Set<string>();
  const answeredHere = new Set<string>();

  const request: OpenAiResponses['request'] = async (input, fields = {}) => {
    const items = inputItems(input);
    const ownNames = namesOf(fields.tools ?? []);
    own = new Set(ownNames);
    const isKeptElsewhere = Boolean(fields.previous_response_id ?? fields.conversation);
    const results = toolResults(items);
    if (isKeptElsewhere) for (const text of results) answeredHere.add(text);
    const newTexts = { text: userText(items), toolResults: isKeptElsewhere ? [...answeredHere] : results };
    const { mode, tools, prompt } = await wire.step({ ...newTexts, own: ownNames });
    const isNative = mode === 'native';
    const kept = isNative
      ? withoutStale(items, await currentFunctions(toolbox, items, tools))
      : withoutToolSearches(items);
    const loaded = new Set([...loadedNames(kept), ...(isKeptElsewhere ? loadedHere : [])]);
    // The search comes first in every dialect.
    const [search] = isNative ? tools : [];
    const listed = search && !search.definition ? tools.slice(1) : tools;
    const functions = listed.filter(({ name }) => !loaded.has(name)).map(functionTool);
    const at = options.prompt ?? 'system';
    const instructions = [fields.instructions ?? '', at === 'system' ? prompt : ''].filter((text) => text !== '');
    const isAtEnd = at === 'end' && prompt !== '';
    return {
      tools: [...(fields.tools ?? []), ...(isNative ? [clientToolSearch(search?.name)] : []), ...functions],
      input: isAtEnd ? [...kept, { type: 'message', role: 'developer', content: prompt }] : kept,
      ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
    };
  };

  const answerCall = async (
    call: ResponseFunctionToolCall,
    signal?: AbortSignal,
  ): Promise<ResponseInputItem.FunctionCallOutput> => {
    const { call_id: callId, caller } = call;
    const given = parsedArguments(call.arguments);
    const result =
      'refused' in given
        ? given.refused
        : await wire.call(call.name, given.input, { callId, ...textOrigin(call.arguments), ...(signal && { signal }) });
    return {
      type: 'function_call_output',
      call_id: callId,
      output: functionOutput(result),
      ...(caller && { caller }),
    };
  };

  const answer: OpenAiResponses['answer'] = async ({ output }, { signal } = {}) => {
    const calls = output.filter((item) => isForUs(item, own));
    const answers = await Promise.all(
      calls.map(async (call) => {
        if (call.type === 'function_call') return { items: [await answerCall(call, signal)], loaded: [] };
        return answerToolSearch(call, toolbox, wire, (name) => own.has(name));
      }),
    );
    for (const { loaded } of answers) for (const name of loaded) loadedHere.add(name);
    const items = answers.flatMap((each) => each.items);
    // Outputs first: a message must not stand between calls and their outputs.
    const isMessage = (item: ResponseInputItem) => item.type === 'message';
    return [...items.filter((item) => !isMessage(item)), ...items.filter(isMessage)];
  };

  const run: OpenAiResponses['run'] = async (client, params, { signal, ...options } = {}) => {
    const maxSteps = checkedMaxSteps(options.maxSteps);
    const conversation: ResponseInputItem[] = [...inputItems(params.input)];
    // A conversation stored by the provider receives only new items.
    let next = conversation;
    for (let step = 1; ; step++) {
      signal?.throwIfAborted();
      const body = { ...params, ...(await request(next, params)) };
      const response = await client.responses.create(body, signal && { signal });
      const answers = await answer(response, signal && { signal });
      conversation.push(...asInput(response.output), ...answers);
      const waits = response.output.some((item) => item.type === 'function_call' && own.has(item.name));
      const isComplete = answers.length === 0 && !waits;
      if (isComplete || waits || step >= maxSteps) return { response, input: conversation, isComplete };
      next = params.conversation ? answers : conversation;
    }
  };

  return { request, answer, run };
}

function isForUs(
  item: ResponseOutputItem,
  own: ReadonlySet<string>,
): item is ResponseFunctionToolCall | ResponseToolSearchCall {
  if (item.type === 'function_call') return !own.has(item.name);
  return item.type === 'tool_search_call' && item.execution === 'client';
}

function namesOf(tools: readonly Tool[]): readonly string[] {
  return tools.flatMap((tool) => {
    if (tool.type === 'function' || tool.type === 'custom') return [tool.name];
    // Tools that the provider runs itself have no name; their type counts as the name.
    return tool.type === 'namespace' ? tool.tools.map(({ name }) => name) : [tool.type];
  });
}

// Every output item is a valid input item; the two types differ only in their optional fields.
function asInput(output: readonly ResponseOutputItem[]): readonly ResponseInputItem[] {
  return output as readonly ResponseInputItem[];
}
