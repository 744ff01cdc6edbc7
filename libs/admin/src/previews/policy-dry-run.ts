import { Inject, Injectable } from '@nestjs/common';
import { ToolCatalog, type ToolDefinition } from '@tool-search/core';
import { checkedPolicy, policyRefusal, ToolCallRecords } from '@tool-search/core/operators';
import { isAdmitted } from './is-admitted.js';
import type { PolicyPreviewAnswer, PolicyPreviewBody } from './previews.dto.js';

const PAGE = 200;
const MAX_PAGES = 10;
const MAX_SHOWN = 50;
const WEEK_MS = 604_800_000;

interface RefusedTool {
  readonly name: string;
  readonly reason: string;
  calls: number;
}

/** Counts the calls of the last week that were allowed and that a policy would have refused. */
@Injectable()
export class PolicyDryRun {
  constructor(
    @Inject(ToolCatalog) private readonly catalog: ToolCatalog,
    @Inject(ToolCallRecords) private readonly records: ToolCallRecords,
  ) {}

  /** @throws ToolSearchError `INVALID_REQUEST` for an invalid policy, `STORE_UNAVAILABLE` */
  async of({ policy: raw, tenantId, agentId }: PolicyPreviewBody): Promise<PolicyPreviewAnswer> {
    const policy = checkedPolicy(raw);
    const tools = new Map<string, ToolDefinition>();
    for (const tool of this.catalog.definitions()) tools.set(JSON.stringify([tool.owner, tool.name]), tool);
    const since = Date.now() - WEEK_MS;
    const refused = new Map<string, RefusedTool>();
    let [calls, refusals, isCut] = [0, 0, true];
    let after: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const filter = { kind: 'call' as const, since, ...(tenantId !== undefined && { tenantId }) };
      const page = await this.records.list(filter, { limit: PAGE, ...(after !== undefined && { after }) });
      for (const record of page) {
        if (!isAdmitted(record)) continue;
        if (agentId !== undefined && !record.agentIds.includes(agentId)) continue;
        calls += 1;
        const [shared, own] = ['', record.tenantId].map((owner) => tools.get(JSON.stringify([owner, record.tool])));
        const tool = shared ?? own;
        const refusal = tool && policyRefusal(policy, tool);
        if (!refusal) continue;
        refusals += 1;
        const known = refused.get(record.tool);
        if (known) known.calls += 1;
        else refused.set(record.tool, { name: record.tool, reason: refusal.reason, calls: 1 });
      }
      after = page.at(-1)?.id;
      if (page.length < PAGE) {
        isCut = false;
        break;
      }
    }
    const sorted = [...refused.values()].sort((one, other) => other.calls - one.calls);
    return { calls, refused: refusals, since, isCut, tools: sorted.slice(0, MAX_SHOWN) };
  }
}
