/** The properties of a tool that the reference uses. */
export interface ReferenceTool {
  readonly name: string;
  readonly namespace: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly sideEffects: string;
  readonly source: string;
  readonly owner: string;
  readonly hash: string;
  readonly suspicion?: string | undefined;
}

/** Lists of globs and tags, as an application or an operator writes them. */
export interface ReferencePolicy {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly requireTags?: readonly string[];
  readonly approval?: readonly string[];
}

/** The whole input of one decision, as plain data. */
export interface ReferenceWorld {
  readonly now: number;
  /** Milliseconds since the operators' rules were last confirmed; undefined = never. */
  readonly ageMs: number | undefined;
  readonly tenantId: string;
  readonly agentId: string | undefined;
  readonly module: ReferencePolicy;
  readonly bySource: readonly { readonly source: string; readonly owner: string; readonly policy: ReferencePolicy }[];
  readonly byTenant: readonly { readonly tenantId: string; readonly policy: ReferencePolicy }[];
  readonly stored: readonly { readonly tenantId: string; readonly agentId: string; readonly policy: ReferencePolicy }[];
  readonly steps: readonly {
    readonly agentId: string | undefined;
    readonly policy: ReferencePolicy;
    /** Names that the step's filter removes, by phase. */
    readonly takes: {
      readonly search: readonly string[];
      readonly load: readonly string[];
      readonly active: readonly string[];
    };
  }[];
  readonly switches: readonly {
    readonly kind: string;
    readonly value: string;
    readonly tenantId: string;
    /** 0 = never. */
    readonly expiresAt: number;
  }[];
  readonly verdicts: readonly {
    readonly owner: string;
    readonly source: string;
    readonly tool: string;
    readonly hash: string;
    readonly verdict: string;
  }[];
  /** Names that the application's visibility policy hides, by agent; `''` = a context without an agent. */
  readonly hidden: readonly { readonly agentId: string; readonly names: readonly string[] }[];
  readonly hasVisibility: boolean;
}

/** The reference's decision about one tool. */
export type ReferenceOutcome = 'allow' | 'approve' | 'deny' | 'closed';

const PHASES = ['search', 'load', 'active'] as const;

/** A second, simple implementation of the gate for differential tests, written from its documentation alone. */
export function referenceDecision(
  world: ReferenceWorld,
  tool: ReferenceTool,
  phase: (typeof PHASES)[number] = 'active',
): ReferenceOutcome {
  if (world.ageMs === undefined || world.ageMs > 30_000) return 'closed';
  if (tool.owner !== '' && tool.owner !== world.tenantId) return 'deny';

  const verdict = world.verdicts.find(
    (each) =>
      each.owner === tool.owner && each.source === tool.source && each.tool === tool.name && each.hash === tool.hash,
  );
  if (verdict ? verdict.verdict !== 'approved' : tool.suspicion !== undefined) return 'deny';

  const agents = [world.agentId, ...world.steps.map((step) => step.agentId)].filter((id) => id !== undefined);
  const policies = [
    world.module,
    ...world.bySource
      .filter(({ source, owner }) => source === tool.source && owner === tool.owner)
      .map((each) => each.policy),
    ...world.byTenant.filter(({ tenantId }) => tenantId === world.tenantId).map((each) => each.policy),
    ...world.stored
      .filter(({ tenantId, agentId }) =>
        agentId === ''
          ? tenantId === world.tenantId
          : agents.includes(agentId) && ['', world.tenantId].includes(tenantId),
      )
      .map((each) => each.policy),
    ...world.steps.map((step) => step.policy),
  ];
  if (!policies.every((policy) => lets(policy, tool))) return 'deny';

  const upTo = PHASES.slice(0, PHASES.indexOf(phase) + 1);
  if (world.steps.some(({ takes }) => upTo.some((each) => takes[each].includes(tool.name)))) return 'deny';

  const seers = new Set([world.agentId ?? '', ...agents]);
  const isHidden = world.hidden.some(({ agentId, names }) => seers.has(agentId) && names.includes(tool.name));
  if (world.hasVisibility && isHidden) return 'deny';

  const isOff = world.switches.some(
    (each) =>
      (each.tenantId === '' || each.tenantId === world.tenantId) &&
      (each.expiresAt === 0 || world.now < each.expiresAt) &&
      isMeant(each.kind, each.value, tool),
  );
  if (isOff) return 'deny';
  return policies.some((policy) => anyName(policy.approval ?? [], tool)) ? 'approve' : 'allow';
}

/** Whether one policy allows the tool: none of its names is denied, it is on the allow list, and it has all tags. */
export function lets(policy: ReferencePolicy, tool: ReferenceTool): boolean {
  if (anyName(policy.deny ?? [], tool)) return false;
  if (policy.allow !== undefined && !policy.allow.some((glob) => regexOf(glob).test(tool.name))) return false;
  return (policy.requireTags ?? []).every((tag) => tool.tags.includes(tag));
}

/** Whether a kill switch of this kind and value matches the tool. */
export function isMeant(kind: string, value: string, tool: ReferenceTool): boolean {
  if (kind === 'tool') return [tool.name, ...tool.aliases].includes(value);
  if (kind === 'glob') return anyName([value], tool);
  if (kind === 'namespace') return `${tool.namespace}.`.startsWith(`${value}.`);
  if (kind === 'tag') return tool.tags.includes(value);
  return kind === 'side_effects' && tool.sideEffects === value;
}

function anyName(globs: readonly string[], tool: ReferenceTool): boolean {
  return globs.some((glob) => [tool.name, ...tool.aliases].some((name) => regexOf(glob).test(name)));
}

const compiled = new Map<string, RegExp>();

function regexOf(glob: string): RegExp {
  const known = compiled.get(glob);
  if (known) return known;
  const source = glob
    .replaceAll(/[.\\+^$()[\]{}|]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const made = new RegExp(`^${source}$`, 's');
  compiled.set(glob, made);
  return made;
}
