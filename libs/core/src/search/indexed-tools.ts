import type { CatalogSnapshot } from '../tool/catalog-snapshot.js';
import { analyzeTool, impactOf } from './analyze-tool.js';
import { GrowingArray } from './growing-array.js';
import { Lexicon } from './lexicon.js';
import type { Slices } from './slices.js';

/** Everything the ranking knows about the tools of one snapshot, as flat arrays. Nothing in it depends on a view. */
export interface IndexedTools {
  readonly snapshot: CatalogSnapshot;
  readonly lexicon: Lexicon;
  /** The postings of term `t` are at `starts[t]` up to, not including, `starts[t + 1]`, in no particular order. */
  readonly starts: Uint32Array;
  /** Per posting: the tool's dense id. */
  readonly tools: Uint32Array;
  /** Per posting: how strongly the tool speaks of the term. */
  readonly impacts: Uint16Array;
  /** The sequence of tool `id` is at `sequenceStarts[id]` up to, not including, `sequenceStarts[id + 1]`. */
  readonly sequenceStarts: Uint32Array;
  readonly sequences: Uint32Array;
  readonly nameLengths: Uint8Array;
  readonly namespaceLengths: Uint8Array;
}

const GONE = -1;
// Loops over numbers look at the clock once in so many rows, or in so many terms, each of which may have many rows.
const STEP = 4_096;
const TERM_STEP = 16;

// A lexicon keeps the words of tools that left. Once most of its words are such, a new one is cheaper.
const MAX_LEXICON_GROWTH = 2;
const MIN_LEXICON = 50_000;

/** Indexes a snapshot, taking over from the previous one every tool whose definition has not changed. */
export async function indexTools(
  snapshot: CatalogSnapshot,
  previous: IndexedTools | undefined,
  slices: Slices,
): Promise<IndexedTools> {
  const kept = previous && isLexiconInUse(previous) ? previous : undefined;
  const lexicon = kept?.lexicon ?? new Lexicon();
  const { newIds, oldIds } = await matchTools(snapshot, kept, slices);
  const fresh = await analyzeFresh(snapshot, oldIds, lexicon, slices);
  const postings = await mergePostings(kept, newIds, fresh, lexicon.size, slices);
  const sequences = await mergeSequences(snapshot.tools.length, kept, oldIds, fresh, slices);
  return { snapshot, lexicon, ...postings, ...sequences };
}

function isLexiconInUse({ lexicon, starts }: IndexedTools): boolean {
  if (lexicon.size < MIN_LEXICON) return true;
  let used = 0;
  for (let term = 0; term + 1 < starts.length; term++) if (starts[term] !== starts[term + 1]) used += 1;
  return used * MAX_LEXICON_GROWTH >= lexicon.size;
}

/** Which tool of the previous snapshot each tool was (`oldIds`), and the other way round (`newIds`). */
async function matchTools(
  snapshot: CatalogSnapshot,
  previous: IndexedTools | undefined,
  slices: Slices,
): Promise<{ newIds: Int32Array; oldIds: Int32Array }> {
  const oldTools = previous?.snapshot.tools ?? [];
  const oldIds = new Int32Array(snapshot.tools.length).fill(GONE);
  const newIds = new Int32Array(oldTools.length).fill(GONE);
  if (oldTools.length === 0) return { newIds, oldIds };
  // Two tenants' sources may bring equal tools, so one hash may stand for several.
  const byHash = new Map<string, number[]>();
  for (const [id, tool] of oldTools.entries()) {
    const same = byHash.get(tool.hash);
    if (same) same.push(id);
    else byHash.set(tool.hash, [id]);
    if (id % 256 === 0 && slices.due) await slices.pause();
  }
  for (const [id, tool] of snapshot.tools.entries()) {
    const old = byHash.get(tool.hash)?.pop();
    if (old !== undefined) {
      oldIds[id] = old;
      newIds[old] = id;
    }
    if (id % 256 === 0 && slices.due) await slices.pause();
  }
  return { newIds, oldIds };
}

/** The analysis of tools that are new: postings as three columns, sequences one after another. */
interface FreshTools {
  readonly terms: Uint32Array;
  readonly tools: Uint32Array;
  readonly impacts: Uint32Array;
  /** Of fresh tools in rising id: where its sequence starts; one more entry for the end. */
  readonly sequenceStarts: Uint32Array;
  readonly sequences: Uint32Array;
  readonly nameLengths: Uint32Array;
  readonly namespaceLengths: Uint32Array;
}

