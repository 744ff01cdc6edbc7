import { z } from 'zod';
import { declarationExample, declarationFields } from '../../catalog/ingest/validate-declaration.js';
import { allowed, object } from '../../options/options.js';
import { deprecationOptions } from '../../tool/deprecation.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { CodeToolOptions } from './define-tool.js';
import type { ToolOptions } from './tool.decorator.js';

// Values are checked where all is known of a tool: with its name and its schemas, when its source starts.
const any = z.unknown().optional();
const namesOf = <S extends object>(shape: S) =>
  object(Object.fromEntries(Object.keys(shape).map((name) => [name, any])) as Record<keyof S, typeof any>);

const {
  kind: _kind,
  uri: _uri,
  mimeType: _type,
  annotations: _notes,
  validate: _validate,
  ...declared
} = declarationFields.shape;

const example = namesOf(declarationExample.shape);
const deprecation = namesOf(deprecationOptions.shape);

const toolOptions = object({
  name: any,
  namespace: any,
  description: any,
  input: any,
  output: any,
  ...namesOf(declared).shape,
  origin: any,
  examples: z.array(example).optional(),
  deprecated: deprecation.optional(),
} satisfies Record<keyof ToolOptions, z.ZodType>);

const { origin: _origin, ...named } = toolOptions.shape;
const codeToolOptions = object({ ...named, run: any } satisfies Record<keyof CodeToolOptions, z.ZodType>);

/**
 * Refuses unknown options of `@Tool()`: with a misspelt `input`, the tool would have no arguments.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown name, or a value that is no object of options
 */
export function checkToolOptions(options: unknown, where: string): void {
  checkNames(toolOptions, options, where);
}

/** Like {@link checkToolOptions}, for `defineTool()`. @throws as {@link checkToolOptions} */
export function checkCodeToolOptions(options: unknown, where: string): void {
  checkNames(codeToolOptions, options, where);
}

function checkNames(schema: z.ZodObject, options: unknown, where: string): void {
  const { issues = [] } = schema.safeParse(options).error ?? {};
  // A misspelt option explains what is missing elsewhere.
  const issue = issues.find(({ path }) => path.length === 0) ?? issues[0];
  if (!issue) return;
  const [part, index] = issue.path;
  const place =
    part === undefined ? where : `${where} ${String(part)}${index === undefined ? '' : `[${String(index)}]`}`;
  const at = part === undefined ? schema : part === 'deprecated' ? deprecation : example;
  const isList = part === 'examples' && index === undefined;
  const fault =
    issue.code === 'unrecognized_keys'
      ? `has no option ${JSON.stringify(issue.keys[0])}`
      : `must be ${isList ? 'a list' : allowed(at)}`;
  const hint = `Known options: ${Object.keys(at.shape).join(', ')}.`;
  throw new ToolSearchError('INVALID_CONFIGURATION', `${place} ${fault}.`, { hint });
}
