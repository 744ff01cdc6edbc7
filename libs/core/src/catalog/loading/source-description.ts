import { hidesText } from '../ingest/hidden-text.js';
import { misleads } from '../ingest/misleading-text.js';
import { instructionIn } from '../suspicion/instruction-check.js';

const MAX_CHARS = 500;
// Bounds the work on a text of any length; white space is what most of the rest can be.
const MAX_READ = 4 * MAX_CHARS;

/** A source's description that can be searched, or why it has none. */
export interface CheckedDescription {
  readonly text?: string;
  readonly fault?: string;
}

/**
 * What a source says of itself as one line of at most 500 characters, cut between two words. A text that hides something
 * is dropped as a whole, and says so: its tools are checked on their own and stay.
 */
export function checkedSourceDescription(declared: unknown): CheckedDescription {
  if (declared === undefined) return {};
  if (typeof declared !== 'string') return { fault: 'the description of the source is not a text' };
  const read = declared.slice(0, MAX_READ);
  if (hidesText(read)) return { fault: 'the description of the source holds characters that a reader does not see' };
  const misleading = misleads(read) ?? instructionReason(read);
  if (misleading !== undefined) return { fault: `the description of the source ${misleading}` };
  const line = read.replace(/\s+/g, ' ').trim();
  const text = line.length <= MAX_CHARS ? line : cutBetweenWords(line);
  return text === '' ? {} : { text };
}

function instructionReason(text: string): string | undefined {
  const rule = instructionIn(text);
  return rule && `${rule.reason} (${rule.id})`;
}

function cutBetweenWords(line: string): string {
  const cut = line.slice(0, MAX_CHARS + 1);
  const end = cut.lastIndexOf(' ');
  // A script without spaces is cut where it is, but never inside a surrogate pair.
  return (end > MAX_CHARS / 2 ? cut.slice(0, end) : cut.slice(0, MAX_CHARS)).replace(/[\ud800-\udbff]$/, '');
}
