import type { Type } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
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
  const path = `${parent}/${error.property.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) => ({
    path,
    message: repeats(message, error.value) ? `does not satisfy ${constraint}` : message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => issuesOf(child, path))];
}

// An application's own message may hold `$value`; arguments can be secrets, so such a message is replaced.
function repeats(message: string, value: unknown): boolean {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text.length >= 4 && message.includes(text);
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
