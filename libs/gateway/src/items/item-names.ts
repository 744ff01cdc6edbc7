import type { ToolDefinition } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';
import { hasControlCharacters } from '@tool-search/core/internal';

const MAX_OWN_NAME = 128;
const PREFIX = 'prompts.';

/**
 * Names under which prompts are listed, by canonical name: with the prefix `github__review`, without it the server's
 * own name, where it belongs to one visible prompt only.
 */
export function promptNames(prompts: readonly ToolDefinition[], prefix: boolean): ReadonlyMap<string, string> {
  const wanted = prompts.map((prompt) => (prefix ? shortName(prompt) : ownName(prompt)));
  const full = prompts.map(({ name }) => wireName(name));
  const uses = new Map<string, number>();
  for (const name of [...wanted, ...full]) uses.set(name, (uses.get(name) ?? 0) + 1);
  return new Map(
    prompts.map(({ name }, index) => {
      const [short = '', long = ''] = [wanted[index], full[index]];
      return [name, uses.get(short) === (short === long ? 2 : 1) ? short : long];
    }),
  );
}

/** The name by which the protocol knows an item: the server's own, which need not be legal for a tool. */
export function ownName({ name, namespace, extra }: ToolDefinition): string {
  const own = extra?.['name'];
  const isUsable = typeof own === 'string' && own !== '' && own.length <= MAX_OWN_NAME && !hasControlCharacters(own);
  return isUsable ? own : local(name, namespace);
}

function shortName({ name, namespace }: ToolDefinition): string {
  return wireName(namespace === '' ? local(name, '') : `${namespace}.${local(name, namespace)}`);
}

function local(name: string, namespace: string): string {
  const own = namespace === '' ? name : name.slice(namespace.length + 1);
  return own.startsWith(PREFIX) ? own.slice(PREFIX.length) : own;
}
