import { parseArgs } from 'node:util';

/** One request to serve, and the demo tenant that makes it. */
export interface Ask {
  readonly text: string;
  readonly tenant: string;
}

const SHOWN: readonly Ask[] = [
  { tenant: 'acme', text: 'What does the file notes/welcome.txt say?' },
  { tenant: 'acme', text: 'Remember that Ada Lovelace works at Analytical Engines.' },
  { tenant: 'acme', text: 'Refund 25 euros of invoice inv_1001 because it was charged twice.' },
  { tenant: 'globex', text: 'Refund 25 euros of invoice inv_1001 because it was charged twice.' },
];

/**
 * What `npm run demo` is asked to do: `[--json] [--ask TEXT --tenant T]…`. Each `--tenant` belongs to the `--ask` before
 * it.
 *
 * @throws Error for unknown arguments, or a request without a tenant
 */
export function demoArguments(args: readonly string[]): { asks: readonly Ask[]; json: boolean } {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: {
      ask: { type: 'string', multiple: true },
      tenant: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
    },
    tokens: true,
  });
  const asks: { text: string; tenant?: string }[] = [];
  for (const token of tokens) {
    if (token.kind !== 'option' || token.value === undefined) continue;
    if (token.name === 'ask') asks.push({ text: token.value });
    else if (token.name === 'tenant') {
      const last = asks.at(-1);
      if (!last || last.tenant !== undefined) throw new Error('--tenant must follow the --ask it belongs to.');
      last.tenant = token.value;
    }
  }
  return {
    asks: asks.length > 0 ? asks.map(({ text, tenant = 'acme' }) => ({ text, tenant })) : SHOWN,
    json: values.json,
  };
}