async function analyzeFresh(
  snapshot: CatalogSnapshot,
  oldIds: Int32Array,
  lexicon: Lexicon,
  slices: Slices,
): Promise<FreshTools> {
  const [terms, tools, impacts] = [new GrowingArray(), new GrowingArray(), new GrowingArray()];
  const [sequenceStarts, sequences] = [new GrowingArray(), new GrowingArray()];
  const [nameLengths, namespaceLengths] = [new GrowingArray(), new GrowingArray()];
  for (const [id, tool] of snapshot.tools.entries()) {
    if (oldIds[id] !== GONE) continue;
    const analysis = analyzeTool(tool, lexicon);
    for (const [term, frequency] of analysis.frequencies) {
      terms.push(term);
      tools.push(id);
      impacts.push(impactOf(frequency));
    }
    sequenceStarts.push(sequences.length);
    for (const term of analysis.sequence) sequences.push(term);
    nameLengths.push(analysis.nameLength);
    namespaceLengths.push(analysis.namespaceLength);
    if (slices.due) await slices.pause();
  }
  sequenceStarts.push(sequences.length);
  const arrayOf = async (items: GrowingArray): Promise<Uint32Array> => {
    if (slices.due) await slices.pause();
    return items.toArray();
  };
  return {
    terms: await arrayOf(terms),
    tools: await arrayOf(tools),
    impacts: await arrayOf(impacts),
    sequenceStarts: await arrayOf(sequenceStarts),
    sequences: await arrayOf(sequences),
    nameLengths: await arrayOf(nameLengths),
    namespaceLengths: await arrayOf(namespaceLengths),
  };
}

/** Counting sort of old and fresh postings by term. */
async function mergePostings(
  previous: IndexedTools | undefined,
  newIds: Int32Array,
  fresh: FreshTools,
  terms: number,
  slices: Slices,
): Promise<Pick<IndexedTools, 'starts' | 'tools' | 'impacts'>> {
  const old = previous ?? { starts: new Uint32Array(1), tools: new Uint32Array(0), impacts: new Uint16Array(0) };
  const oldTerms = old.starts.length - 1;
  const counts = new Uint32Array(terms);
  for (let term = 0; term < oldTerms; term++) {
    let kept = 0;
    const end = old.starts[term + 1] ?? 0;
    for (let i = old.starts[term] ?? end; i < end; i++) if (newIds[old.tools[i] ?? 0] !== GONE) kept += 1;
    counts[term] = kept;
    if (term % TERM_STEP === 0 && slices.due) await slices.pause();
  }
  for (let row = 0; row < fresh.terms.length; row++) {
    const term = fresh.terms[row] ?? 0;
    counts[term] = (counts[term] ?? 0) + 1;
    if (row % STEP === 0 && slices.due) await slices.pause();
  }

  const starts = new Uint32Array(terms + 1);
  for (let term = 0; term < terms; term++) starts[term + 1] = (starts[term] ?? 0) + (counts[term] ?? 0);
  const size = starts[terms] ?? 0;
  const [tools, impacts] = [new Uint32Array(size), new Uint16Array(size)];
  const free = starts.slice();
  for (let term = 0; term < oldTerms; term++) {
    let position = free[term] ?? 0;
    const end = old.starts[term + 1] ?? 0;
    for (let i = old.starts[term] ?? end; i < end; i++) {
      const id = newIds[old.tools[i] ?? 0] ?? GONE;
      if (id === GONE) continue;
      tools[position] = id;
      impacts[position++] = old.impacts[i] ?? 0;
    }
    free[term] = position;
    if (term % TERM_STEP === 0 && slices.due) await slices.pause();
  }
  for (let row = 0; row < fresh.terms.length; row++) {
    const term = fresh.terms[row] ?? 0;
    const position = free[term] ?? 0;
    free[term] = position + 1;
    tools[position] = fresh.tools[row] ?? 0;
    impacts[position] = fresh.impacts[row] ?? 0;
    if (row % STEP === 0 && slices.due) await slices.pause();
  }
  return { starts, tools, impacts };
}

async function mergeSequences(
  count: number,
  previous: IndexedTools | undefined,
  oldIds: Int32Array,
  fresh: FreshTools,
  slices: Slices,
): Promise<Pick<IndexedTools, 'sequenceStarts' | 'sequences' | 'nameLengths' | 'namespaceLengths'>> {
  const sequenceStarts = new Uint32Array(count + 1);
  const [nameLengths, namespaceLengths] = [new Uint8Array(count), new Uint8Array(count)];
  // Where each tool's sequence comes from: its old id, or the next row of the fresh ones.
  const eachTool = async (
    visit: (id: number, from: FreshTools | IndexedTools, source: number) => void,
  ): Promise<void> => {
    for (let id = 0, row = 0; id < count; id++) {
      const old = oldIds[id] ?? GONE;
      if (old === GONE || !previous) visit(id, fresh, row++);
      else visit(id, previous, old);
      if (id % STEP === 0 && slices.due) await slices.pause();
    }
  };
  await eachTool((id, from, source) => {
    nameLengths[id] = from.nameLengths[source] ?? 0;
    namespaceLengths[id] = from.namespaceLengths[source] ?? 0;
    const length = (from.sequenceStarts[source + 1] ?? 0) - (from.sequenceStarts[source] ?? 0);
    sequenceStarts[id + 1] = (sequenceStarts[id] ?? 0) + length;
  });
  const sequences = new Uint32Array(sequenceStarts[count] ?? 0);
  await eachTool((id, from, source) => {
    const sequence = from.sequences.subarray(from.sequenceStarts[source], from.sequenceStarts[source + 1]);
    sequences.set(sequence, sequenceStarts[id]);
  });
  return { sequenceStarts, sequences, nameLengths, namespaceLengths };
}
