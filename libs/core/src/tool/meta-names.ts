/** The purpose of a meta tool, independent of its name. */
export type MetaKind = 'search' | 'get' | 'load' | 'call' | 'result';

/** Names of the meta tools, by kind. */
export type MetaNames = Readonly<Record<MetaKind, string>>;

/** The default names: those that programs and operators read. */
export const OWN_META_NAMES: MetaNames = {
  search: 'tool_search',
  get: 'tool_get',
  load: 'tool_load',
  call: 'tool_call',
  result: 'tool_result',
};

const READ = '_read';
/** The longest name that every provider accepts. */
const MAX_NAME = 64;

/** The name of the second tool of a bridge, which calls only tools that read. Reserved like the name of the first. */
export function readCallName(call: string): string {
  return `${call.slice(0, MAX_NAME - READ.length)}${READ}`;
}

/**
 * What to do next, for a model that has these meta tools under these names. It mentions no other meta tool.
 *
 * @returns undefined where nothing is left to say
 */
export type ModelHint = (names: Partial<MetaNames>) => string | undefined;
