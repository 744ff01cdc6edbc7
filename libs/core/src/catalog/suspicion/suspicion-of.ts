import type { ToolDeclaration } from '../../tool/tool-definition.js';
import { hidesText } from '../ingest/hidden-text.js';
import { misleads } from '../ingest/misleading-text.js';
import { demandsSecret } from '../ingest/schema-secrets.js';
import { findingInstruction } from './instruction-check.js';
import { type ShownText, shownTexts } from './shown-texts.js';
import type { OwnNames } from './words/word-reader.js';

export interface Provenance {
  /** The names that the source gives to its tools. */
  readonly siblings: ReadonlySet<string>;
  /** Whether the tool is the application's own code, whose instructions to a model are intended. */
  readonly ownCode: boolean;
}

// A fast pre-check: non-ASCII and control characters, and runs of blanks that may push text out of sight.
const WORTH_A_LOOK = /[^\t\n\r\x20-\x7e]|\s{40}/;

/** Why a person should review the tool before a model sees it, if so; without its own texts. Yields sometimes. */
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

function namesOf(texts: readonly ShownText[], siblings: ReadonlySet<string>): OwnNames {
  let parameters: ReadonlySet<string> | undefined;
  const isParameter = (name: string) => {
    parameters ??= new Set(texts.filter(({ isName }) => isName).map(({ text }) => text));
    return parameters.has(name);
  };
  return { has: (name) => siblings.has(name) || isParameter(name) };
}
