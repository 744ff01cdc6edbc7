import { LruMap } from '../../collections/lru-map.js';
import type { ToolFinding } from '../../tool/tool-definition.js';
import { type Concept, Lexicon, type Mention, normalized } from './lexicon.js';
import { decodedTexts, MARKS } from './marks.js';
import { INSPECTION_RULES } from './rules.js';
import type { ToolInspector } from './tool-inspector.js';

/** Characters of a sentence before and after a mention of a rule's first concept. */
const REACH = 140;
/** Mentions that one sentence can have within reach, in either direction. */
const MAX_NEAR = 3 * REACH;
const SENTENCE_END = /[.!?](?=\s)|[。！？]/g;

const lexicon = new Lexicon(INSPECTION_RULES.flatMap(({ concepts }) => concepts.flat()));
const phrasings = INSPECTION_RULES.flatMap((rule) =>
  rule.concepts.map(([first, ...others]) => ({ rule, first, others })),
);

/**
 * The default inspector: phrases in English, German, French, Spanish and Chinese. It finds plain attacks, and misses
 * those that are worded politely. Takes time linear to the length of the text. A finding names the field and the rule, and never quotes the text.
 */
export const phraseInspector: ToolInspector = {
  inspect({ texts }): ToolFinding | undefined {
    for (const { field, text } of texts) {
      const found = inspected(text);
      if (found) return { code: found.code, reason: `${field} ${found.reason}` };
    }
    return undefined;
  },
};

/** By text: tools of one server often share parameters, and many tenants use the same server. */
const known = new LruMap<{ readonly found: ToolFinding | undefined }>(1_000_000, (_, text) => 50 + text.length);

function inspected(text: string): ToolFinding | undefined {
  let answer = known.get(text);
  if (!answer) {
    const found = [text, ...decodedTexts(text)].map(findingIn).find((each) => each !== undefined);
    known.set(text, (answer = { found }));
  }
  return answer.found;
}

function findingIn(text: string): ToolFinding | undefined {
  const mark = MARKS.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)));
  if (mark) return mark;
  const plain = normalized(text);
  const mentions = lexicon.mentions(plain);
  for (const [index, { concept }] of mentions.entries()) {
    const begun = phrasings.filter(({ first }) => first === concept);
    if (begun.length === 0) continue;
    const near = nearby(plain, mentions, index);
    const found = begun.find(({ others }) => others.every(near));
    if (found) return found.rule;
  }
  return undefined;
}

/** Whether a concept is mentioned in the same sentence as the mention at `index`, and close to it. */
function nearby(text: string, mentions: readonly Mention[], index: number): (concept: Concept) => boolean {
  const { start, end } = mentions[index] as Mention;
  const [from, to] = sentenceAround(text, start, end);
  const near = new Set<Concept>();
  // Mentions are in the order of the text.
  for (const each of mentions.slice(Math.max(0, index - MAX_NEAR), index + MAX_NEAR)) {
    if (each.start >= from && each.end <= to) near.add(each.concept);
  }
  return (concept) => (concept instanceof RegExp ? concept.test(text.slice(from, to)) : near.has(concept));
}

function sentenceAround(text: string, start: number, end: number): readonly [from: number, to: number] {
  const from = Math.max(0, start - REACH);
  const before = Array.from(text.slice(from, start).matchAll(SENTENCE_END)).at(-1);
  const after = text.slice(end, end + REACH).search(SENTENCE_END);
  return [before ? from + before.index + 1 : from, after >= 0 ? end + after : end + REACH];
}
