import { createRequire } from 'node:module';
import type { Type } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { inputIssue, pointerTo, valueStart } from '../../tool/schema/input-issue.js';
import { isInheritedKey, isObject, type JsonSchema, poisonedKey } from '../../json/json.js';
import type { InputIssue, ToolInputValidator } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { dtoJsonSchema, type DtoLibraries } from './dto-json-schema.js';

const MAX_ISSUES = 10;

/**
 * JSON Schema and validator of a class-validator DTO class. Unknown properties are refused, and there is no implicit
 * conversion: `"5"` is not an integer. Nested DTOs need `@ValidateNested()` and `@Type()`.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` when a package is missing or the class cannot be described
 */
export function dtoInput(dto: Type<object>): { inputSchema: JsonSchema; validate: ToolInputValidator } {
  const libraries = loadLibraries(dto);
  return { inputSchema: dtoJsonSchema(dto, libraries), validate: validatorOf(dto, libraries) };
}

function validatorOf(dto: Type<object>, { validator, transformer }: DtoLibraries): ToolInputValidator {
  return async (input) => {
    if (!isObject(input)) return { issues: [{ path: '/', message: 'must be an object' }] };
    const inherited = poisonedKey(input, isInheritedKey);
    if (inherited !== undefined) return { issues: [{ path: '/', message: `must not have the key ${inherited}` }] };
    let value: object;
    try {
      value = transformer.plainToInstance(dto, input, { enableImplicitConversion: false });
    } catch {
      // A @Transform() function threw on an unexpected value.
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
  // A custom message may contain the value, which can be a secret, so such a message is replaced.
  const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) =>
    inputIssue(path, valueStart(message, error.value) === -1 ? message : `does not satisfy ${constraint}`),
  );
  return [...own, ...(error.children ?? []).flatMap((child) => issuesOf(child, path))];
}

// Jest does not support `import()` in CommonJS; `require` works there as in Node.js.
const load = createRequire(__filename);

function loadLibraries(dto: Type<object>): DtoLibraries {
  try {
    return {
      validator: load('class-validator') as typeof import('class-validator'),
      transformer: load('class-transformer') as typeof import('class-transformer'),
      converter: load('class-validator-jsonschema') as typeof import('class-validator-jsonschema'),
      // Not exported by the package's entry point; the path is the same in all 0.5 versions.
      typeStorage: (load('class-transformer/cjs/storage.js') as { defaultMetadataStorage: DtoLibraries['typeStorage'] })
        .defaultMetadataStorage,
    };
  } catch (error) {
    throw new ToolSearchError(
      'INVALID_CONFIGURATION',
      `The DTO class ${dto.name} needs class-validator, class-transformer and class-validator-jsonschema, and one of them cannot be loaded.`,
      { hint: 'npm install class-validator class-transformer class-validator-jsonschema', cause: error },
    );
  }
}
