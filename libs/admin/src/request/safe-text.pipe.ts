import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { invalidRequest } from './invalid-request.js';
import { unsafeText } from './unsafe-text.js';

/** Rejects texts, also inside objects and arrays, that contain control characters or lone surrogates. */
@Injectable()
export class SafeTextPipe<T> implements PipeTransform<T, T> {
  /** @throws ToolSearchError `INVALID_REQUEST`, which names the field */
  transform(value: T, { data }: Pick<ArgumentMetadata, 'data'>): T {
    const unsafe = unsafeText(value, data);
    if (unsafe === undefined) return value;
    throw invalidRequest(`${unsafe} has a control character, or half a character, in it.`);
  }
}
