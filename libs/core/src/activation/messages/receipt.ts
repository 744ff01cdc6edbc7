import { createHmac } from 'node:crypto';

const OPEN = '[tool-search/1 ';
/** Names as canonical names are, one space behind each, then the tag; no sign that JSON would escape. */
const RECEIPT = /\[tool-search\/1 ((?:[A-Za-z0-9_.-]{1,128} ){1,100})#([A-Za-z0-9_-]{16})\]/y;
const MAX_NAMES = 100;
const TAG_CHARS = 16;
/** A receipt stands at the end of its text; what an application writes behind it may be about this long. */
const WINDOW = 32_768;
const MAX_IN_A_TEXT = 4;

/** Whose receipts are meant, and what they are sealed with. */
export interface ReceiptSeal {
  /** Which run, session or conversation: a receipt of another one says nothing here. */
  readonly of: readonly string[];
  /** `''` = anybody who knows the ids could write one. */
  readonly secret: string;
}

/**
 * What a tool's result says for a conversation to remember: that it activated these tools, as
 * `[tool-search/1 billing.refund crm.find_contact #q3hV0cYw1m2Bx9sL]`. The tag ties the names to the run or session. Evidence, not
 * authorization: whoever reads it asks the gate again. Of more than 100 tools there are several, in one text.
 *
 * @param tools canonical names; `''` is answered where there are none
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
 * The tools that a text's receipts name, in their order: at most its last four receipts, each of at most 100 names, within
 * its last 32,768 characters. What cannot be read, or belongs to another run or session, is passed over.
 */
export function toolsInReceipts(text: string, seal: ReceiptSeal): readonly string[] {
  const end = text.slice(-WINDOW);
  const found: string[][] = [];
  let at = end.length;
  for (let receipt = 0; receipt < MAX_IN_A_TEXT && at > 0; receipt += 1) {
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
