import type { Toolbox } from '@tool-search/core';
import type { ExposureMode } from '@tool-search/core/internal';
import { contentText, wireName } from '@tool-search/core/adapter';
import type { ToolAccess } from './token-task.js';

const NAMING = { shown: (name: string) => wireName(name), canonical: (name: string) => name };

/** The tools of a toolbox in one mode of the library. */
export function modeAccess(mode: ExposureMode | 'auto', toolbox: Toolbox): ToolAccess {
  return {
    shown: async () => {
      const { tools, meta, wireNames, prompt } = await toolbox.surface({ mode, canDefer: true, naming: NAMING });
      const listed = tools.map(({ name, description, inputSchema }) => ({
        name: wireNames.get(name) ?? name,
        description,
        inputSchema,
      }));
      return {
        definitions: [...meta, ...listed],
        prompt: Object.values(prompt).filter((part) => typeof part === 'string'),
      };
    },
    ask: async (name, input) => {
      const result = await toolbox.call(name, input);
      return result.ok ? contentText(result.content) : JSON.stringify(result);
    },
    call: async (name, input) => (await toolbox.call(name, input)).ok,
  };
}
