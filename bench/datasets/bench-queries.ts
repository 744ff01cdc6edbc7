import type { ToolDefinition } from '@tool-search/core';
import { randomOf } from '../measuring/random.js';

const OPENINGS = ['I need to', 'Please', 'How do I', 'Find a tool to', 'Can you', ''];
const SHORT = 12;
const LONG = { least: 30, most: 55 };

/**
 * Builds queries from the words of the given tools: one set with up to 12 words, one with 30 to 55 words.
 * Deterministic.
 */
export function benchQueries(tools: readonly ToolDefinition[], count: number): { short: string[]; long: string[] } {
  const random = randomOf(7);
  const sentence = (): string[] => {
    const { name, namespace, description } = tools[Math.floor(random() * tools.length)] ?? {
      name: '',
      namespace: '',
      description: '',
    };
    const first = /^[^.\n]*/.exec(description)?.[0] ?? '';
    return (first === '' ? name.slice(namespace.length + 1).replace(/[^A-Za-z]+/g, ' ') : first)
      .split(/\s+/)
      .filter(Boolean);
  };
  const opening = (): string[] => (OPENINGS[Math.floor(random() * OPENINGS.length)] ?? '').split(' ').filter(Boolean);
  const short = Array.from({ length: count }, () => [...opening(), ...sentence()].slice(0, SHORT).join(' '));
  const long = Array.from({ length: count }, () => {
    const words = opening();
    while (words.length < LONG.least) words.push(...sentence(), 'and', 'then');
    return words.slice(0, LONG.most).join(' ');
  });
  return { short, long };
}
