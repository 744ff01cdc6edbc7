import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { ToolMethod } from '../tools/tool-enhancers.js';

/** Metadata key under which Nest finds the parameters of a handler that pipes apply to. */
export const PARAMETERS = '@tool-search/core:parameters';

// RouteParamtypes.BODY, so that a pipe meets the input under the type under which it meets a body.
const INPUT_ONLY = { '3:0': { index: 0, pipes: [] } };

const PARAMTYPES = 'design:paramtypes';

/*
 * NestJS 11 and 12.0 to 12.3 remember a handler's parameters by class (11: by the class's name) and method name alone. A
 * name for each use of each tool keeps ours apart from each other, from GraphQL's of the same method, and from those of
 * another class of the same name. Names of tools are unique in an application.
 */

/** The name under which Nest knows a tool's call: guards and interceptors, no parameters. */
export const CALLED = ({ method, name }: ToolMethod): string => `${method} as ${name}`;

/** The name under which Nest knows a tool's input. */
export const INPUT = ({ method, name }: ToolMethod): string => `${method} with the input of ${name}`;

/** An object of the tool's class that Nest looks enhancers and parameters up by; it stands for the instance of each call. */
export function nestHost(tool: ToolMethod): object {
  const { type, method } = tool;
  const prototype = type.prototype as Record<string, unknown>;
  // A mixin may have given the class the `constructor` of another one, and Nest asks that one.
  const declaring = prototype['constructor'] as Type;
  for (const each of [type, declaring]) Reflect.defineMetadata(PARAMETERS, INPUT_ONLY, each, INPUT(tool));
  const host = Object.create(prototype, { [INPUT(tool)]: { value: prototype[method] } }) as object;
  const isCopied = declaring !== type && (declaring.prototype as typeof prototype)[method] === prototype[method];
  const types: unknown = Reflect.getMetadata(
    PARAMTYPES,
    isCopied ? (declaring.prototype as object) : prototype,
    method,
  );
  if (types !== undefined) Reflect.defineMetadata(PARAMTYPES, types, host, INPUT(tool));
  return host;
}

/** The version of Nest in use, for messages. Read as a file: some versions export no package.json. */
export const NEST_VERSION = (
  JSON.parse(readFileSync(join(dirname(require.resolve('@nestjs/core')), 'package.json'), 'utf8')) as {
    version: string;
  }
).version;
