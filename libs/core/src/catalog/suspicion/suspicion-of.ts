import type { ToolDeclaration } from '../../tool/tool-definition.js';
import { hidesText } from '../ingest/hidden-text.js';
import { misleads } from '../ingest/misleading-text.js';
import { demandsSecret } from '../ingest/schema-secrets.js';
import { findingInstruction } from './instruction-check.js';
import { type ShownText, shownTexts } from './shown-texts.js';
import type { OwnNames } from './words/word-reader.js';

/** What is known about where a tool comes from. */
export interface Provenance {
  /** Names the source gives to its tools. */
  readonly siblings: ReadonlySet<string>;
  /** The application's own code, whose words to a model are meant. */
  readonly ownCode: boolean;
}

// Beyond ASCII, controls, and runs that may push something out of sight.
const WORTH_A_LOOK = /[^\t\n\r\x20-\x7e]|\s{40}/;

/** Why a person should look at the tool before any model does, or undefined; never a word of the tool's own texts. Pauses at times. */
export function* suspicionOf(
  declaration: ToolDeclaration,
  { siblings, ownCode }: Provenance,
): Generator<void, string | undefined> {
  const texts = shownTexts(declaration);
  const fault = firstFault(texts) ?? secretFault(declaration);
  if (fault !== undefined || ownCode) return fault;
  yield;
  const found = yield* findingInstruction(texts, namesOf(texts, siblings));
  return found && `${found.field} ${found.rule.reason} (${found.rule.id})`;
}

function firstFault(texts: readonly ShownText[]): string | undefined {
  for (const { field, text } of texts) {
    if (!WORTH_A_LOOK.test(text)) continue;
    if (hidesText(text)) return `${field} holds characters that a reader does not see`;
    const fault = misleads(text);
    if (fault !== undefined) return `${field} ${fault}`;
  }
  return undefined;
}

function secretFault({ inputSchema }: ToolDeclaration): string | undefined {
  return demandsSecret(inputSchema) ? 'inputSchema demands a value that looks like a credential' : undefined;
}

/** What a tool may speak of without speaking of a stranger's tool. */
function namesOf(texts: readonly ShownText[], siblings: ReadonlySet<string>): OwnNames {
  let parameters: ReadonlySet<string> | undefined;
  const isParameter = (name: string) => {
    parameters ??= new Set(texts.filter(({ isName }) => isName).map(({ text }) => text));
    return parameters.has(name);
  };
  return { has: (name) => siblings.has(name) || isParameter(name) };
}
