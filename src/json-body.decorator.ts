import { createParamDecorator, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ToolSearchError } from '@tool-search/core';
import { isObject } from '@tool-search/core/source';
import { getMetadataStorage, validateSync } from 'class-validator';

// Nest's own @Body() with a ValidationPipe copies the body with class-transformer. The copy loses keys such as
// `constructor`, also inside a call's arguments, and takes time quadratic in the number of keys.
const Body = createParamDecorator((_: unknown, execution: ExecutionContext): unknown => {
  return execution.switchToHttp().getRequest<{ readonly body?: unknown }>().body;
});

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

  constructor(private readonly type: Type<T>) {
    const decorated = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
    this.#fields = decorated.map(({ propertyName }) => propertyName);
  }

  /** @throws ToolSearchError `INVALID_ARGUMENTS` */
  transform(body: unknown = {}): T {
    if (!isObject(body)) throw invalid('it must be a JSON object');
    const unknown = Object.keys(body).find((key) => !this.#fields.includes(key));
    if (unknown !== undefined) throw invalid(`property ${unknown.slice(0, 64)} should not exist`);
    const checked = Object.assign(new this.type(), body);
    const faults = validateSync(checked).flatMap(({ constraints }) => Object.values(constraints ?? {}));
    if (faults.length > 0) throw invalid(faults.join('; '));
    return checked;
  }
}

function invalid(faults: string): ToolSearchError {
  return new ToolSearchError('INVALID_ARGUMENTS', `The body is not valid: ${faults}.`, {
    hint: 'The routes and their bodies are described at /docs.',
  });
}
