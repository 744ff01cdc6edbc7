import { isObject, type JsonSchema } from '@tool-search/core';
import { type FilledArguments, fillArguments } from './argument-filling.js';
import { idPrefixes, type UserRequest } from './request-reading.js';
import { localWords, subjectOf } from './tool-subject.js';
import { isLooking, isMeaningful, isVerb, sameAction, sameThing, stem, stemsOf, wordsOf } from './words.js';

/** A tool as this model knows it: from a search, a definition it has read, or its list. */
export interface KnownTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: JsonSchema;
  /** Score of the search that found it, 0 to 1. */
  readonly rank?: number;
}

/** A tool with the arguments it would be called with. */
export interface Choice {
  readonly tool: KnownTool;
  readonly filled: FilledArguments;
  /** How well its words meet the request's, 0 to 1; from {@link GOOD} on it is the kind of tool that is needed. */
  readonly fit: number;
  /** `fit`, more for using what the user gave, less for what is missing; from {@link GOOD} on it is worth calling. */
  readonly score: number;
}

/** From here on a tool fits. */
export const GOOD = 0.6;

/** From here on a tool fits beyond doubt, so that searching for another one would be a waste. */
export const CERTAIN = 1.15;

/** Equal for a canonical name and the wire names made of it. */
export function nameKey(name: string): string {
  return wordsOf(name).join('_');
}

/** Search hits worth reading, best first: those that do what is asked, as far as their first words tell. */
export function worthReading(request: UserRequest, hits: readonly KnownTool[]): KnownTool[] {
  const fits = hits
    .filter((hit) => actionFit(request, hit) > 0)
    .map((hit) => ({ hit, fit: overlap(request, hit) }))
    .toSorted((left, right) => right.fit - left.fit);
  const best = fits[0]?.fit ?? 0;
  // Where no words meet, an argument may still take them all ("repeat hello"), if the search itself was sure.
  return fits.filter(({ hit, fit }) => (best > 0 ? fit >= best - 0.2 : (hit.rank ?? 0) >= 0.15)).map(({ hit }) => hit);
}

/**
 * How well a tool's words meet the request's, 0 to 1: it has to do what is asked, with the things it is asked for.
 *
 * @param filled what its arguments take of the request
 */
export function overlap(request: UserRequest, tool: KnownTool, filled: Partial<FilledArguments> = {}): number {
  const action = actionFit(request, tool);
  if (action === 0) return 0;
  const name = stemsOf(tool.name);
  const description = stemsOf(tool.description);
  const first = firstSentence(tool);
  const looks = isLooking(request.action);
  const { head = '', modifiers } = subjectOf(tool.name, request.action);
  const things = thingsOf(request);
  const fits = things.map((thing) => {
    const same = sameThing(thing);
    if (name.some((word) => same.has(word)))
      return modifiers.some((word) => same.has(word)) && !same.has(head) ? 0.35 : 1;
    if (filled.covered?.has(stem(thing)) || first.some((word) => same.has(word))) return 0.85;
    // What is searched for is not yet what can be found.
    if (filled.quoted?.has(stem(thing))) return looks ? 0.3 : 0.85;
    return description.some((word) => same.has(word)) ? 0.3 : 0;
  });
  const object = fits.length === 0 ? 0.8 : fits.reduce<number>((sum, fit) => sum + fit, 0) / fits.length;
  const asked = new Set([
    ...sameAction(request.action),
    ...things.flatMap((thing) => [...sameThing(thing)]),
    ...hints(request),
  ]);
  const extra = name.slice(1).filter((word) => isMeaningful(word) && !asked.has(word)).length;
  const deprecated = /\bdeprecated\b/i.test(tool.description) ? 0.2 : 0;
  // What changes something has to be meant: half a match will do for looking, not for acting.
  const isMeant = looks ? object >= 0.4 : object >= 0.7 && isAbout(request, tool, filled.quoted);
  return isMeant ? 0.45 * action + 0.55 * object - 0.07 * Math.min(extra, 3) - deprecated : 0;
}

