import { isObject } from '@tool-search/core/internal';
import type { WireForm, WireStyle } from '../operation/operation-plan.js';

/** Encodes a text for its place in the request. */
export type Encode = (text: string) => string;

/** A name and its value, both encoded. */
export type Pair = readonly [name: string, value: string];

/** What separates the items of a list that is written as one value. The comma of `form` is never encoded. */
const DELIMITERS: Partial<Record<WireStyle, string>> = { spaceDelimited: ' ', pipeDelimited: '|', tabDelimited: '\t' };

/**
 * Writes a value as names and values: the styles `form`, `spaceDelimited`, `pipeDelimited`, `deepObject` and `cookie`,
 * and JSON. An empty list or object has no pairs, as in RFC 6570. Where the specification defines no form, a nested value
 * is written as JSON.
 */
export function pairsOf(name: string, value: unknown, form: WireForm, encode: Encode): readonly Pair[] {
  const { style, explode } = form;
  if (value === undefined || value === null) return [];
  if (style === 'json') return [[encode(name), encode(JSON.stringify(value))]];
  if (style === 'text' || typeof value !== 'object') return [[encode(name), encode(textOf(value))]];
  if (style === 'deepObject') return deepPairs(name, value, encode);
  if (Array.isArray(value) && explode) return value.map((item) => [encode(name), encode(textOf(item))]);
  if (explode) return membersOf(value).map(([key, item]) => [encode(key), encode(textOf(item))]);
  const items = itemsOf(value).map(encode);
  return items.length === 0 ? [] : [[encode(name), items.join(delimiterOf(style, encode))]];
}

/** Writes a value as one text: the styles `simple`, `label` and `matrix`, and JSON. */
export function singleText(
  name: string,
  value: unknown,
  { style = 'simple', explode = false }: Partial<WireForm>,
  encode: Encode,
): string {
  if (style === 'json') return encode(JSON.stringify(value));
  if (style === 'matrix') return matrixText(name, value, explode, encode);
  const separator = style !== 'label' ? delimiterOf(style, encode) : explode ? '.' : ',';
  const items = isObject(value) && explode ? assignments(value, encode) : itemsOf(value).map(encode);
  return `${style === 'label' ? '.' : ''}${items.join(separator)}`;
}

/** A scalar as text, and everything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function matrixText(name: string, value: unknown, explode: boolean, encode: Encode): string {
  const named = (items: readonly string[]) =>
    items.map((item) => `;${encode(name)}${item === '' ? '' : `=${item}`}`).join('');
  if (!explode || typeof value !== 'object') return named([itemsOf(value).map(encode).join(',')]);
  if (Array.isArray(value)) return named(value.map((item) => encode(textOf(item))));
  return assignments(value as object, encode)
    .map((assignment) => `;${assignment}`)
    .join('');
}

/**
 * `name[key]=…` at any depth, as `qs`, Rack and PHP read it: `name[]=…` for each item of a list of scalars, and
 * `name[0][key]=…` for one of lists or objects.
 */
function deepPairs(name: string, value: unknown, encode: Encode): readonly Pair[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[encode(name), encode(textOf(value))]];
  if (!Array.isArray(value))
    return membersOf(value).flatMap(([key, item]) => deepPairs(`${name}[${key}]`, item, encode));
  const isFlat = value.every((item) => typeof item !== 'object' || item === null);
  return value.flatMap((item, index) => deepPairs(`${name}[${isFlat ? '' : index}]`, item, encode));
}

/** The texts of a scalar, of a list's items, or of an object's names and values in turn. */
function itemsOf(value: unknown): readonly string[] {
  if (isObject(value)) return membersOf(value).flatMap(([key, item]) => [key, textOf(item)]);
  return [value].flat().map(textOf);
}

function assignments(value: object, encode: Encode): readonly string[] {
  return membersOf(value).map(([key, item]) => `${encode(key)}=${encode(textOf(item))}`);
}

function membersOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, item]) => item !== undefined && item !== null);
}

function delimiterOf(style: WireStyle, encode: Encode): string {
  const delimiter = DELIMITERS[style];
  return delimiter === undefined ? ',' : encode(delimiter);
}
