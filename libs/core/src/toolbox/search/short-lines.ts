import { truncated } from '../../json/safe-text.js';
import type { TokenCounter } from '../../tool/token-count.js';

const MAX_LINE = 160;

/** Shortens a description to one line of at most 160 characters. */
export function oneLine(description: string): string {
  return cutLine(description.replace(/\s+/g, ' ').trim(), MAX_LINE);
}

/** Cuts a line to `maxChars` characters: at its last space if that is in the second half, else in the middle. */
export function cutLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  if (maxChars < 2) return '';
  const space = line.lastIndexOf(' ', maxChars - 2);
  return `${truncated(line, Math.max(space, Math.floor(maxChars / 2)))}…`;
}

/**
 * Cuts lines so that together they stay within a budget of tokens. Tokens that short lines do not need are shared
 * equally by the longer ones; a line that was cut ends in "…". Assumes that the token counts of several texts add up.
 */
export function fitTokenBudget(lines: readonly string[], budget: number, count: TokenCounter): readonly string[] {
  const needs = lines.map(count);
  const share = fairShare(needs, budget);
  return lines.map((line, index) => ((needs[index] ?? 0) <= share ? line : withinTokens(line, share, count)));
}

/** The largest number of tokens at which all parts, each cut to it, stay within the budget. */
export function fairShare(needs: readonly number[], budget: number): number {
  let left = budget;
  for (const [served, need] of needs.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(left / (needs.length - served));
    if (need > share) return share;
    left -= need;
  }
  return Infinity;
}

function withinTokens(line: string, tokens: number, count: TokenCounter): string {
  let best = '';
  let [low, high] = [2, line.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const cut = cutLine(line, middle);
    if (count(cut) <= tokens) {
      best = cut;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return best;
}
