import { defineTool, type JsonObject } from '@tool-search/core';
import { toOutput } from '@tool-search/core/adapter';
import { isObject, type CodeTool, type PlainSchema, toolOutput } from '@tool-search/core/internal';
import { answerOfModelOutput } from '../ai-sdk/model-answer.js';
import type { ModelOutput } from '../ai-sdk/model-output.js';
import type { MastraSourceOptions } from './mastra-source-options.js';
import type { MastraTool } from './mastra-types.js';
import { LeftOut, type SdkCall } from '../wire/sdk-tools.source.js';

/** The mark on tools of Mastra's class; works also if the application has two versions of the package. */
const MASTRA_TOOL = Symbol.for('mastra.core.tool.Tool');

export function nameOf(key: string, tool: unknown): string {
  const id = isObject(tool) ? tool['id'] : undefined;
  return typeof id === 'string' && id !== '' ? id : key;
}

/** Converts a Mastra tool to a tool of the catalog. @throws LeftOut with the reason, where that is impossible */
export function codeToolOf(name: string, tool: MastraTool, options: MastraSourceOptions): CodeTool {
  const fault = faultOf(tool, options);
  if (fault !== undefined) throw new LeftOut(fault);
  const details = Object.hasOwn(options.details ?? {}, name) ? options.details?.[name] : undefined;
  const { title, inputExamples, inputSchema, description } = tool;
  return defineTool({
    description: description ?? '',
    ...details,
    name,
    tags: [...(options.tags ?? []), ...(details?.tags ?? [])],
    ...(title !== undefined && { title }),
    ...(inputExamples && { examples: inputExamples.map(({ input }) => ({ args: input as JsonObject, tags: [] })) }),
    ...(inputSchema !== undefined && { input: checkOnly(inputSchema) }),
    run: (input: unknown, context, call) => run(name, tool, options, { input, context, call }),
  });
}

function faultOf(tool: MastraTool, { requestContext, requireApproval }: MastraSourceOptions): string | undefined {
  if (!isObject(tool) || !(MASTRA_TOOL in tool)) return 'it is no tool of createTool(): for the AI SDK use AiSdkSource';
  if (typeof tool.execute !== 'function') return 'it has no execute, so only a client or provider could run it';
  if (tool.suspendSchema !== undefined || tool.resumeSchema !== undefined) {
    return 'it suspends its run, which only a Mastra agent can resume: give it to the agent itself';
  }
  // A tool that asks for its own approval would run here without one.
  const asks = tool.needsApprovalFn !== undefined || (tool.requireApproval ?? false) !== false;
  if (asks && requireApproval !== 'by-policy') {
    return "it needs an approval: name it in policy.approval, then set requireApproval: 'by-policy'";
  }
  if (tool.requestContextSchema !== undefined && !requestContext) {
    return 'it expects a request context: say with the option requestContext which';
  }
  return undefined;
}

type AnyFunction = (...given: unknown[]) => unknown;
type Methods = { readonly execute: AnyFunction; readonly toModelOutput?: AnyFunction };

async function run(name: string, tool: MastraTool, options: MastraSourceOptions, { input, context, call }: SdkCall) {
  const requestContext = await options.requestContext?.(context, name);
  // Called as methods, because a tool may be an object with state.
  const { execute, toModelOutput } = tool as unknown as Methods;
  const settings = {
    abortSignal: call.signal,
    observe: UNOBSERVED,
    ...(requestContext && { requestContext }),
    ...(options.mastra && { mastra: options.mastra }),
  };
  const output = await Reflect.apply(execute, tool, [input, settings]);
  // Mastra returns its errors about arguments, request context and output. They may quote values, so a model reads none.
  if (isValidationError(output)) throw new Error(String(output['message']));
  if (!toModelOutput) return toolOutput(toOutput(output));
  return toolOutput(answerOfModelOutput((await Reflect.apply(toModelOutput, tool, [output])) as ModelOutput));
}

/** The call has its own span and events; there is no trace of Mastra's to add to. */
const UNOBSERVED = {
  span: async (_name: string, work: () => unknown) => work(),
  log: () => undefined,
};

function isValidationError(output: unknown): output is Record<string, unknown> {
  return isObject(output) && output['error'] === true && 'validationErrors' in output;
}

/** The schema without its conversions: the tool validates and converts its arguments itself. */
function checkOnly(schema: unknown): PlainSchema {
  const standard = isObject(schema) && isObject(schema['~standard']) ? schema['~standard'] : undefined;
  const validate = standard?.['validate'];
  if (typeof validate !== 'function') throw new TypeError('the schema is no Standard Schema');
  const check = async (value: unknown) => {
    const result = (await Reflect.apply(validate, standard, [value])) as { readonly issues?: unknown };
    return result.issues ? result : { value };
  };
  return { '~standard': { ...standard, validate: check } } as never;
}
