import type { ToolNaming } from '../../tool/tool-naming.js';
import type { ToolboxDoors } from './meta-tool-spec.js';

/** The doors for a model that knows tools by other names: what it says is understood, what it reads has those names. */
export function namedDoors(doors: ToolboxDoors, { shown, meant }: ToolNaming): ToolboxDoors {
  const renamed = (names: readonly string[]) => names.map(shown);
  // Names that are no list of strings are refused further in, in words for the model.
  const understood = (names: readonly string[]) =>
    Array.isArray(names) ? names.map((name) => (typeof name === 'string' ? meant(name) : name)) : names;
  // Names that mean nothing are given back as they were said.
  const echoed = (unavailable: readonly string[], said: readonly string[]) => {
    const before = new Map(understood(said).map((name, index) => [name, said[index] ?? name]));
    return unavailable.map((name) => before.get(name) ?? shown(name));
  };
  return {
    search: async (request, line) => {
      const reply = await doors.search(request, line);
      const tools = reply.tools.map(({ similar, ...tool }) => ({
        ...tool,
        name: shown(tool.name),
        ...(similar && { similar: { ...similar, names: renamed(similar.names) } }),
      }));
      return { ...reply, tools };
    },
    get: async (names, options) => {
      const reply = await doors.get(understood(names), options);
      const tools = reply.tools.map((tool) => ({ ...tool, name: shown(tool.name) }));
      return { tools, unavailable: echoed(reply.unavailable, names) };
    },
    activate: async (names) => {
      const { activated, alreadyActive, unavailable, overLimit, waiting, ...rest } = await doors.activate(
        understood(names),
      );
      return {
        ...rest,
        activated: renamed(activated),
        alreadyActive: renamed(alreadyActive),
        unavailable: echoed(unavailable, names),
        overLimit: renamed(overLimit),
        ...(waiting && { waiting: waiting.map((tool) => ({ ...tool, name: shown(tool.name) })) }),
      };
    },
    loadable: async () => renamed(await doors.loadable()),
  };
}
