import type { Surface, Toolbox, ToolResult } from '@tool-search/core';
import { isObject, type MetaKind } from '@tool-search/core/internal';
import { countTokens } from './count-tokens.js';

export interface Step {
  readonly type: 'list' | 'search' | 'get' | 'activate' | 'call' | 'denied' | 'answer';
  readonly tool?: string;
  /** The query of a search; several queries stand side by side. */
  readonly query?: string;
  /** Names of the tools that were found, best first. */
  readonly hits?: readonly string[];
  readonly ms: number;
  /** Tokens of all definitions in the model's list at this moment. */
  readonly tokensShown: number;
}

/** The part of a toolbox that an agent loop uses. */
export type ObservedToolbox = Pick<Toolbox, 'visible' | 'surface' | 'call' | 'metaKinds' | 'reportLeftOut'>;

/** Watches a toolbox while an agent works with it, and writes down what happened. */
export class Conversation {
  readonly steps: Step[] = [];
  #tokensShown = 0;

  observe(toolbox: Toolbox): ObservedToolbox {
    return {
      visible: () => toolbox.visible(),
      metaKinds: toolbox.metaKinds,
      reportLeftOut: (provider, tools) => toolbox.reportLeftOut(provider, tools),
      surface: async (request) => {
        const started = performance.now();
        const surface = await toolbox.surface(request);
        this.#tokensShown = tokensOf(surface);
        this.#add({ type: 'list' }, started);
        return surface;
      },
      call: async (name, input, options) => {
        const started = performance.now();
        const result = await toolbox.call(name, input, options);
        const canonicalName = options?.naming?.canonical ?? ((shown: string) => shown);
        for (const step of stepsOf(toolbox.metaKinds.get(name), name, input, result, canonicalName))
          this.#add(step, started);
        return result;
      },
    };
  }

  answered(started: number): void {
    this.#add({ type: 'answer' }, started);
  }

  #add(step: Omit<Step, 'ms' | 'tokensShown'>, started: number): void {
    this.steps.push({
      ...step,
      ms: Math.round((performance.now() - started) * 10) / 10,
      tokensShown: this.#tokensShown,
    });
  }
}

function tokensOf({ tools, meta, wireNames, prompt }: Surface): number {
  const definitions = [
    ...tools.map(({ name, description, inputSchema }) => ({ name: wireNames.get(name), description, inputSchema })),
    ...meta,
  ];
  const texts = [...definitions.map((definition) => JSON.stringify(definition)), ...Object.values(prompt)];
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}

/**
 * @param kind what the tool is for, if it is a meta tool
 * @param canonicalName the tool that a name in an answer stands for
 */
function stepsOf(
  kind: MetaKind | undefined,
  name: string,
  input: unknown,
  result: ToolResult,
  canonicalName: (shown: string) => string,
): Omit<Step, 'ms' | 'tokensShown'>[] {
  if (kind === 'call') {
    const wrapped = isObject(input) ? input['name'] : undefined;
    return typeof wrapped === 'string' ? stepsOf(undefined, canonicalName(wrapped), {}, result, canonicalName) : [];
  }
  if (kind === 'search') {
    const { query, queries } = isObject(input) ? input : {};
    const asked = [query, ...(Array.isArray(queries) ? (queries as unknown[]) : [])];
    const texts = asked.filter((text) => typeof text === 'string');
    return [{ type: 'search', query: texts.join(' | '), hits: namesIn(result).map(canonicalName) }];
  }
  if (kind === 'get') return namesIn(result).map((tool) => ({ type: 'get', tool: canonicalName(tool) }));
  if (kind === 'load') return [{ type: 'activate' }];
  if (!result.ok && (result.code === 'TOOL_NOT_AVAILABLE' || result.code === 'TOOL_FORBIDDEN')) {
    return [{ type: 'denied', tool: name }];
  }
  const call = { type: 'call', tool: name } as const;
  return result.ok && result.activated ? [{ type: 'activate', tool: name }, call] : [call];
}

function namesIn(result: ToolResult): string[] {
  if (!result.ok || !isObject(result.structured) || !Array.isArray(result.structured['tools'])) return [];
  return result.structured['tools'].flatMap((tool: unknown) =>
    isObject(tool) && typeof tool['name'] === 'string' ? [tool['name']] : [],
  );
}
