import { registerAs } from '@nestjs/config';
import { adminOptions, type ToolAdminOptions } from '@tool-search/admin';
import type { ToolSearchModuleOptions } from '@tool-search/core';
import {
  bare,
  described,
  eachOption,
  flag,
  moduleOptions,
  object,
  oneOf,
  parseOptions,
  type SettingsOf,
  text,
  whole,
  withDefaults,
} from '@tool-search/core/internal';
import { gatewayOptions, type ToolGatewayOptions } from '@tool-search/gateway';
import { z } from 'zod';

const serverVariables = object({
  /** Local by default, because outside production the published demo tokens are accepted. */
  HOST: text().default('127.0.0.1'),
  PORT: whole(0, 65_535).default(3000),
  NODE_ENV: oneOf('development', 'test', 'production').default('development'),
  DATA_DIR: text().default('.tool-search'),
  SQLITE_PATH: text().optional(),
  DATABASE_URL: described(z.string().regex(/^postgres(ql)?:\/\//), 'a URL that starts with postgres://').optional(),
  DEMO_TOKENS: text().optional(),
  MODEL: text().optional(),
  OPENAI_API_KEY: text().optional(),
  OPENAI_BASE_URL: text().optional(),
  ANTHROPIC_API_KEY: text().optional(),
  GITHUB_TOKEN: text().optional(),
  TOOL_SEARCH_INSTANCES: whole(1, 1000).default(1),
});

/** The reference server's variables by name, and the options that the other variables set. */
export interface Environment extends SettingsOf<typeof serverVariables> {
  /** Without the options that have no variable. Unset variables keep the library's defaults. */
  readonly options: Omit<ToolSearchModuleOptions, 'context' | 'sources' | 'exposure'> & {
    readonly exposure?: Exclude<ToolSearchModuleOptions['exposure'], string | boolean>;
  };
  readonly admin: ToolAdminOptions;
  readonly gateway: Omit<ToolGatewayOptions, 'oauth'> & {
    readonly oauth?: Omit<NonNullable<ToolGatewayOptions['oauth']>, 'user'>;
  };
}

const PREFIX = 'TOOL_SEARCH_';
// Variables of the tests.
const TEST_PREFIX = 'TOOL_SEARCH_TEST_';
const UNNAMED_GROUP = /^(exposure|search|policy|calls|catalog)\./;
const RENAMED = new Map([
  ['exposure.mode', 'exposure'],
  ['activation.activateOn', 'activateOn'],
  ['policy.arguments', 'policyArguments'],
]);
// The mode stands for `exposure`, a list for its items. Others need code of the application, and DEMO_TOKENS are tokens.
const WITHOUT_VARIABLE =
  /^options\.(exposure$|(sources|tenantSources|redaction|visibility\.required|results\.perTool|limits\.cost|search\.(embedder|dense|exampleQueries\.(?!perTool|files)))\b)|^gateway\.tokens|\.0\b/;
const KINDS = ['string', 'number', 'boolean', 'literal', 'union', 'array', 'record'];

const VARIABLES = eachOption(
  object({ ...serverVariables.shape, options: moduleOptions, admin: adminOptions, gateway: gatewayOptions }),
)
  .map(({ path, schema }) => {
    const { type } = bare(schema)._zod.def;
    // Where options may be replaced by `false`, the variable is a flag; the options have variables of their own.
    const isSwitch = type === 'union' && eachOption(schema).length > 0;
    return { id: path.join('.'), type, isSwitch, schema: isSwitch ? flag() : schema };
  })
  .filter(({ id, type }) => KINDS.includes(type) && !WITHOUT_VARIABLE.test(id))
  .map((option) => ({ ...option, name: variableOf(option.id) }));

/** The names that variables of `tuning` had, and those that they have now. */
const FORMER_NAMES = new Map(
  VARIABLES.filter(({ id }) => id.startsWith('options.tuning.')).map(({ id, name }) => [
    variableOf(id.replace('.tuning', '')),
    name,
  ]),
);

/** All names that {@link checkedEnvironment} reads. */
export const VARIABLE_NAMES: readonly string[] = VARIABLES.map(({ name }) => name);

/**
 * Reads and checks the environment. An empty value counts as unset.
 *
 * @throws Error for an unknown `TOOL_SEARCH_*` variable or an illegal value; the message names each such variable and
 *   what is allowed, and repeats no text
 */
export function checkedEnvironment(raw: Readonly<Record<string, string | undefined>>): Environment {
  const faults = Object.keys(raw)
    .filter((key) => key.startsWith(PREFIX) && !key.startsWith(TEST_PREFIX) && !VARIABLE_NAMES.includes(key))
    .filter((key) => raw[key])
    .map((key) => {
      const now = FORMER_NAMES.get(key);
      const hint = now === undefined ? 'unknown; docs/guides/reference-server.md lists the variables' : `now ${now}`;
      return `${key} is ${hint}.`;
    });
  const values: Tree = { options: {}, admin: {}, gateway: {} };
  for (const { name, id, schema, isSwitch } of VARIABLES) {
    const given = raw[name];
    if (!given) continue;
    try {
      const value = valueOf(name, schema, given);
      parseOptions(schema as z.ZodType, value, name);
      put(values, id.split('.'), isSwitch && value === true ? {} : value);
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  const env = { ...values, ...withDefaults(serverVariables, values) } as unknown as Environment;
  if (env.NODE_ENV === 'production' && env.DEMO_TOKENS !== undefined) {
    faults.push('DEMO_TOKENS must not be set when NODE_ENV=production: they are published');
  }
  if (env.TOOL_SEARCH_INSTANCES > 1 && env.DATABASE_URL === undefined) {
    faults.push('TOOL_SEARCH_INSTANCES above 1 needs DATABASE_URL: a SQLite file serves one process');
  }
  const { storage, receiptSecret } = env.options.activation ?? {};
  if (storage === 'messages' && receiptSecret === undefined) {
    faults.push('TOOL_SEARCH_ACTIVATION_STORAGE=messages needs TOOL_SEARCH_ACTIVATION_RECEIPT_SECRET');
  }
  if (faults.length > 0) throw new Error(`The environment is not usable:\n- ${faults.join('\n- ')}`);
  return env;
}

/** Configuration for `@nestjs/config`: `@Inject(environment.KEY)` injects the checked {@link Environment}. */
export const environment = registerAs('environment', () => checkedEnvironment(process.env));

function variableOf(id: string): string {
  if (!id.includes('.')) return id;
  const option = id.replace(/^options\./, '');
  const words = RENAMED.get(option) ?? option.replace(UNNAMED_GROUP, '');
  return PREFIX + words.replaceAll('.', '_').replaceAll(/[A-Z]/g, '_$&').toUpperCase();
}

/** The value that a text stands for, by the kind of its option. A text of another kind stays: the check refuses it. */
function valueOf(name: string, schema: z.core.$ZodType, given: string): unknown {
  const { def } = bare(schema)._zod;
  switch (def.type) {
    case 'string':
      return given;
    case 'number':
      return given.trim() === '' || Number.isNaN(Number(given)) ? given : Number(given);
    case 'record':
      return parsedJson(name, 'an object', given);
    case 'array':
      return bare(def.element)._zod.def.type === 'object'
        ? parsedJson(name, 'a list', given)
        : given
            .split(',')
            .map((item) => item.trim())
            .filter(Boolean);
    default:
      return given === 'true' ? true : given === 'false' ? false : given;
  }
}

function parsedJson(name: string, what: string, given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw new Error(`${name} must be ${what} in JSON.`);
  }
}

type Tree = Record<string, unknown>;

function put(tree: Tree, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) tree[key] = value;
  // Options of what is switched off have no effect.
  else if (tree[key] !== false) put((tree[key] ??= {}) as Tree, rest, value);
}
