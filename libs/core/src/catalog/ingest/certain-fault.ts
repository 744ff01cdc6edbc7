import type { ToolDeclaration } from '../../tool/tool-definition.js';
import { hidesText, isOutOfSight } from './hidden-text.js';
import { demandsSecret, lacksSecret } from './schema-secrets.js';
import { shownTexts } from './shown-texts.js';

// Tokens by which chat templates mark turns, exactly as the models' tokenizers read them.
const CONTROL_TOKEN =
  /<\|(?:im_start|im_end|im_sep|endoftext|begin_of_text|end_of_text|start_header_id|end_header_id|eot_id|eom_id|system|user|assistant|end|start|channel|message|return|call|START_OF_TURN_TOKEN|END_OF_TURN_TOKEN|SYSTEM_TOKEN|USER_TOKEN|CHATBOT_TOKEN)\|>|\[\/?INST\]|<<\/?SYS>>|<(?:start|end)_of_turn>|<｜(?:User|Assistant|begin▁of▁sentence|end▁of▁sentence)｜>/;
// A few stray invisible characters spell nothing; many can.
const MAX_STRAY = 8;
// A fast pre-check: characters that may be invisible or a part of a token, and runs of blanks.
const WORTH_A_LOOK = /[^\t\n\r\x20-\x7e]|\s{40}|<[|<se]|\[\/?INST/;

const HIDDEN = 'holds characters that a reader does not see';

/**
 * Why the tool must wait for a person before a model sees it: it holds what no honest definition needs. The reason names
 * the field and never quotes it.
 *
 * @param ownCode whether the tool is the application's own code, which may name control tokens
 */
export function certainFault(declaration: ToolDeclaration, ownCode: boolean): string | undefined {
  for (const { field, text, isName } of shownTexts(declaration)) {
    const fault = isName && hidesText(text) ? HIDDEN : textFault(text, ownCode);
    if (fault !== undefined) return `${field} ${fault}`;
  }
  if (demandsSecret(declaration.inputSchema)) return 'inputSchema demands a value that looks like a credential';
  for (const field of ['inputSchema', 'outputSchema'] as const) {
    if (lacksSecret(declaration[field]))
      return `${field} names a credential of the source's connection, which was removed`;
  }
  return undefined;
}

/** The certain fault of one text, in words that follow the name of its field. */
export function textFault(text: string, ownCode = false): string | undefined {
  if (!WORTH_A_LOOK.test(text)) return undefined;
  if (hidesText(text, MAX_STRAY)) return HIDDEN;
  if (isOutOfSight(text)) return 'pushes text out of sight';
  return !ownCode && CONTROL_TOKEN.test(text) ? 'holds control tokens of a chat template' : undefined;
}
