import { isObject } from '../../json/json.js';
import { type CanaryDeclaration, type CanaryMembers, isShare } from '../../tool/canary.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import type { ToolSource } from '../../tool/tool-source.js';
import type { Refusal } from './ingest.js';
import { printed } from './printed.js';

/**
 * A declaration without `canary`: of a tool, or of a canary beside it. From here on a canary is checked, watched and
 * pinned like a tool, so that whatever holds it does not hold its tool.
 */
export interface SplitDeclaration extends ToolDeclaration {
  /** The source's own name of the tool, if this is its canary. Its `name` is then {@link canaryKey}. */
  readonly canaryOf?: string;
  /** Absent for a canary that was stored: until the source has loaded, nobody has it. */
  readonly sharePct?: number;
}

/** Declarations without `canary`, the canaries after all tools, and what was refused of them. */
export interface SplitDeclarations {
  readonly declarations: readonly SplitDeclaration[];
  /** The tools of these canaries are not refused. */
  readonly refused: readonly Refusal[];
}

/** What follows the name of a tool in {@link canaryKey}. */
export const CANARY_SUFFIX = '#canary';

const MAX_NAME = 128 + CANARY_SUFFIX.length;

// The type makes it complete.
const MEMBERS: Record<keyof CanaryMembers, true> = {
  title: true,
  description: true,
  inputSchema: true,
  outputSchema: true,
  examples: true,
  exampleQueries: true,
  costHint: true,
  latencyHintMs: true,
  safetyNotes: true,
  annotations: true,
  extra: true,
  timeoutMs: true,
  validate: true,
};

/** The members in which a canary may differ from its tool. */
export const CANARY_MEMBERS = Object.keys(MEMBERS);

/** The name under which a canary is watched and reported; no tool can have it. */
export function canaryKey(name: string): string {
  return `${name}${CANARY_SUFFIX}`;
}

/**
 * Makes a declaration of its own of each canary. A second pass changes nothing.
 *
 * @param refusal why no source may have canaries. @default they may
 */
export function splitCanaries(
  source: ToolSource,
  given: readonly ToolDeclaration[],
  refusal?: string,
): SplitDeclarations {
  const isSplit = (each: SplitDeclaration) => isObject(each) && toolOfCanary(source, each) !== undefined;
  if (!given.some((each) => hasCanary(each) || isSplit(each))) return { declarations: given, refused: [] };
  const tools: SplitDeclaration[] = [];
  const canaries: SplitDeclaration[] = [];
  const refused: Refusal[] = [];
  const unsupported = unsupportedBy(source) ?? refusal;
  for (const declaration of given) {
    if (!hasCanary(declaration)) {
      (isSplit(declaration) ? canaries : tools).push(declaration);
      continue;
    }
    const { canary, ...tool } = declaration;
    tools.push(tool);
    const reason = unsupported ?? (tool.kind === undefined ? canaryFault(canary) : 'a context item has none');
    if (reason === undefined) canaries.push(canaryOf(tool, canary as CanaryDeclaration));
    else {
      const code = unsupported === undefined ? 'INVALID_TOOL' : 'CANARY_UNSUPPORTED';
      refused.push({ source: source.name, name: printed(canaryKey(String(tool.name)), MAX_NAME), code, reason });
    }
  }
  return { declarations: [...tools, ...canaries], refused };
}

/** The name of the tool that this is the canary of; undefined for a tool. */
export function toolOfCanary(
  source: ToolSource,
  { canaryOf: tool }: { readonly canaryOf?: unknown },
): string | undefined {
  return source.canaries === true && typeof tool === 'string' ? tool : undefined;
}

function hasCanary(declaration: unknown): boolean {
  return isObject(declaration) && declaration['canary'] !== undefined;
}

function unsupportedBy(source: ToolSource): string | undefined {
  if (source.canaries !== true) return 'the source cannot execute two definitions of one tool';
  return source.changes && source.restore !== undefined
    ? 'the source restores its tools itself, and knows one definition of each'
    : undefined;
}

function canaryFault(canary: unknown): string | undefined {
  if (!isObject(canary) || !isObject(canary['definition'])) return 'it must be { sharePct, definition }';
  if (!isShare(canary['sharePct'])) return 'sharePct must be a number from 0 to 100';
  const unknown = Object.keys(canary['definition']).find((key) => !CANARY_MEMBERS.includes(key));
  if (unknown === undefined) return undefined;
  return `${printed(unknown, 64)} is no member in which it may differ (${CANARY_MEMBERS.join(', ')})`;
}

function canaryOf(tool: ToolDeclaration, { sharePct, definition }: CanaryDeclaration): SplitDeclaration {
  const { inputSchema: _schema, validate: _validate, examples: _examples, ...others } = tool;
  // Made for the tool's arguments, and not for those of the canary.
  const same = definition.inputSchema === undefined ? tool : others;
  return { ...same, ...definition, name: canaryKey(tool.name), canaryOf: tool.name, sharePct };
}
