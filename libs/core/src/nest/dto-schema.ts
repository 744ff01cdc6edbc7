import type { Type } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { inputIssue, pointerTo, valueStart } from '../tool/input-issue.js';
import { isObject, type JsonSchema } from '../tool/json.js';
import type { InputIssue, ToolInputValidator } from '../tool/tool-definition.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import { dtoJsonSchema, type DtoLibraries } from './dto-json-schema.js';

const MAX_ISSUES = 10;

/**
 * JSON Schema and validator of a class-validator DTO class. Unknown properties are refused and nothing is converted by
 * itself: `"5"` is no integer. Nested DTOs need `@ValidateNested()` and `@Type()`.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` when a package is missing or the class cannot be described
 */
export async function dtoInput(dto: Type<object>): Promise<{ inputSchema: JsonSchema; validate: ToolInputValidator }> {
  const libraries = await loadLibraries(dto);
  return { inputSchema: dtoJsonSchema(dto, libraries), validate: validatorOf(dto, libraries) };
}

function validatorOf(dto: Type<object>, { validator, transformer }: DtoLibraries): ToolInputValidator {
  return async (input) => {
    if (!isObject(input)) return { issues: [{ path: '/', message: 'must be an object' }] };
    let value: object;
    try {
      value = transformer.plainToInstance(dto, input, { enableImplicitConversion: false });
    } catch {
      // A @Transform() that met a value it was not written for.
      return { issues: [{ path: '/', message: 'cannot be converted' }] };
    }
    const errors = await validator.validate(value, {
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
    });
    return errors.length === 0
      ? { value }
      : { issues: errors.flatMap((error) => issuesOf(error, '')).slice(0, MAX_ISSUES) };
  };
}

function issuesOf(error: ValidationError, parent: string): InputIssue[] {
  const path = `${parent}${pointerTo(error.property)}`;
  // An application's own message may hold the value; arguments can be secrets, so such a message is replaced.
  const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) =>
    inputIssue(path, valueStart(message, error.value) === -1 ? message : `does not satisfy ${constraint}`),
  );
  return [...own, ...(error.children ?? []).flatMap((child) => issuesOf(child, path))];
}

async function loadLibraries(dto: Type<object>): Promise<DtoLibraries> {
  // Not reachable through the package's front door; the same path in all of 0.5.
  const storagePath: string = 'class-transformer/cjs/storage.js';
  try {
    const [validator, transformer, converter, storage] = await Promise.all([
      import('class-validator'),
      import('class-transformer'),
      import('class-validator-jsonschema'),
      import(storagePath) as Promise<{ defaultMetadataStorage: DtoLibraries['typeStorage'] }>,
    ]);
    return { validator, transformer, converter, typeStorage: storage.defaultMetadataStorage };
  } catch (error) {
    throw new ToolSearchError(
      'INVALID_CONFIGURATION',
      `The DTO class ${dto.name} needs class-validator, class-transformer and class-validator-jsonschema, and one of them cannot be loaded.`,
      { hint: 'npm install class-validator class-transformer class-validator-jsonschema', cause: error },
    );
  }
}
