import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { ToolMethod } from '../tools/tool-enhancers.js';

/** Metadata key of the handler parameters that pipes apply to. */
export const PARAMETERS = '@tool-search/core:parameters';

// 3 = RouteParamtypes.BODY: pipes see the input with the parameter type `body`.
const INPUT_ONLY = { '3:0': { index: 0, pipes: [] } };

const PARAMTYPES = 'design:paramtypes';

/*
 * NestJS 11 and 12.0 to 12.3 cache a handler's parameters by class (11: by class name) and method name only. A separate
 * name for each use of each tool avoids collisions with other tools, with GraphQL's use of the same method, and with
 * another class of the same name. Tool names are unique in an application.
 */

/** Handler name for a tool's call (guards and interceptors, no parameters) in Nest's caches. */
export const CALLED = ({ method, name }: ToolMethod): string => `${method} as ${name}`;

/** Handler name for a tool's input (pipes) in Nest's caches. */
export const INPUT = ({ method, name }: ToolMethod): string => `${method} with the input of ${name}`;

/** The object by which Nest looks up a tool's enhancers and parameters, in place of each call's instance. */
export function nestHost(tool: ToolMethod): object {
  const { type, method } = tool;
  const prototype = type.prototype as Record<string, unknown>;
  // A mixin may have copied the `constructor` of another class, and Nest reads the metadata of that class.
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

/** The installed version of Nest, for messages. Read from the file: some versions do not export package.json. */
export const NEST_VERSION = (
  JSON.parse(readFileSync(join(dirname(require.resolve('@nestjs/core')), 'package.json'), 'utf8')) as {
    version: string;
  }
).version;
