import 'reflect-metadata';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../json/json.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolCall } from '../../tool/tool-source.js';
import { checkToolOptions } from './tool-option-names.js';

/** A tool's input or output: a Standard Schema (zod 4 …), a class-validator DTO class or JSON Schema. */
export type ToolSchema = StandardSchemaV1 | Type<object> | JsonSchema;

/**
 * Type of a handler's input: the output of the Standard Schema, an instance of the DTO class, or an empty object
 * without an input. For JSON Schema, which has no static type, it is `never`, so the handler may declare any type.
 */
export type ToolInputOf<I> = I extends undefined
  ? Record<string, never>
  : I extends StandardSchemaV1
    ? StandardSchemaV1.InferOutput<I>
    : I extends Type<infer D>
      ? D
      : never;

/** A method that `@Tool()` accepts; it may declare fewer parameters. */
export type ToolHandler<I> = (input: ToolInputOf<I>, context: ToolContext, call: ToolCall) => unknown;

/** Options of `@Tool()`. */
export interface ToolOptions<I extends ToolSchema | undefined = undefined> extends Omit<
  ToolDeclaration,
  'name' | 'namespace' | 'inputSchema' | 'outputSchema' | 'validate' | 'annotations' | 'kind' | 'uri' | 'mimeType'
> {
  /** Without a dot. @default the method's name in snake_case */
  readonly name?: string;
  /** @default the class's name without Tools, Tool, Service or Controller, in snake_case */
  readonly namespace?: string;
  /** Shown to the model as JSON Schema, and validated before the handler runs. @default no arguments */
  readonly input?: I;
  /** Shown to the model; the result is not checked against it. */
  readonly output?: ToolSchema;
}

export interface DeclaredTool {
  readonly method: string;
  readonly options: ToolOptions<ToolSchema | undefined>;
}

const TOOL = Symbol.for('@tool-search/core:tool');

/**
 * Makes a provider's method a tool. The compiler checks the type of its first parameter against `input`. At every call,
 * the guards, interceptors and pipes of class and method run, and global ones as for a route. They see the request of
 * the context, or undefined without one. Handler: `(input, context: ToolContext, call: ToolCall)`.
 *
 * ```ts
 * @Tool({ description: 'Refund an invoice.', input: Refund, sideEffects: 'write' })
 * refund(input: z.infer<typeof Refund>, { tenantId }: ToolContext) { … }   // billing.refund in BillingTools
 * ```
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` on anything but an instance method, and for an unknown option
 */
export function Tool<I extends ToolSchema | undefined = undefined>(options: ToolOptions<I>) {
  return <M extends ToolHandler<I>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    if (typeof target === 'function' || typeof key !== 'string' || typeof descriptor?.value !== 'function') {
      const owner = typeof target === 'function' ? target.name : target.constructor.name;
      throw new ToolSearchError(
        'INVALID_CONFIGURATION',
        `${owner}.${String(key)}: @Tool() is only for instance methods.`,
        {
          hint: 'Put it on an ordinary method: not on a static one, an accessor, a property or one named by a symbol.',
        },
      );
    }
    checkToolOptions(options, `${target.constructor.name}.${key}: @Tool()`);
    Reflect.defineMetadata(TOOL, options, descriptor.value);
    // Also on the class, to detect another decorator that replaces the method.
    Reflect.defineMetadata(TOOL, options, target, key);
  };
}

/**
 * The tools among a class's methods, including inherited ones. A subclass that overrides a method without `@Tool()`
 * removes the tool, as it removes the method's guards.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` when another decorator replaced the method and its metadata is lost
 */
export function declaredTools(type: Type, methods: readonly string[]): readonly DeclaredTool[] {
  return methods.flatMap((method) => {
    const prototype = type.prototype as Record<string, object>;
    const options = Reflect.getMetadata(TOOL, prototype[method] as object) as DeclaredTool['options'] | undefined;
    if (options) return [{ method, options }];
    if (Reflect.hasOwnMetadata(TOOL, prototype, method)) {
      throw new ToolSearchError(
        'INVALID_CONFIGURATION',
        `${type.name}.${method}: another decorator replaced the method after @Tool(), and its guards with it.`,
        { hint: 'Write @Tool(), @UseGuards() and their like above that decorator.' },
      );
    }
    return [];
  });
}
