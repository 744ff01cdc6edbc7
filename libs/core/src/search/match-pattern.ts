import { RE2JS } from 're2js';
import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import type { ToolSet } from '../tool/snapshot/tool-set.js';
import { BestHits, byName, type ScoredTool } from './best-hits.js';
import { checkedQuery } from './query-bounds.js';
import type { TimeSlicer } from '../async/time-slicer.js';
import { localName } from './text/tool-text.js';
import { PATTERN_FIELDS, type PatternField } from './tool-index.js';

// The running time of a linear engine grows with the program size.
const MAX_PROGRAM_SIZE = 500;
const MAX_SEARCH_MS = 1_000;
/** Limit for text length times program size: a single match cannot be interrupted and takes 80 ms at most. */
const MAX_STEPS = 1_250_000;

const SCORES = { wholeName: 0.95, nameStart: 0.9, name: 0.85, tag: 0.8, description: 0.75 } as const;

/**
 * Finds the tools whose name, tags or description matches a pattern, ignoring case. RE2 syntax, linear time.
 *
 * @param fields fields that may match; other fields do not affect the score
 * @throws ToolSearchError `INVALID_PATTERN`, `PATTERN_UNSUPPORTED` or `PATTERN_TOO_COSTLY`
 */
export async function matchPattern(
  pattern: string,
  snapshot: CatalogSnapshot,
  scope: ToolSet,
  limit: number,
  slices: TimeSlicer,
  fields: readonly PatternField[] = PATTERN_FIELDS,
): Promise<readonly ScoredTool[]> {
  const checked = checkedQuery(pattern, 'regex');
  // Concurrent searches start in different time slices.
  await slices.pause();
  const anywhere = compile(checked);
  const atStart = anchored(checked);
  const [inName, inTags, inDescription] = PATTERN_FIELDS.map((field) => fields.includes(field));
  const best = new BestHits(limit, byName(snapshot));
  for (const id of scope.ids()) {
    const tool = snapshot.at(id);
    const names = inName ? [tool.name, localName(tool)] : [];
    if (names.some((name) => anywhere.test(name))) {
      if (names.some((name) => anywhere.testExact(name))) best.offer(id, SCORES.wholeName);
      else best.offer(id, names.some((name) => atStart?.test(name)) ? SCORES.nameStart : SCORES.name);
    } else if (inTags && tool.tags.some((tag) => anywhere.test(tag))) {
      best.offer(id, SCORES.tag);
    } else if (inDescription) {
      if (tool.description.length * anywhere.programSize() > MAX_STEPS) throw tooCostly();
      if (anywhere.test(tool.description)) best.offer(id, SCORES.description);
    }
    if (!slices.due) continue;
    if (slices.spent > MAX_SEARCH_MS) throw tooCostly();
    await slices.pause();
  }
  return best.sorted();
}

function compile(pattern: string): RE2JS {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    throw refusal(pattern, error);
  }
  if (compiled.programSize() > MAX_PROGRAM_SIZE) throw tooCostly();
  return compiled;
}

// An open `\Q` swallows the closing bracket. Such a pattern only loses the bonus for a match at the start of a name.
function anchored(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(`^(?:${pattern})`, RE2JS.CASE_INSENSITIVE);
  } catch {
    return undefined;
  }
}

function refusal(pattern: string, error: unknown): ToolSearchError {
  const { error: fault = '', input: fragment = '' } = error as { error?: string; input?: string | null };
  const isBackReference = /^\\[1-9k]/.test(fragment ?? '');
  const isLookBehind = /^\(\?<[=!]/.test(fragment ?? '');
  if (fault.includes('unsupported Perl syntax') || isBackReference || isLookBehind) {
    return new ToolSearchError(
      'PATTERN_UNSUPPORTED',
      'The pattern uses look-around, a back-reference or another feature that cannot be matched in linear time.',
      { hint: 'Use plain RE2 syntax, or search by words.', cause: error },
    );
  }
  if (/too large|nests too deeply/.test(fault) || (fault.includes('repeat count') && !isDescending(fragment ?? ''))) {
    return tooCostly(error);
  }
  const position = fragment ? pattern.indexOf(fragment) : -1;
  const where = position >= 0 ? ` at position ${position}` : '';
  return new ToolSearchError('INVALID_PATTERN', `The pattern is not a valid regular expression${where}: ${fault}.`, {
    hint: 'Escape special characters with a backslash, or search by words.',
    cause: error,
  });
}

/** `{5,2}` is a mistake in the pattern; `{2000}` is too costly. */
function isDescending(repeat: string): boolean {
  const [, least, most] = /^\{(\d+),(\d+)\}/.exec(repeat) ?? [];
  return least !== undefined && most !== undefined && Number(least) > Number(most);
}

function tooCostly(cause?: unknown): ToolSearchError {
  return new ToolSearchError('PATTERN_TOO_COSTLY', 'The pattern takes too long to match against the catalog.', {
    hint: 'Use fewer or smaller repetitions, or search by words.',
    cause,
  });
}
