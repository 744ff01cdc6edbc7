import type { Deprecation } from '../../tool/deprecation.js';
import type { ToolNaming } from '../../tool/tool-name.js';
import type { ToolboxActions } from './meta-tool-spec.js';

/** Operations for a model that uses other tool names: translates names in its input and in the replies. */
export function withNaming(doors: ToolboxActions, { shown, canonical }: ToolNaming): ToolboxActions {
  const renamed = (names: readonly string[]) => names.map(shown);
  const renamedSuccessor = ({ successor, ...deprecation }: Deprecation): Deprecation => ({
    ...deprecation,
    ...(successor !== undefined && { successor: shown(successor) }),
  });
  // Values that are not lists of strings are refused later, with a message for the model.
  const understood = (names: readonly string[]) =>
    Array.isArray(names) ? names.map((name) => (typeof name === 'string' ? canonical(name) : name)) : names;
  // Unknown names are returned as the model wrote them.
  const echoed = (unavailable: readonly string[], asked: readonly string[]) => {
    const before = new Map(understood(asked).map((name, index) => [name, asked[index] ?? name]));
    return unavailable.map((name) => before.get(name) ?? shown(name));
  };
  return {
    search: async (request, line) => {
      const reply = await doors.search(request, line);
      const tools = reply.tools.map(({ similar, deprecated, ...tool }) => ({
        ...tool,
        name: shown(tool.name),
        ...(deprecated && { deprecated: renamedSuccessor(deprecated) }),
        ...(similar && { similar: { ...similar, names: renamed(similar.names) } }),
      }));
      return { ...reply, tools };
    },
    get: async (names, options) => {
      const reply = await doors.get(understood(names), options);
      const tools = reply.tools.map(({ deprecated, ...tool }) => ({
        ...tool,
        name: shown(tool.name),
        ...(deprecated && { deprecated: renamedSuccessor(deprecated) }),
      }));
      return { tools, unavailable: echoed(reply.unavailable, names), summarized: renamed(reply.summarized) };
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
    read: (input) => doors.read(input),
  };
}
