import { z } from 'zod';
import { described } from '../../options/options.js';
import type { MetaKind } from './meta-tool-spec.js';

/** Names of the meta tools, by kind. */
export type MetaNames = Readonly<Record<MetaKind, string>>;

/** The default names. The library's own messages use these. */
export const OWN_META_NAMES: MetaNames = {
  search: 'tool_search',
  get: 'tool_get',
  load: 'tool_load',
  call: 'tool_call',
  result: 'tool_result',
};

/** A name that every provider accepts: a letter, then up to 63 letters, digits, `_` and `-`. */
const LEGAL = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Whether a meta tool may have this name. */
export function isMetaName(name: unknown): name is string {
  return typeof name === 'string' && LEGAL.test(name);
}

export function metaName() {
  return described(z.string().regex(LEGAL), 'a letter, then up to 63 of letters, digits, "_" and "-"');
}

// Not as part of another name: `crm.tool_search` is a tool of the catalog.
const NAMED = /(?<![\w.-])tool_(search|get|load|call|result)(?![\w-]|\.\w)/g;

/**
 * Adapts one of the library's messages to a model: replaces the default meta tool names by the model's, and removes
 * sentences about meta tools that it does not have.
 *
 * @returns `''` when nothing is left
 */
export function spokenText(text: string, names: Partial<MetaNames>): string {
  return text
    .split(/(?<=\.) /)
    .filter((sentence) => [...sentence.matchAll(NAMED)].every(([, kind]) => names[kind as MetaKind] !== undefined))
    .map((sentence) => sentence.replaceAll(NAMED, (name, kind: MetaKind) => names[kind] ?? name))
    .join(' ');
}
