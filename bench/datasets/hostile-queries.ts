import type { ToolDefinition } from '@tool-search/core';

/** A query that should make a search slow. */
export interface HostileQuery {
  readonly name: string;
  readonly text: string;
}

const MAX_CHARS = 4_000;

/** Hostile word searches; some use words of the given tools, which is slower. */
export function hostileWords(tools: readonly ToolDefinition[]): readonly HostileQuery[] {
  const words = wordsByFrequency(tools);
  const rare = words.filter((word) => word.length >= 7).slice(-64);
  const queries: readonly HostileQuery[] = [
    { name: 'one word of 4,000 letters', text: 'a'.repeat(MAX_CHARS) },
    { name: '64 unknown words', text: unknownWords(64).join(' ') },
    {
      name: '64 words with one wrong letter',
      text: rare.map((word) => `${word.slice(0, 3)}q${word.slice(4)}`).join(' '),
    },
    { name: 'the most common word 800 times', text: `${words[0] ?? 'the'} `.repeat(800) },
    { name: 'the 64 most common words', text: words.slice(0, 64).join(' ') },
    { name: 'the 500 most common words', text: words.slice(0, 500).join(' ') },
    { name: '64 rare words', text: rare.join(' ') },
    { name: '500 distinct rare words', text: words.slice(-500).join(' ') },
    { name: 'CJK without a blank', text: '创建一个新的工单并发送电子邮件给所有的客户'.repeat(150) },
    { name: 'emoji', text: '🚀🔥👩‍👩‍👧‍👦🏳️‍🌈'.repeat(200) },
    { name: 'combining marks', text: `e${'\u0301'.repeat(1_000)} issue` },
    { name: 'camel case without end', text: 'aB'.repeat(MAX_CHARS / 2) },
    { name: 'underscores and digits', text: 'a_1.b-2/'.repeat(MAX_CHARS / 8) },
    { name: 'operators of query languages', text: '"AND OR NOT NEAR( name:x ^a * ~2 ) {a b}:c '.repeat(80) },
    { name: 'quotations without end', text: `a ${'“'.repeat(MAX_CHARS)}` },
    { name: 'invisible characters', text: `create${'\u200b'.repeat(3_000)} issue` },
  ];
  return queries.map(({ name, text }) => ({ name, text: text.slice(0, MAX_CHARS) }));
}

/** Patterns that run almost forever in a backtracking engine, or long in a linear one. */
export const HOSTILE_PATTERNS: readonly HostileQuery[] = [
  '(a+)+$',
  '^(a+)+$',
  '(a|aa)+$',
  '(a|a?)+$',
  '(.*)*x',
  '(.*a){12}$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(\\w+\\s?)+$',
  '([a-zA-Z]+)*[0-9]$',
  '(x+x+)+y',
  '.*.*.*.*.*=',
  '[\\s\\S]*z{50}',
  '(?:a?){100}a{100}$',
  '(?:a?){500}a{500}$',
  'a{1000}',
  '((a{10}){10}){10}',
  '(?i)(((((((((e)*)*)*)*)*)*)*)*)*',
  '(e|t|a|o|i|n|s|h|r)*$',
  '.*',
  '.',
  '(?=a)b',
  '(a)\\1',
  '[',
].map((text) => ({ name: text, text }));

/** Words of names and descriptions, most frequent first. */
function wordsByFrequency(tools: readonly ToolDefinition[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { name, description } of tools) {
    for (const word of new Set(`${name} ${description}`.toLowerCase().match(/[a-z]{3,}/g) ?? [])) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([word]) => word);
}

/** Pronounceable words of ten letters, so that an engine with spelling correction searches neighbours of each. */
function unknownWords(count: number): readonly string[] {
  const syllables = ['ra', 'te', 'in', 'co', 'mo', 'lis', 'per', 'tra', 'con', 'ser'];
  const syllable = (position: number): string => syllables[position % syllables.length] ?? '';
  return Array.from({ length: count }, (_, number) =>
    [syllable(number), syllable(Math.floor(number / 10)), syllable(number * 3), syllable(number * 7)].join('q'),
  );
}
