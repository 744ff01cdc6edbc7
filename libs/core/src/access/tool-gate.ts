import { isOwnedBy } from '../tool/catalog-snapshot.js';
import type { Decision, Layer } from '../tool/decision.js';
import { deepFreeze } from '../tool/json.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { ToolPolicies } from './tool-policies.js';
import { askVisibility, type ToolVisibilityPolicy, type VisibilityAnswer, visibilityKey } from './visibility-policy.js';

/** What the gate decided about a batch of tools. */
export interface GateAnswer {
  /** One decision for each tool, in the same order. */
  readonly decisions: readonly Decision[];
  /** A visibility policy failed, so tools are hidden that it might have shown; do not remember this answer. */
  readonly fault: boolean;
}

/**
 * The one function that decides. Lists ask it with the whole catalog, a call with one tool; the rule is the same, so what
 * is listed is what may be called.
 */
export class ToolGate {
  constructor(
    private readonly policies: ToolPolicies,
    private readonly visibility: () => readonly ToolVisibilityPolicy[],
    private readonly deadlineMs = 500,
  ) {}

  /** Rises whenever a rule changed; a remembered answer of an older revision is worthless. */
  get revision(): number {
    return this.policies.revision;
  }

  /** Equal for contexts with equal visibility, or undefined when answers may not be shared between requests. */
  visibilityKey(context: ToolContext): Promise<string | undefined> {
    return visibilityKey(this.visibility(), context, this.deadlineMs);
  }

  async decide(tools: readonly ToolDefinition[], context: ToolContext): Promise<GateAnswer> {
    const hard = tools.map((tool) => this.#hardDecision(tool, context));
    const open = tools.filter((_, index) => hard[index] === undefined);
    const answer = await askVisibility(this.visibility(), open, context, this.deadlineMs);
    const decisions = tools.map((tool, index) => hard[index] ?? visibilityDecision(tool, answer));
    return { decisions, fault: answer.fault !== undefined };
  }

  /**
   * The same decision about one tool that is to be called, or about a name that no tool has. The application's policies are
   * asked in any case, so that the time an answer takes does not tell a hidden tool from an unknown one.
   */
  async decideCall(tool: ToolDefinition | undefined, context: ToolContext): Promise<Decision> {
    const hard = tool ? this.#hardDecision(tool, context) : deny('source', 'unknown', 'no such tool');
    const asked = tool && !hard ? tool : NO_TOOL;
    const answer = await askVisibility(this.visibility(), [asked], context, this.deadlineMs);
    return hard ?? visibilityDecision(asked, answer);
  }

  // What needs no question to the application.
  #hardDecision(tool: ToolDefinition, context: ToolContext): Decision | undefined {
    if (!isOwnedBy(tool, context.tenantId)) return deny('source', 'owner', 'the tool belongs to another tenant');
    const refusal = this.policies.refusal(tool, context.tenantId);
    return refusal && deny('policy', refusal.rule, refusal.reason);
  }
}

/** Stands for a tool that is not there. */
const NO_TOOL: ToolDefinition = deepFreeze({
  name: 'none',
  namespace: '',
  description: '',
  tags: [],
  sideEffects: 'external',
  inputSchema: { type: 'object' },
  examples: [],
  exampleQueries: [],
  loading: 'deferred',
  aliases: [],
  authScopes: [],
  source: '',
  owner: '',
  hash: '',
});

function visibilityDecision(tool: ToolDefinition, { visible, fault }: VisibilityAnswer): Decision {
  if (visible.has(tool))
    return { outcome: 'allow', layer: 'visibility', rule: 'default', reason: 'no rule refuses it' };
  return deny('visibility', fault ? 'fault' : 'filter', fault ?? 'a visibility policy left it out');
}

function deny(layer: Layer, rule: string, reason: string): Decision {
  return { outcome: 'deny', layer, rule, reason };
}
