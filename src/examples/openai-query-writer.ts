import {
  type DescribedForWriter,
  type ExampleQueryWriter,
  QUERY_ANSWER_SCHEMA,
  queryPrompt,
  type WrittenForTools,
} from '@tool-search/core/engine';

export interface OpenAiQueryWriterOptions {
  /** Includes the version, for example `https://api.openai.com/v1` or `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
}

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string | null } }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

// #region writer
/** Example queries by any server that speaks OpenAI's `POST /chat/completions`: OpenAI, Ollama, vLLM, llama.cpp … */
export class OpenAiQueryWriter implements ExampleQueryWriter {
  readonly id: string;

  constructor(private readonly options: OpenAiQueryWriterOptions) {
    this.id = options.model;
  }

  async write(tools: readonly DescribedForWriter[], signal: AbortSignal): Promise<WrittenForTools> {
    const { baseUrl, model, apiKey } = this.options;
    const { system, prompt } = queryPrompt(tools);
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({
        model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: prompt },
        ],
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'example_queries', strict: true, schema: QUERY_ANSWER_SCHEMA },
        },
      }),
      signal,
    });
    if (!response.ok) throw new Error(`${model} answered with ${response.status}`);
    const { choices, usage } = (await response.json()) as Completion;
    const answer = JSON.parse(choices[0]?.message.content ?? '') as Pick<WrittenForTools, 'tools'>;
    return {
      tools: answer.tools,
      ...(usage && { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } }),
    };
  }
}
// #endregion writer
