import { isLegalName } from '../../tool/tool-name.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { CanaryDeclaration, CanaryMembers } from '../../tool/canary.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { SourceAnswer, ToolCall } from '../../tool/tool-source.js';
import { checkCodeToolKeys } from '../module/known-keys.js';
import { type PlainSchema, plainInput, plainOutputSchema } from '../tools/tool-input.js';
import { answerOf } from '../tools/tool-output.js';
import type { CanaryOptions, ToolHandler, ToolOptions } from './tool.decorator.js';

/** Options of {@link defineTool}: those of `@Tool()`, a name and the handler. */
export interface CodeToolOptions<
  I extends PlainSchema | undefined = undefined,
  C extends PlainSchema | undefined = I,
> extends Omit<ToolOptions<I>, 'name' | 'namespace' | 'output' | 'origin' | 'canary'> {
  /** Without a dot; unique within its source. */
  readonly name: string;
  /** `''`: the name has no prefix. @default the source's namespace */
  readonly namespace?: string;
  /** Shown to the model; the result is not checked against it. */
  readonly output?: PlainSchema;
  /** The handler. Receives the arguments as validated and converted by `input`. Its result becomes text or JSON. */
  readonly run: ToolHandler<I>;
  /**
   * A new definition for a share of the tenants, with a handler of its own.
   *
   * @default none
   */
  readonly canary?: CodeCanary<C>;
}

/** The canary of a tool that {@link defineTool} makes. */
export interface CodeCanary<C extends PlainSchema | undefined = undefined> extends Pick<CanaryDeclaration, 'sharePct'> {
  readonly definition: Omit<CanaryOptions<C>, 'output'> & { readonly output?: PlainSchema };
  /**
   * Receives the arguments as validated and converted by the canary's `input`. Required with one.
   *
   * @default the tool's
   */
  readonly run?: ToolHandler<C>;
}

/** A tool without a class: its declaration and its handler. Created by {@link defineTool}. */
export interface CodeTool {
  readonly declaration: ToolDeclaration;
  /** Runs the handler of the tool, or that of its canary if `call.canary` is set. */
  run(input: unknown, context: ToolContext, call: ToolCall): Promise<SourceAnswer>;
}

type Handler = (input: unknown, context: ToolContext, call: ToolCall) => unknown;

/**
 * Defines a tool without a class, for scripts, generated tools or code without decorators. Pass it to a `CodeSource`.
 *
 * ```ts
 * const options = { name: 'refund', description: 'Refund an invoice.', input: Refund };
 * const refund = defineTool({ ...options, run: ({ invoiceId }) => … });
 * ```
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` or `INVALID_TOOL` for invalid options, or a schema that no call can
 *   satisfy
 */
export function defineTool<I extends PlainSchema | undefined = undefined, C extends PlainSchema | undefined = I>(
  options: CodeToolOptions<I, C>,
): CodeTool {
  checkCodeToolKeys(options, 'defineTool()');
  const { input, output, run, canary, ...rest } = options;
  const { name, namespace, timeoutMs } = rest;
  const refuse = (fault: string, hint: string, cause?: unknown): never => {
    throw new ToolSearchError('INVALID_CONFIGURATION', `defineTool(${JSON.stringify(name)}): ${fault}`, {
      hint,
      cause,
    });
  };
  if (typeof name !== 'string' || !isLegalName(name) || name.includes('.')) {
    refuse(
      'the name is not usable.',
      'Use 1 to 128 of letters, digits, "_" and "-"; what stands before a dot is the namespace.',
    );
  }
  if (namespace !== undefined && namespace !== '' && (typeof namespace !== 'string' || !isLegalName(namespace))) {
    refuse('the namespace is not usable.', 'Use letters, digits, "_", "-" and ".", "" for none, or leave it out.');
  }
  if (typeof run !== 'function') refuse('run is no function.', 'Give what runs when the tool is called.');
  if (canary && (canary.run ?? canary.definition.input) !== undefined && typeof canary.run !== 'function') {
    refuse('canary.run is no function.', 'Give what runs when the canary is called with its own input.');
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0 && Number.isSafeInteger(timeoutMs))) {
    refuse('timeoutMs must be a whole number of milliseconds above 0.', 'Leave it out for 30 seconds.');
  }
  try {
    const outputSchema = plainOutputSchema(output);
    const declaration: ToolDeclaration = {
      ...rest,
      ...plainInput(input),
      ...(outputSchema && { outputSchema }),
      ...(canary && { canary: { sharePct: canary.sharePct, definition: canaryMembers(canary.definition) } }),
    };
    const handler = run as Handler;
    const ofCanary = (canary?.run ?? run) as Handler;
    return Object.freeze({
      declaration: Object.freeze(declaration),
      run: async (input: unknown, context: ToolContext, call: ToolCall) =>
        answerOf(await (call.canary ? ofCanary : handler)(input, context, call)),
    });
  } catch (error) {
    if (!isToolSearchError(error)) throw error;
    return refuse(error.message, error.hint ?? 'Correct the schema.', error);
  }
}

function canaryMembers({
  input,
  output,
  ...rest
}: Omit<CanaryOptions<PlainSchema | undefined>, 'output'> & { readonly output?: PlainSchema }): CanaryMembers {
  const outputSchema = plainOutputSchema(output);
  return { ...rest, ...(input && plainInput(input)), ...(outputSchema && { outputSchema }) };
}
