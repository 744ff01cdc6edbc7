import { createHmac } from 'node:crypto';

const OPEN = '[tool-search/1 ';
/** Canonical names, each followed by a space, then the tag. No character that JSON would escape. */
const RECEIPT = /\[tool-search\/1 ((?:[A-Za-z0-9_.-]{1,128} ){1,100})#([A-Za-z0-9_-]{16})\]/y;
const MAX_NAMES = 100;
const TAG_CHARS = 16;
/** A receipt is at the end of its text. An application may append text of up to about this length. */
const WINDOW = 32_768;
/** Receipts of one text that are read: the last ones. */
export const MAX_RECEIPTS = 4;

export interface ReceiptSeal {
  /** Parts of the owner's key (run, session or conversation). Receipts of other owners are ignored. */
  readonly of: readonly string[];
  /** `''` = any client that knows the ids can forge a receipt. */
  readonly secret: string;
}

/**
 * Text at the end of a tool result by which the conversation remembers the activated tools, for example
 * `[tool-search/1 billing.refund crm.find_contact #q3hV0cYw1m2Bx9sL]`.
 * The tag, 16 characters of an HMAC-SHA-256, ties the names to the run or session. A receipt is no authorization: its
 * reader asks the gate again. More than 100 tools make several receipts in one text.
 *
 * @param tools canonical names; `''` is returned for an empty list
 */
export function receiptFor(tools: readonly string[], seal: ReceiptSeal): string {
  const receipts: string[] = [];
  for (let start = 0; start < tools.length; start += MAX_NAMES) {
    const names = tools.slice(start, start + MAX_NAMES).join(' ');
    receipts.push(`${OPEN}${names} #${tagOf(names, seal)}]`);
  }
  return receipts.join(' ');
}

/**
 * The tools that the receipts of a text name, in order: at most the last four receipts of at most 100 names each,
 * within the last 32,768 characters. Unreadable receipts, and those of another run or session, are skipped.
 */
export function toolsInReceipts(text: string, seal: ReceiptSeal): readonly string[] {
  const end = text.slice(-WINDOW);
  const found: string[][] = [];
  let at = end.length;
  for (let receipt = 0; receipt < MAX_RECEIPTS && at > 0; receipt += 1) {
    at = end.lastIndexOf(OPEN, at - 1);
    if (at < 0) break;
    RECEIPT.lastIndex = at;
    const [, names = '', tag] = RECEIPT.exec(end) ?? [];
    if (tag !== undefined && tag === tagOf(names.trimEnd(), seal)) found.unshift(names.trimEnd().split(' '));
  }
  return found.flat();
}

function tagOf(names: string, { of, secret }: ReceiptSeal): string {
  const tag = createHmac('sha256', secret).update(JSON.stringify([of, names]));
  return tag.digest('base64url').slice(0, TAG_CHARS);
}
