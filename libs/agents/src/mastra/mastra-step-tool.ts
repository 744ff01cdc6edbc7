import type { JsonSchema, ToolContent, ToolResult } from '@tool-search/core';
import { contentText } from '@tool-search/core/adapter';
import { readableImage, resultContent } from '../wire/result-content.js';
import type { WireTool, WireToolbox } from '../wire/wire-toolbox.js';

interface StepTool {
  readonly description: string;
  readonly inputSchema: object;
  execute(
    input: unknown,
    call?: { readonly toolCallId?: string; readonly abortSignal?: AbortSignal },
  ): Promise<ToolResult>;
  toModelOutput(result: ToolResult): ModelOutput;
}

type ModelOutput =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'content'; readonly value: readonly ModelBlock[] };
type ModelBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'media'; readonly mediaType: string; readonly data: string };

const made = new WeakSet<object>();

/** Whether a tool of a step is one of a toolbox, and not one of the agent. */
export function isToolboxTool(tool: unknown): boolean {
  return typeof tool === 'object' && tool !== null && made.has(tool);
}

/**
 * A tool of the toolbox in the form of the AI SDK, which Mastra passes on as it is. A tool of Mastra's own class would
 * validate the arguments first, and its error messages would replace the toolbox's.
 */
export function toolboxTool(wire: WireToolbox, { name, description, inputSchema }: WireTool): StepTool {
  const tool: StepTool = {
    description,
    inputSchema: anyArguments(inputSchema),
    execute: (input, { toolCallId: callId, abortSignal: signal } = {}) =>
      wire.call(name, input, { ...(callId !== undefined && { callId }), ...(signal && { signal }) }),
    toModelOutput: modelOutput,
  };
  made.add(tool);
  return tool;
}

/** A schema that describes arguments and accepts all: the toolbox validates, for all adapters. */
function anyArguments(inputSchema: JsonSchema) {
  const described = () => inputSchema;
  return {
    '~standard': {
      version: 1,
      vendor: 'tool-search',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: described, output: described },
    },
  };
}

function modelOutput(result: ToolResult): ModelOutput {
  const content = resultContent(result);
  if (content.some(readableImage)) return { type: 'content', value: content.map(blockOf) };
  // A failure is a coded object already; as an error, providers would receive it as JSON within JSON.
  return { type: 'text', value: contentText(content) };
}

function blockOf(block: ToolContent): ModelBlock {
  const image = readableImage(block);
  if (!image) return { type: 'text', text: contentText([block]) };
  return { type: 'media', mediaType: image.mimeType, data: image.data };
}
