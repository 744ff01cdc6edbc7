import type { JsonObject } from '@tool-search/core';
import {
  type ExampleQueryWriter,
  QUERY_ANSWER_SCHEMA,
  queryPrompt,
  type WrittenForTools,
} from '@tool-search/core/engine';
import { generateText, type JSONSchema7, jsonSchema, type LanguageModel, Output } from 'ai';

/** Settings of {@link aiSdkQueryWriter}. */
export interface AiSdkQueryWriterOptions {
  /** Any language model of the SDK that can answer with JSON. */
  readonly model: LanguageModel;
  /** Names the writer in status and store. @default the model's id */
  readonly id?: string;
  /** How often the SDK repeats a call that fails in a way that may pass. @default 2 */
  readonly maxRetries?: number;
  /** Maximum tokens of one answer. @default the model's */
  readonly maxOutputTokens?: number;
  /** Settings of one provider, passed on as they are. @default none */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>;
}

const SCHEMA = jsonSchema<Pick<WrittenForTools, 'tools'>>(QUERY_ANSWER_SCHEMA as unknown as JSONSchema7);

/**
 * Writes example queries with a model of the Vercel AI SDK, with structured output:
 * `search: { exampleQueries: { writer: aiSdkQueryWriter({ model: openai('gpt-6-luna') }) } }`.
 */
export function aiSdkQueryWriter(options: AiSdkQueryWriterOptions): ExampleQueryWriter {
  const { model, id = nameOf(model), maxRetries = 2, maxOutputTokens, providerOptions } = options;
  return {
    id: id.slice(0, 128),
    async write(tools, signal) {
      const { system, prompt } = queryPrompt(tools);
      const { output, usage } = await generateText({
        model,
        instructions: system,
        prompt,
        output: Output.object({ schema: SCHEMA }),
        maxRetries,
        abortSignal: signal,
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
        ...(providerOptions && { providerOptions: { ...providerOptions } }),
      });
      const { inputTokens, outputTokens } = usage;
      // A provider may not count.
      const isCounted = inputTokens !== undefined && outputTokens !== undefined;
      return { tools: output.tools, ...(isCounted && { usage: { inputTokens, outputTokens } }) };
    },
  };
}

function nameOf(model: LanguageModel): string {
  return typeof model === 'string' ? model : model.modelId;
}
