import type { ToolDefinition } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';

/** Name rules of the providers. */
const PROVIDERS = [
  { provider: 'OpenAI', legal: /^[a-zA-Z0-9_-]{1,64}$/, nameOf: (name: string) => wireName(name, 64) },
  { provider: 'Anthropic', legal: /^[a-zA-Z0-9_-]{1,128}$/, nameOf: (name: string) => wireName(name, 128) },
  { provider: 'MCP', legal: /^[A-Za-z0-9_.-]{1,128}$/, nameOf: (name: string) => name },
];

/** Lists names that a provider would reject or that are ambiguous, one line each. */
export function wireFaults(tools: readonly Pick<ToolDefinition, 'name' | 'owner'>[]): string[] {
  return PROVIDERS.flatMap(({ provider, legal, nameOf }) => {
    // Two tenants may use the same name, because no tenant sees both.
    const known = new Map<string, string>();
    return tools.flatMap(({ name, owner }) => {
      const wire = nameOf(name);
      const other = known.get(JSON.stringify([owner, wire])) ?? known.get(JSON.stringify(['', wire]));
      known.set(JSON.stringify([owner, wire]), name);
      if (!legal.test(wire)) return [`${provider} takes no tool named ${wire} (${name})`];
      return other === undefined || other === name
        ? []
        : [`${provider} would be shown ${name} and ${other} as ${wire}`];
    });
  });
}
