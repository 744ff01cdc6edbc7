import { basename, sep } from 'node:path';
import { ToolSearchError } from '@tool-search/core';

/** The values of `${…}` in a configuration. */
export interface Variables {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Defaults of the `inputs` of VS Code, by id; undefined for an input without one. */
  readonly inputs: ReadonlyMap<string, string | undefined>;
  readonly home: string;
  /** The folder of the project. */
  readonly workspace: string;
}

const EXPRESSION = /\$\{([^{}]*)\}/g;
const NAMED = /^(?:(?<kind>env|input):)?(?<name>[A-Za-z_][\w.-]*)(?::-(?<fallback>.*))?$/s;

/**
 * A text with its variables replaced: `${NAME}` and `${env:NAME}`, each also with `:-default`, `${input:id}`,
 * `${userHome}`, `${workspaceFolder}`, `${workspaceFolderBasename}`, `${pathSeparator}` and `${/}`. What a variable
 * contains is not replaced again.
 *
 * @param path of the text in the configuration, for the error
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a variable that is not set or empty and has no default; names the
 *   variable, never a value
 */
export function substituted(text: string, path: string, variables: Variables): string {
  return text.replaceAll(EXPRESSION, (_, inner: string) => valueOf(inner, path, variables));
}

/** The environment variable with the value of an input. */
export function inputVariable(id: string): string {
  return `TOOL_SEARCH_INPUT_${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

function valueOf(inner: string, path: string, { env, inputs, home, workspace }: Variables): string {
  const fixed: Readonly<Record<string, string>> = {
    userHome: home,
    workspaceFolder: workspace,
    workspaceFolderBasename: basename(workspace),
    pathSeparator: sep,
    '/': sep,
  };
  const known = Object.hasOwn(fixed, inner) ? fixed[inner] : undefined;
  if (known !== undefined) return known;
  const { kind, name, fallback } = NAMED.exec(inner)?.groups ?? {};
  if (name === undefined) throw unknown(path);
  if (kind !== 'input') {
    const value = env[name] || fallback;
    if (value !== undefined) return value;
    throw missing(path, `the environment variable ${name}`, `Set ${name}, or write \${${name}:-default}.`);
  }
  const variable = inputVariable(name);
  if (!inputs.has(name)) throw missing(path, `the input ${name}`, 'Declare it in "inputs", as VS Code does.');
  const value = env[variable] || inputs.get(name);
  if (value !== undefined) return value;
  throw missing(path, `the input ${name}`, `This command asks no questions: set the environment variable ${variable}.`);
}

function missing(path: string, what: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `${path} needs ${what}, which is not set.`, { hint });
}

// Its text is not repeated: a default in it may be a secret.
function unknown(path: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `${path} has a variable of an unknown form.`, {
    hint: 'Known are ${NAME}, ${NAME:-default}, ${env:NAME}, ${input:id}, ${userHome} and ${workspaceFolder}.',
  });
}
