import { defineTool, type JsonSchema, type ToolCall, type ToolContext } from '@tool-search/core';
import { toOutput } from '@tool-search/core/adapter';
import { asSchema, type FlexibleSchema, type Tool, type ToolExecutionOptions } from 'ai';
import type { AiSdkSourceOptions } from './ai-sdk-source-options.js';
import { answerOfModelOutput } from './model-answer.js';
import { isObject, type CodeTool, type PlainSchema, toolOutput } from '@tool-search/core/internal';
import { LeftOut, type SdkCall } from '../wire/sdk-tools.source.js';

type Execute = (input: unknown, options: ToolExecutionOptions<unknown>) => unknown;

const MESSAGE_CHARS = 500;

/** Converts an AI SDK tool to a tool of the catalog. @throws LeftOut with the reason, where that is impossible */
export async function codeToolOf(name: string, tool: Tool, options: AiSdkSourceOptions): Promise<CodeTool> {
  const details = Object.hasOwn(options.details ?? {}, name) ? options.details?.[name] : undefined;
  const fault = faultOf(tool, options);
  if (fault !== undefined) throw new LeftOut(fault);
  const description = details?.description ?? tool.description;
  if (typeof description === 'function') {
    throw new LeftOut('its description is made for each request: give it one in details');
  }
  const { title, inputExamples } = tool;
  return defineTool({
    ...details,
    name,
    description: description ?? '',
    tags: [...(options.tags ?? []), ...(details?.tags ?? [])],
    ...(title !== undefined && { title }),
    ...(inputExamples && { examples: inputExamples.map(({ input }) => ({ args: input, tags: [] })) }),
    input: await plainSchemaOf(tool.inputSchema),
    run: (input: unknown, context, call) => run(name, tool, options, { input, context, call }),
  });
}

function faultOf(tool: Tool, { context, needsApproval }: AiSdkSourceOptions): string | undefined {
  if (typeof tool !== 'object' || tool === null) return 'it is no tool of the AI SDK';
  if (tool.type === 'provider') return "it is its provider's own: hand it to the model beside the toolbox";
  if (typeof tool.execute !== 'function') return 'it has no execute, so only a client could run it';
  // A tool that asks for its own approval would run here without one.
  if (tool.needsApproval !== undefined && tool.needsApproval !== false && needsApproval !== 'by-policy') {
    return "it needs an approval: name it in policy.approval, then set needsApproval: 'by-policy'";
  }
  if (tool.contextSchema !== undefined && !context) return 'it expects a context: say with the option context which';
  return undefined;
}

async function run(name: string, tool: Tool, options: AiSdkSourceOptions, { input, context, call }: SdkCall) {
  const given = await contextOf(name, tool, options, context);
  // Called as a method, because a tool may be an object with state.
  const { execute } = tool as { execute: Execute };
  const settings = { toolCallId: call.id, messages: [], abortSignal: call.signal, context: given };
  const output = await lastOf(Reflect.apply(execute, tool, [input, settings]), call);
  if (!tool.toModelOutput) return toolOutput(toOutput(output));
  return toolOutput(answerOfModelOutput(await tool.toModelOutput({ toolCallId: call.id, input, output })));
}

async function contextOf(name: string, tool: Tool, options: AiSdkSourceOptions, context: ToolContext) {
  const given = await options.context?.(context, name);
  const checked = tool.contextSchema && (await asSchema(tool.contextSchema).validate?.(given));
  if (checked?.success === false) {
    throw new Error(`the context for ${name} does not fit its contextSchema`, { cause: checked.error });
  }
  return checked ? checked.value : given;
}

/** The last output of a tool; earlier outputs are progress. */
async function lastOf(result: unknown, call: ToolCall): Promise<unknown> {
  if (!isAsyncIterable(result)) return result;
  let last: unknown;
  let count = 0;
  for await (const output of result) {
    // The call was aborted; leaving the loop ends the tool's generator.
    call.signal.throwIfAborted();
    last = output;
    count += 1;
    call.progress({ progress: count, ...(typeof output === 'string' && { message: output.slice(0, MESSAGE_CHARS) }) });
  }
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

interface Issue {
  readonly message: string;
  readonly path?: readonly PropertyKey[];
}

/** An AI SDK schema for core: JSON Schema for the model, and its own validation, which may convert values. */
async function plainSchemaOf(flexible: FlexibleSchema | undefined): Promise<PlainSchema> {
  const { jsonSchema, validate } = asSchema(flexible);
  const known = (await jsonSchema) as JsonSchema;
  if (!isObject(known)) throw new TypeError('the schema gives no JSON Schema');
  // Arguments are always an object, but the SDK's own empty schema has no `type`.
  const schema: JsonSchema =
    'properties' in known && known['type'] === undefined ? { type: 'object', ...known } : known;
  if (!validate) return schema;
  const standard = {
    version: 1 as const,
    vendor: 'ai',
    validate: async (value: unknown) => {
      const result = await validate(value);
      return result.success ? { value: result.value } : { issues: issuesOf(result.error) };
    },
    jsonSchema: { input: () => schema, output: () => schema },
  };
  return { '~standard': standard };
}

// An error of a schema library contains its issues or wraps them. Messages of other errors are for the log only.
function issuesOf(error: unknown): readonly Issue[] {
  const cause = isObject(error) ? error['cause'] : undefined;
  for (const each of [error, cause]) {
    const issues = isObject(each) ? each['issues'] : each;
    if (Array.isArray(issues) && issues.length > 0) return issues.map(issueOf);
  }
  return [{ message: 'does not fit the schema' }];
}

function issueOf(issue: unknown): Issue {
  const { message, path } = isObject(issue) ? issue : {};
  return {
    message: typeof message === 'string' ? message : 'does not fit',
    ...(Array.isArray(path) && { path: path as readonly PropertyKey[] }),
  };
}
