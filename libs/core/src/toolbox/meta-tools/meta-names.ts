import type { MetaKind } from './meta-tool-spec.js';

/** What meta tools are called, by what they are for. */
export type MetaNames = Readonly<Record<MetaKind, string>>;

/** What they are called where nothing else is said; texts of ours name them so. */
export const OWN_META_NAMES: MetaNames = {
  search: 'tool_search',
  get: 'tool_get',
  load: 'tool_load',
  call: 'tool_call',
};

/** A name that every provider takes: a letter, then up to 63 of letters, digits, `_` and `-`. */
const LEGAL = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Whether a meta tool may be called so. */
export function isMetaName(name: unknown): name is string {
  return typeof name === 'string' && LEGAL.test(name);
}

// Not as a part of another name: `crm.tool_search` is a tool of the catalog.
const NAMED = /(?<![\w.-])tool_(search|get|load|call)(?![\w-]|\.\w)/g;

/**
 * A text of ours as a model reads it that has these meta tools: they are called as the model knows them, and a sentence
 * about one that it does not have is left out.
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
