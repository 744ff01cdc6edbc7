import { parseArgs } from 'node:util';
import { DEMO_USERS, type DemoTenant } from './demo-users.js';

export interface Ask {
  readonly text: string;
  readonly tenant: DemoTenant;
}

interface DemoArguments {
  readonly asks: readonly Ask[];
  /** Print one JSON object and nothing else. */
  readonly json: boolean;
  /** Serve the browser console, and the requests when an operator has signed in. */
  readonly console: boolean;
  readonly help: boolean;
}

const SHOWN: readonly Ask[] = [
  { tenant: 'acme', text: 'What does the file notes/welcome.txt say?' },
  { tenant: 'acme', text: 'Remember that Ada Lovelace works at Analytical Engines.' },
  { tenant: 'acme', text: 'Refund 25 euros of invoice inv_1001 because it was charged twice.' },
  { tenant: 'globex', text: 'Refund 25 euros of invoice inv_1001 because it was charged twice.' },
];

const TENANTS = Object.keys(DEMO_USERS) as DemoTenant[];
const DEFAULT_TENANT: DemoTenant = 'acme';

/** The text of `--help`, appended to every error message. */
export const DEMO_USAGE = `Usage: npm run demo -- [--ask TEXT [--tenant ${TENANTS.join('|')}]]… [--json | --console]

  --ask TEXT     a request to serve; without any, the demo serves ${SHOWN.length} requests of its own
  --tenant NAME  who makes the request before it: ${TENANTS.map((name) => `${name} (${DEMO_USERS[name].plan} plan)`).join(', ')}; default ${DEFAULT_TENANT}
  --json         prints one JSON object with every step and its tokens, and nothing else, on stdout
  --console      serves the operators' console on 127.0.0.1 (variable PORT, default 3000), and starts the requests once
                 you have signed in; Ctrl+C ends it
  --help         prints this text`;

/**
 * Parses the arguments of `npm run demo`. Each `--tenant` applies to the `--ask` before it.
 *
 * @throws Error with {@link DEMO_USAGE} for unknown or illegal arguments
 */
export function demoArguments(args: readonly string[]): DemoArguments {
  try {
    return parsed(args);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${DEMO_USAGE}`, { cause: error });
  }
}

function parsed(args: readonly string[]): DemoArguments {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: {
      ask: { type: 'string', multiple: true },
      tenant: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      console: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    tokens: true,
  });
  const asks: { text: string; tenant?: DemoTenant }[] = [];
  for (const token of tokens) {
    if (token.kind !== 'option' || token.value === undefined) continue;
    if (token.name === 'ask') {
      if (token.value.trim() === '') throw new Error('--ask needs a text.');
      asks.push({ text: token.value });
    } else if (token.name === 'tenant') {
      const last = asks.at(-1);
      if (!last || last.tenant !== undefined) throw new Error('--tenant must follow the --ask it belongs to.');
      const { value } = token;
      last.tenant = TENANTS.find((name) => name === value);
      if (!last.tenant) throw new Error(`There is no demo tenant ${value}.`);
    }
  }
  if (values.json && values.console) throw new Error('--console does not go with --json.');
  return {
    asks: asks.length > 0 ? asks.map(({ text, tenant = DEFAULT_TENANT }) => ({ text, tenant })) : SHOWN,
    json: values.json,
    console: values.console,
    help: values.help,
  };
}
