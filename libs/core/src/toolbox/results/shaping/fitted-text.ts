import { truncated } from '../../../json/safe-text.js';

/** Of the room, the share of the beginning; the rest is for the end. */
const HEAD = 0.7;

/**
 * The beginning and the end of a plain text in `room` characters, cut at line ends where there are any, with a line in
 * between that says how much is missing.
 */
export function fittedText(text: string, room: number): string {
  if (text.length <= room) return text;
  const between = (missing: number) => `\n… ${missing} of ${text.length} characters left out …\n`;
  const free = Math.max(0, room - between(text.length).length);
  const head = wholeLines(truncated(text, Math.floor(free * HEAD)));
  const tail = wholeLinesAtEnd(text.slice(text.length - Math.floor(free * (1 - HEAD))));
  return `${head}${between(text.length - head.length - tail.length)}${tail}`;
}

/** Without a last line that is not complete, unless that would remove more than half. */
function wholeLines(head: string): string {
  const end = head.lastIndexOf('\n');
  return end > head.length / 2 ? head.slice(0, end) : head;
}

function wholeLinesAtEnd(tail: string): string {
  const start = tail.indexOf('\n');
  if (start >= 0 && start < tail.length / 2) return tail.slice(start + 1);
  // Half of a character is invalid text, and some providers refuse the whole request for it.
  return tail.replace(/^[\udc00-\udfff]/, '');
}
