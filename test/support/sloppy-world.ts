import type { SourceAnswer, ToolDeclaration } from '@tool-search/core';
import type { McpSource } from '@tool-search/mcp';
import fc from 'fast-check';
import type { Era } from './misbehaving-mcp-server.js';
import { type Change, sloppyServer, type Wire } from './sloppy-mcp-server.js';

const never = new AbortController().signal;
const context = { tenantId: 'acme', userId: 'ada' };

/** What a caller gets of a server, as far as it must not depend on members that nobody needs. */
interface Use {
  readonly tools: readonly string[];
  readonly called: string;
  readonly progress: readonly number[];
  readonly read: string;
  readonly greeted: string;
  readonly suggested: readonly string[];
}

/** What everybody gets of a server whose answers are sound. */
export const SOUND_USE: Use = {
  tools: ['echo', 'lose', 'shout'],
  called: 'hello',
  progress: [1],
  read: 'inside',
  greeted: 'Hello ada',
  suggested: ['ada', 'bob'],
};

/** Lists what the server has, calls a tool, reads a resource, fills in a prompt and asks for suggestions. */
export async function useOf(source: McpSource): Promise<Use> {
  const declared = await source.load(never);
  const nameOf = (kind: ToolDeclaration['kind']) => declared.find((each) => each.kind === kind)?.name ?? 'none';
  const progress: number[] = [];
  const call = (name: string, input: object) =>
    source.call(name, input, context, {
      id: 'c',
      signal: never,
      deadline: Date.now() + 600_000,
      progress: (update) => void progress.push(update.progress),
    });
  const called = textOf(await call('echo', { words: 'hello' }));
  const read = textOf(await call(nameOf('resource'), {}));
  const greeted = textOf(await call(nameOf('prompt'), { who: 'ada' }));
  const request = { argument: { name: 'who', value: 'a' } };
  const { values } = await source.complete(nameOf('prompt'), request, context, never);
  const tools = declared.filter(({ kind }) => kind === undefined).map(({ name }) => name);
  return { tools, called, progress, read, greeted, suggested: values };
}

function textOf({ content: [block] }: SourceAnswer): string {
  if (block?.type === 'text') return block.text;
  return (block?.type === 'resource' && block.resource.text) || 'nothing';
}

const SAMPLES: readonly Wire[] = [
  { method: 'initialize' },
  { method: 'server/discover' },
  { method: 'tools/list' },
  { method: 'tools/call', params: { name: 'echo', arguments: { words: 'hello' } } },
  { method: 'resources/list' },
  { method: 'resources/templates/list' },
  { method: 'resources/read', params: { uri: 'note://a' } },
  { method: 'prompts/list' },
  { method: 'prompts/get', params: { name: 'greet', arguments: { who: 'ada' } } },
  { method: 'completion/complete' },
];

/** A member of an answer. */
interface Member {
  readonly method: string;
  readonly path: readonly string[];
}

/** All members of all answers of a sound server. */
export function membersOf(era: Era): readonly Member[] {
  const answer = sloppyServer({ era, changes: [] });
  return SAMPLES.flatMap(({ method, params }) => {
    const [message] = answer({ jsonrpc: '2.0', id: 1, method, params });
    return message?.['error'] ? [] : pathsIn(message).map((path) => ({ method: method as string, path }));
  });
}

/** The entries of the tools that a server with these changes lists, on one page or two; a named one that comes twice counts once. */
export function listedTools(era: Era, changes: readonly Change[]): readonly unknown[] {
  const answer = sloppyServer({ era, changes });
  const page = (params: object) => answer({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })[0]?.['result'];
  const first = page({});
  const isLast = [undefined, null, '', false].includes(first?.nextCursor);
  const entries = [first, ...(isLast ? [] : [page({ cursor: 'second' })])].flatMap((each) => each?.tools);
  const seen = new Set<string>();
  return entries.filter(
    (entry) => !entry?.name || (!seen.has(JSON.stringify(entry)) && seen.add(JSON.stringify(entry))),
  );
}

function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [[...path, name], ...pathsIn(member, [...path, name])]);
}

/** Members that a server must send, and what is below those that are data. */
const NEEDED = [
  /^(id|result)$/,
  /^result\.(protocolVersion|supportedVersions|capabilities|nextCursor|completion|structuredContent|resultType)$/,
  /^result\.capabilities\.(tools|resources|prompts|completions)$/,
  /^result\.(tools|resources|resourceTemplates|prompts|contents|messages|content)$/,
  /^result\.[A-Za-z]+\.\d+$/,
  /^result\.(tools|prompts)\.\d+\.name$/,
  /\.(inputSchema|structuredContent)(\.|$)/,
  /\.arguments(\.|$)/,
  /\.(uri|uriTemplate|type|text|role|values)$/,
  /\.(values\.\d+|messages\.\d+\.content)$/,
  // Neither yes nor no is no answer to the question whether a call has failed.
  /^result\.isError$/,
];

/** Whether an answer means the same without a member, and with anything in its place. */
export function isOptional({ path }: Member): boolean {
  const name = path.join('.');
  return !NEEDED.some((pattern) => pattern.test(name));
}

const ODD = fc.constantFrom<unknown>(null, 7, 'x', true, [], {}, [null], { x: null });

/** A change of a member: null, another type, a member beside it, or left out. */
export function changesOf(members: readonly Member[]): fc.Arbitrary<Change> {
  return fc
    .tuple(fc.constantFrom(...members), ODD, fc.constantFrom('set', 'set', 'drop', 'add'))
    .map(([{ method, path }, value, way]): Change => {
      if (way === 'drop') return { method, path };
      return { method, path: way === 'add' ? [...path.slice(0, -1), 'extra'] : path, value };
    });
}
