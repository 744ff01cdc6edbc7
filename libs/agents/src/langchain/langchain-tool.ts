import { type ContentBlock, ToolMessage } from '@langchain/core/messages';
import type { ToolCall as MessageToolCall } from '@langchain/core/messages/tool';
import {
  DynamicStructuredTool,
  type StructuredToolCallInput,
  type ToolReturnType,
  type ToolRunnableConfig,
} from '@langchain/core/tools';
import type { JsonSchema, ToolContent, ToolResult } from '@tool-search/core';
import { contentText } from '@tool-search/core/adapter';
import { readableImage, resultContent } from '../wire/result-content.js';
import type { WireTool, WireToolbox } from '../wire/wire-toolbox.js';

/** Accepts everything: the toolbox validates, for all adapters, with error messages for the model. */
const ANY_ARGUMENTS = {};

type Invoked = StructuredToolCallInput<JsonSchema, unknown>;

/** A tool of the toolbox as a LangChain tool. Returns a model's errors as answers and never throws for them. */
export class ToolboxTool extends DynamicStructuredTool<JsonSchema, unknown, unknown, ToolMessage | string> {
  readonly #call: DynamicStructuredTool<JsonSchema, unknown, unknown, ToolMessage | string>;

  constructor(
    wire: WireToolbox,
    { name, description, inputSchema }: Pick<WireTool, 'name' | 'description' | 'inputSchema'>,
  ) {
    const func = (input: unknown, _run: unknown, config?: ToolRunnableConfig) => called(wire, name, input, config);
    super({ name, description, schema: inputSchema, func });
    // LangChain validates by the schema that it shows; its own error messages would replace the toolbox's.
    this.#call = new DynamicStructuredTool({ name, description, schema: ANY_ARGUMENTS, func });
  }

  /** The tool for a name that a model has used, listed or not: the toolbox decides about the call. */
  static named(wire: WireToolbox, name: string): ToolboxTool {
    return new ToolboxTool(wire, { name, description: '', inputSchema: ANY_ARGUMENTS });
  }

  override invoke<INPUT extends Invoked, CONFIG extends ToolRunnableConfig | undefined>(
    input: INPUT,
    config?: CONFIG,
  ): Promise<ToolReturnType<INPUT, CONFIG, ToolMessage | string>> {
    return this.#call.invoke(input, config);
  }

  /** Runs a call and returns its result as a message. */
  async answer({ name, args, id }: MessageToolCall, config?: ToolRunnableConfig): Promise<ToolMessage> {
    const result: unknown = await this.invoke(
      { type: 'tool_call', name, args, ...(id !== undefined && { id }) },
      config,
    );
    if (ToolMessage.isInstance(result)) return result;
    return new ToolMessage({ name, tool_call_id: id ?? '', content: String(result) });
  }
}

async function called(
  wire: WireToolbox,
  name: string,
  input: unknown,
  config: ToolRunnableConfig | undefined,
): Promise<ToolMessage | string> {
  const callId: string | undefined = config?.toolCall?.id;
  const signal = config?.signal;
  const result = await wire.call(name, input, { ...(callId !== undefined && { callId }), ...(signal && { signal }) });
  if (callId === undefined) return contentText(resultContent(result));
  return new ToolMessage({
    name,
    tool_call_id: callId,
    status: result.ok ? 'success' : 'error',
    content: messageContent(result),
    ...(result.ok && result.structured !== undefined && { artifact: result.structured }),
  });
}

export function messageContent(result: ToolResult): string | ContentBlock[] {
  const content = resultContent(result);
  return content.some(readableImage) ? content.map(blockOf) : contentText(content);
}

function blockOf(block: ToolContent): ContentBlock {
  const image = readableImage(block);
  return image ? { type: 'image', ...image } : { type: 'text', text: contentText([block]) };
}
