import { createParamDecorator, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';
import { ApiBody, ApiQuery, type ApiQueryOptions } from '@nestjs/swagger';
import { ToolSearchError } from '@tool-search/core';
import { isObject } from '@tool-search/core/internal';
import { getMetadataStorage, validateSync } from 'class-validator';

// Nest's own @Body() with a ValidationPipe copies the body with class-transformer. The copy loses keys such as
// `constructor`, also inside a call's arguments, and takes time quadratic in the number of keys.
const Body = createParamDecorator((_: unknown, execution: ExecutionContext): unknown => {
  return execution.switchToHttp().getRequest<{ readonly body?: unknown }>().body;
});

const Query = createParamDecorator((_: unknown, execution: ExecutionContext): unknown => {
  return { ...execution.switchToHttp().getRequest<{ readonly query?: object }>().query };
});

/** The query parameters that are decorated fields of a class, validated like a body. */
export function CheckedQuery(type: Type<object>): ParameterDecorator {
  return (target, key, index) => {
    Query(new FieldsPipe(type, 'query'))(target, key, index);
    const method = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && method) ApiQuery({ type } as ApiQueryOptions)(target, key, method);
  };
}

/** A body with the decorated fields of a class, validated by their decorators; values are not transformed. */
export function JsonBody(type: Type<object>): ParameterDecorator {
  return (target, key, index) => {
    Body(new FieldsPipe(type))(target, key, index);
    const method = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && method) ApiBody({ type })(target, key, method);
  };
}

class FieldsPipe<T extends object> implements PipeTransform<unknown, T> {
  readonly #fields: readonly string[];

  constructor(
    private readonly type: Type<T>,
    private readonly part: 'body' | 'query' = 'body',
  ) {
    const decorated = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    this.#fields = decorated.map(({ propertyName }) => propertyName);
  }

  /** @throws ToolSearchError `INVALID_ARGUMENTS` */
  transform(body: unknown = {}): T {
    if (!isObject(body)) throw invalid(this.part, 'it must be a JSON object');
    const unknown = Object.keys(body).find((key) => !this.#fields.includes(key));
    if (unknown !== undefined) throw invalid(this.part, `property ${unknown.slice(0, 64)} should not exist`);
    const checked = Object.assign(new this.type(), body);
    const faults = validateSync(checked).flatMap(({ constraints }) => Object.values(constraints ?? {}));
    if (faults.length > 0) throw invalid(this.part, faults.join('; '));
    return checked;
  }
}

function invalid(part: 'body' | 'query', faults: string): ToolSearchError {
  return new ToolSearchError('INVALID_ARGUMENTS', `The ${part} is not valid: ${faults}.`, {
    hint: 'The routes are described at /docs.',
  });
}
