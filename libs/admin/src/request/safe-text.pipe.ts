import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { invalidRequest } from './invalid-request.js';
import { unsafeText } from './unsafe-text.js';

/** Refuses texts, and what holds texts, with control characters or half a character. */
@Injectable()
export class SafeTextPipe<T> implements PipeTransform<T, T> {
  /** @throws ToolSearchError `INVALID_REQUEST` that names the field */
  transform(value: T, { data }: Pick<ArgumentMetadata, 'data'>): T {
    const unsafe = unsafeText(value, data);
    if (unsafe === undefined) return value;
    throw invalidRequest(`${unsafe} has a control character, or half a character, in it.`);
  }
}
