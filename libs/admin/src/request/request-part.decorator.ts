import { createParamDecorator, type ExecutionContext, Param, type Type } from '@nestjs/common';
import { ApiBody, ApiQuery, type ApiQueryOptions } from '@nestjs/swagger';
import { RequestPipe, SafeTextPipe } from './request.pipe.js';

interface HttpParts {
  readonly body?: unknown;
  readonly query?: unknown;
}

// Not Nest's own @Body() and @Query(): pipes of the application would validate these first, with other rules and
// messages.
const Part = createParamDecorator((part: keyof HttpParts, execution: ExecutionContext) => {
  return execution.switchToHttp().getRequest<HttpParts>()[part];
});

export type Checked<T> = { readonly [K in keyof T]: T[K] };

export function AdminBody(type: Type<object>): ParameterDecorator {
  return documented(Part('body', new RequestPipe(type)), ApiBody({ type }));
}

export function AdminQuery(type: Type<object>): ParameterDecorator {
  const inQuery = { type } as ApiQueryOptions;
  return documented(Part('query', new RequestPipe(type)), ApiQuery(inQuery));
}

export function AdminParam(name: string): ParameterDecorator {
  return Param(name, new SafeTextPipe<string>());
}

function documented(parameter: ParameterDecorator, method: MethodDecorator): ParameterDecorator {
  return (target, key, index) => {
    parameter(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && descriptor) method(target, key, descriptor);
  };
}
