import { randomUUID } from 'node:crypto';
import { isObject } from '@tool-search/core/internal';
import type { PlannedBody, PlannedField, WireForm } from '../operation/operation-plan.js';
import { type Encode, type Pair, pairsOf, textOf } from './wire-form.js';

/** The text of a body, and its `Content-Type`. */
export interface SentBody {
  readonly text: string;
  readonly mediaType: string;
}

/** A field that the document does not describe: a list is repeated, and an object is written as JSON. */
const REPEATED: WireForm = { style: 'form', explode: true };
const WHOLE: WireForm = { style: 'text', explode: false };
const JSON_TYPE = /^application\/([\w.-]+\+)?json\b/i;

/** Writes a value as the plan of a body says. `encode` is that of a form's names and values. */
export function writtenBody(body: PlannedBody, value: unknown, encode: Encode): SentBody {
  const { mediaType, encoding } = body;
  if (encoding === 'json') return { text: JSON.stringify(value), mediaType };
  if (encoding === 'text' || !isObject(value)) return { text: textOf(value), mediaType };
  if (encoding === 'multipart') return multipart(value, body);
  return { text: formText(value, body, encode), mediaType };
}

function formText(value: Readonly<Record<string, unknown>>, body: PlannedBody, encode: Encode): string {
  return Object.entries(value)
    .flatMap(([name, item]) => fieldPairs(name, item, fieldOf(body, name), encode))
    .map((pair) => pair.join('='))
    .join('&');
}

function multipart(value: Readonly<Record<string, unknown>>, body: PlannedBody): SentBody {
  const boundary = `tool-search-${randomUUID()}`;
  const parts = Object.entries(value).flatMap(([name, item]) => {
    const field = fieldOf(body, name);
    const type = field.mediaType ?? (hasObject(item) && field.style === undefined ? 'application/json' : undefined);
    const typeLine = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    return fieldPairs(name, item, field, (text) => text).map(
      ([part, text]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${partName(part)}"\r\n${typeLine}\r\n${text}\r\n`,
    );
  });
  return { text: `${parts.join('')}--${boundary}--\r\n`, mediaType: `multipart/form-data; boundary=${boundary}` };
}

function fieldPairs(name: string, value: unknown, field: PlannedField, encode: Encode): readonly Pair[] {
  const { style, explode = false, mediaType } = field;
  if (style !== undefined) return pairsOf(name, value, { ...field, style, explode }, encode);
  const isWhole = !Array.isArray(value) || (mediaType !== undefined && JSON_TYPE.test(mediaType));
  return pairsOf(name, value, isWhole ? WHOLE : REPEATED, encode);
}

function fieldOf({ fields = {} }: PlannedBody, name: string): PlannedField {
  return (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? {};
}

function hasObject(value: unknown): boolean {
  return [value].flat().some((item) => typeof item === 'object' && item !== null);
}

/** As browsers write the name of a part. */
function partName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
