import { isLegalName } from '../../tool/tool-name.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { SourceAnswer, ToolCall } from '../../tool/tool-source.js';
import { type PlainSchema, plainInput, plainOutputSchema } from '../tools/tool-input.js';
import { answerOf } from '../tools/tool-output.js';
import { checkCodeToolOptions } from './tool-option-names.js';
import type { ToolHandler, ToolOptions } from './tool.decorator.js';

/** Options of {@link defineTool}: those of `@Tool()`, a name and the handler. */
export interface CodeToolOptions<I extends PlainSchema | undefined = undefined> extends Omit<
  ToolOptions<I>,
  'name' | 'namespace' | 'output' | 'origin'
> {
  /** Without a dot; unique within its source. */
  readonly name: string;
  /** `''`: the name has no prefix. @default the source's namespace */
  readonly namespace?: string;
  /** Shown to the model; the result is not checked against it. */
  readonly output?: PlainSchema;
  /** The handler. Receives the arguments as validated and converted by `input`. Its result becomes text or JSON. */
  readonly run: ToolHandler<I>;
}

/** A tool without a class: its declaration and its handler. Created by {@link defineTool}. */
export interface CodeTool {
  readonly declaration: ToolDeclaration;
  run(input: unknown, context: ToolContext, call: ToolCall): Promise<SourceAnswer>;
}

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
export function defineTool<I extends PlainSchema | undefined = undefined>(options: CodeToolOptions<I>): CodeTool {
  checkCodeToolOptions(options, 'defineTool()');
  const { input, output, run, ...rest } = options;
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
  if (timeoutMs !== undefined && !(timeoutMs > 0 && Number.isSafeInteger(timeoutMs))) {
    refuse('timeoutMs must be a whole number of milliseconds above 0.', 'Leave it out for 30 seconds.');
  }
  try {
    const outputSchema = plainOutputSchema(output);
    const declaration = { ...rest, ...plainInput(input), ...(outputSchema && { outputSchema }) };
    const handler = run as (input: unknown, context: ToolContext, call: ToolCall) => unknown;
    return Object.freeze({
      declaration: Object.freeze(declaration),
      run: async (...args: Parameters<CodeTool['run']>) => answerOf(await handler(...args)),
    });
  } catch (error) {
    if (!isToolSearchError(error)) throw error;
    return refuse(error.message, error.hint ?? 'Correct the schema.', error);
  }
}
