import { atOnce } from '../../../async/time-slicer.js';
import { SYNONYM_GROUPS } from './synonym-groups.js';
import { tokenize } from '../tokenize.js';

/** A term that may replace a word or phrase of a query. */
export interface Synonym {
  readonly term: string;
  /** 0 to 1: its weight relative to the replaced term. */
  readonly share: number;
}

/** Number of words of the longest phrase with synonyms. */
export const MAX_PHRASE = 5;

/** The synonyms of a word or phrase, given as its stems in order with a space between; includes function words. */
export function synonymsOf(phrase: string): readonly Synonym[] {
  return table().synonyms.get(phrase) ?? [];
}

/** Whether a phrase with synonyms begins with this stem. Avoids phrase lookups at every word of a long text. */
export function beginsPhrase(stem: string): boolean {
  return table().firstStems.has(stem);
}

interface Table {
  readonly synonyms: Map<string, Synonym[]>;
  readonly firstStems: Set<string>;
}

let known: Table | undefined;

function table(): Table {
  return (known ??= atOnce(creatingTable()));
}

/**
 * Creates the table of synonyms, about 20 ms of work, in steps. Engines do it when they index the first tools, so that no
 * search waits for it, nor a process that only imports this package.
 */
export function* preparingSynonyms(): Generator<void, void> {
  known ??= yield* creatingTable();
}

function* creatingTable(): Generator<void, Table> {
  const created: Table = { synonyms: new Map(), firstStems: new Set() };
  for (const { weight, groups } of SYNONYM_GROUPS) {
    for (const group of groups.split(';')) {
      const [from = [], to = from] = group.split('>').map((side) => side.split(',').map(partsOf));
      for (const parts of from) addSynonyms(created, parts, to, weight);
      yield;
    }
  }
  return created;
}

interface Part {
  readonly term: string;
  readonly stop: boolean;
}

function partsOf(entry: string): Part[] {
  return tokenize(entry).flatMap((run) => run.parts);
}

/** Each meaningful word of another phrase becomes a synonym. A tool that has several of them is not counted twice. */
function addSynonyms(
  { synonyms, firstStems }: Table,
  phrase: readonly Part[],
  others: readonly (readonly Part[])[],
  weight: number,
): void {
  const stems = phrase.map(({ term }) => term);
  const key = stems.join(' ');
  const shares = new Map((synonyms.get(key) ?? []).map(({ term, share }) => [term, share]));
  for (const other of others) {
    const meaningful = other.length === 1 ? other : other.filter(({ stop }) => !stop);
    for (const { term } of meaningful) {
      if (!stems.includes(term)) shares.set(term, Math.max(shares.get(term) ?? 0, weight));
    }
  }
  synonyms.set(
    key,
    [...shares].map(([term, share]) => ({ term, share })),
  );
  if (stems.length > 1 || phrase[0]?.stop === true) firstStems.add(stems[0] ?? '');
}
