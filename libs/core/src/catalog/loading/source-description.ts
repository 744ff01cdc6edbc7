import { truncated } from '../../json/safe-text.js';
import { textFault } from '../ingest/certain-fault.js';

const MAX_CHARS = 500;
// Bounds the work on a long text; four times the result leaves room for white space that is removed.
const MAX_READ = 4 * MAX_CHARS;

/**
 * Makes a source's description one line of at most 500 characters, cut between words. A text that hides or misleads is
 * dropped as a whole, with a fault. This does not affect the tools, which are checked on their own.
 */
export function checkedSourceDescription(declared: unknown): { readonly text?: string; readonly fault?: string } {
  if (declared === undefined) return {};
  if (typeof declared !== 'string') return { fault: 'the description of the source is not a text' };
  const read = declared.slice(0, MAX_READ);
  const fault = textFault(read);
  if (fault !== undefined) return { fault: `the description of the source ${fault}` };
  const line = read.replace(/\s+/g, ' ').trim();
  const text = line.length <= MAX_CHARS ? line : cutBetweenWords(line);
  return text === '' ? {} : { text };
}

function cutBetweenWords(line: string): string {
  const cut = line.slice(0, MAX_CHARS + 1);
  const end = cut.lastIndexOf(' ');
  // A text without spaces is cut anywhere, but never inside a surrogate pair.
  return truncated(cut, end > MAX_CHARS / 2 ? end : MAX_CHARS);
}
