import { type ArgumentMetadata, Injectable, type PipeTransform, type Type, ValidationPipe } from '@nestjs/common';
import { ToolSearchError } from '@tool-search/core';
import {
  checkJsonText,
  depthOf,
  hasControlCharacters,
  isInheritedKey,
  isObject,
  poisonedKey,
  invalidRequest,
} from '@tool-search/core/internal';
import type { ValidationError } from 'class-validator';

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 16;
// Bounded, because class-transformer takes quadratic time in the number of keys of an object.
const LIMITS = { depth: MAX_DEPTH, objectKeys: 500, values: 5_000 };

/** Validates a body or query against its class. Limits its size, rejects unknown fields, and reports every error. */
@Injectable()
export class RequestPipe<T extends object> implements PipeTransform<unknown, Promise<T>> {
  readonly #validation: ValidationPipe;
  readonly #safeText = new SafeTextPipe<object>();

  constructor(type: Type<T>) {
    this.#validation = new ValidationPipe({
      whitelist: true,
      forbidNonWhitelisted: true,
      transform: true,
      validateCustomDecorators: true,
      expectedType: type,
      exceptionFactory: (errors) =>
        invalidRequest('The request', `${errors.flatMap((error) => faultsOf(error)).join('; ')}.`),
    });
  }

  /** @throws ToolSearchError `INVALID_REQUEST`, `ARGUMENTS_TOO_LARGE` */
  async transform(raw: unknown, metadata: ArgumentMetadata): Promise<T> {
    // A missing body counts as empty; the validation below reports the missing fields.
    const request = raw ?? {};
    if (!isObject(request)) throw invalidRequest('The request', 'it must be a JSON object.');
    // Checked before JSON.stringify, which would exhaust the stack on a deeply nested value.
    if (depthOf(request, MAX_DEPTH) > MAX_DEPTH)
      throw invalidRequest('The request', `it is more than ${MAX_DEPTH} levels deep.`);
    const text = JSON.stringify(request);
    if (Buffer.byteLength(text) > MAX_BYTES) {
      throw new ToolSearchError('ARGUMENTS_TOO_LARGE', `The request is larger than ${MAX_BYTES / 1024} KiB.`, {
        hint: 'Nothing was changed. Send less, for example globs instead of names.',
      });
    }
    checkJsonText(text, 'The request is', LIMITS);
    const poisoned = poisonedKey(request, isInheritedKey);
    if (poisoned !== undefined) throw invalidRequest('The request', `the key ${poisoned} could reach a prototype.`);
    this.#safeText.transform(request, {});
    // Copied, because a query may be an object without a prototype.
    return this.#validation.transform({ ...request }, metadata);
  }
}

function faultsOf({ property, constraints = {}, children = [] }: ValidationError): string[] {
  return [
    ...new Set(Object.values(constraints)),
    ...children.flatMap((child) => faultsOf(child)).map((fault) => `in ${property}: ${fault}`),
  ];
}

/** Rejects texts, also inside objects and arrays, that contain control characters or lone surrogates. */
@Injectable()
export class SafeTextPipe<T> implements PipeTransform<T, T> {
  /** @throws ToolSearchError `INVALID_REQUEST`, which names the field */
  transform(value: T, { data }: Pick<ArgumentMetadata, 'data'>): T {
    const unsafe = unsafeText(value, data);
    if (unsafe === undefined) return value;
    throw invalidRequest('The request', `${unsafe} has a control character, or half a character, in it.`);
  }
}

/** Returns the dotted path of the first text in a JSON value that contains a control character or a lone surrogate. */
export function unsafeText(value: unknown, place = ''): string | undefined {
  if (typeof value === 'string') return hasControlCharacters(value) ? place : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    if (hasControlCharacters(key)) return `a key of ${place || 'it'}`;
    const found = unsafeText(child, place === '' ? key : `${place}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