/** The best tool whose definition is known, with its arguments, or undefined when none fits. */
export function chooseTool(request: UserRequest, tools: readonly KnownTool[], previous?: string): Choice | undefined {
  let best: Choice | undefined;
  for (const tool of tools) {
    if (!isObject(tool.inputSchema) || actionFit(request, tool) === 0) continue;
    const filled = fillArguments(tool.inputSchema, request, previous, tool.description);
    const fit = overlap(request, tool, filled);
    const values = request.values.length;
    // A tool that has a place for everything the user gave is the one the user means.
    const share = values === 0 ? 1 : filled.used.size / values;
    const known = fit + 0.25 * share + 0.2 * (tool.rank ?? 0) - 0.25 * Math.min(filled.missing.length, 3);
    const takesId = [...filled.used].some(({ kind }) => kind === 'id');
    const akin = takesId && idPrefixes(request).some((id) => localWords(tool.name).some((word) => word.startsWith(id)));
    const score = fit === 0 ? 0 : known + (akin ? 0.2 : 0);
    if (!best || score > best.score) best = { tool, filled, fit, score };
  }
  return best;
}

function thingsOf({ objects, implied }: UserRequest): readonly string[] {
  return objects.length > 0 ? objects : implied;
}

function firstSentence({ description }: KnownTool): string[] {
  return stemsOf(/^.*?(?=[.!?](?:\s|$)|\n|$)/.exec(description.trim())?.[0] ?? '').slice(0, 25);
}

// Whether a tool changes the very thing that is asked for: a directory is no file, and the type of an issue no issue. A
// repository beside other things is only where they are.
function isAbout(request: UserRequest, tool: KnownTool, quoted?: ReadonlySet<string>): boolean {
  const { objects, implied } = request;
  const things = [...objects, ...implied.filter((word) => objects.length === 0 || word !== 'repository')];
  const ids = idPrefixes(request);
  const isAsked = (word: string) =>
    things.some((thing) => sameThing(thing).has(word)) || ids.some((id) => word.startsWith(id));
  const { head, modifiers, isNamespace } = subjectOf(tool.name, request.action);
  if (head === undefined || isAsked(head)) return true;
  // "Repeat hello": whatever is said goes in.
  if (isNamespace && things.every((thing) => quoted?.has(stem(thing)))) return true;
  // "Write text to a note file" is about a file; "create a review for a pull request" is about no pull request.
  const sentence = firstSentence(tool);
  const at = sentence.findIndex(isAsked);
  const own = sentence.indexOf(head);
  return at >= 0 && !modifiers.some(isAsked) && (own < 0 || at <= own + 1);
}

// What a tool does is said first: in its name, perhaps behind a group, and in its description.
function actionFit({ action, verb }: UserRequest, tool: KnownTool): number {
  const same = sameAction(action);
  const name = localWords(tool.name);
  const description = wordsOf(tool.description).slice(0, 14);
  // A word that is no verb we know is one only where a verb has to stand.
  const lead = [...name.slice(0, isVerb(action) ? 2 : 1), ...description.slice(0, 1)];
  if (lead.some((word) => stem(word) === stem(verb))) return 1;
  if (lead.some((word) => same.has(stem(word)))) return 0.9;
  // Who looks for something may find it in a list.
  if (same.has('search') && lead.some((word) => stem(word) === 'list')) return 0.5;
  // "check whether a repository is starred" does not star one.
  if (lead.some((word) => isVerb(word) && !GENERAL.has(stem(word)))) return 0;
  if (!isVerb(action)) return 0;
  if (name.some((word) => same.has(stem(word)))) return 0.8;
  return description.some((word) => same.has(stem(word))) ? 0.6 : 0;
}

const GENERAL = new Set(['get', 'return', 'retrieve', 'run'].map(stem));

// What a file's ending says about it.
function hints({ values }: UserRequest): string[] {
  return values.flatMap(({ kind, text }) => {
    if (kind !== 'path') return [];
    if (/\.(?:txt|md|json|csv|ya?ml|log|[cm]?[jt]s)$/i.test(text)) return ['text'];
    return /\.(?:png|jpe?g|gif|svg|mp3|wav)$/i.test(text) ? ['media', 'image'] : [];
  });
}
