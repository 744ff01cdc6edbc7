import { atOnce } from '../../async/time-slicer.js';
import { CHOICE_RULES } from './rules/choice-rules.js';
import { CONCERN_RULES } from './rules/concern-rules.js';
import { encodedTexts } from './encoded-texts.js';
import { foldedText } from './folded-text.js';
import type { InstructionRule } from './rules/instruction-rule.js';
import { brokenMarkupRule } from './rules/markup-rules.js';
import { ERRAND_RULES } from './rules/errand-rules.js';
import { ORDERS_RULES } from './rules/orders-rules.js';
import { PhraseMatcher } from './phrase-matcher.js';
import { SCOPE_RULES } from './rules/scope-rules.js';
import { SECRECY_RULES } from './rules/secrecy-rules.js';
import type { ShownText } from './shown-texts.js';
import { type OwnNames, WordReader } from './words/word-reader.js';
import { GIVEN_TARGET } from './words/word-shapes.js';

export interface FoundInstruction {
  readonly field: string;
  readonly rule: Pick<InstructionRule, 'id' | 'reason'>;
}

const MAX_LAYERS = 3;
/** Characters that are read between two yields. */
const STRETCH = 8_192;
const PURPOSE_CHARS = 2048;
const PURPOSE_FIELDS = new Set(['name', 'title', 'description']);
const RECIPIENT = { id: 'recipient', reason: 'names who gets something when nobody is named' };

const matcher = new PhraseMatcher([
  ...ORDERS_RULES,
  ...SECRECY_RULES,
  ...CHOICE_RULES,
  ...ERRAND_RULES,
  ...SCOPE_RULES,
  ...CONCERN_RULES,
]);
const reader = new WordReader(matcher);

/** The first instruction to a model in the texts of one tool. It may be split across consecutive fields. */
export function foundInstruction(texts: readonly ShownText[], own: OwnNames): FoundInstruction | undefined {
  return atOnce(findingInstruction(texts, own));
}

/** Like `foundInstruction`, but yields about every 8 KiB. Other texts may be read during a yield. */
export function* findingInstruction(
  texts: readonly ShownText[],
  own: OwnNames,
): Generator<void, FoundInstruction | undefined> {
  let purpose: string | undefined;
  matcher.reset(() => (purpose ??= purposeOf(texts)));
  const coded: ShownText[] = [];
  let chars = 0;
  for (const each of texts) {
    const { field, text, isName, isGiven } = each;
    chars += text.length;
    if (chars > STRETCH) {
      chars = text.length;
      const goOn = matcher.interrupted();
      yield;
      goOn();
    }
    if (isGiven && GIVEN_TARGET.test(text)) return { field, rule: RECIPIENT };
    const reading = isName ? reader.readName(text, own) : reader.read(text, own);
    const rule = reading.rule ?? (reading.marks === 0 ? undefined : brokenMarkupRule(foldedText(text), reading.marks));
    if (rule) return { field, rule };
    if (reading.coded) coded.push(each);
  }
  for (const { field, text } of coded) {
    yield;
    const rule = encodedRule(text, own, MAX_LAYERS);
    if (rule) return { field, rule };
  }
  return undefined;
}

/** Like `foundInstruction`, for a single text that belongs to no tool. */
export function instructionIn(text: string): FoundInstruction['rule'] | undefined {
  return foundInstruction([{ field: '', text, isName: false }], new Set())?.rule;
}

function purposeOf(texts: readonly ShownText[]): string {
  let purpose = '';
  for (const { field, text } of texts) {
    if (!PURPOSE_FIELDS.has(field)) break;
    purpose += ` ${text.slice(0, PURPOSE_CHARS)}`;
  }
  return purpose.replace(/[_-]/g, ' ').toLowerCase();
}

function encodedRule(text: string, own: OwnNames, layers: number): FoundInstruction['rule'] | undefined {
  if (layers === 0) return undefined;
  for (const hidden of encodedTexts(text)) {
    matcher.reset();
    const rule = reader.read(hidden, own).rule ?? brokenMarkupRule(hidden) ?? encodedRule(hidden, own, layers - 1);
    if (rule) return { id: 'encoded', reason: `spells in codes what ${rule.reason}` };
  }
  return undefined;
}
