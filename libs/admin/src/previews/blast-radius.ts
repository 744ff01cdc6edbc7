import { Inject, Injectable } from '@nestjs/common';
import { ControlPlane, KillSwitches, ToolActivations, ToolCatalog, type ToolDefinition } from '@tool-search/core';
import { killSwitchKind } from '@tool-search/core/operators';
import { killSwitchId, killSwitchTarget, targetMeets } from '@tool-search/core/internal';
import type { BlastRadiusAnswer, SwitchPreviewBody } from './previews.dto.js';

const MAX_SHOWN = 50;
const PAGE = 200;
const MAX_PAGES = 10;

/** Finds the tools that a kill switch would turn off. */
@Injectable()
export class BlastRadius {
  constructor(
    @Inject(ToolCatalog) private readonly catalog: ToolCatalog,
    @Inject(ControlPlane) private readonly plane: ControlPlane,
    @Inject(KillSwitches) private readonly killSwitches: KillSwitches,
    @Inject(ToolActivations) private readonly activations: ToolActivations,
  ) {}

  /** @throws ToolSearchError `INVALID_REQUEST` for an invalid target, `GATE_CLOSED`, `STORE_UNAVAILABLE` */
  async of(asked: SwitchPreviewBody): Promise<BlastRadiusAnswer> {
    const target = killSwitchTarget(asked);
    const { kind, value, tenantId } = target;
    const id = killSwitchId(target);
    const revision = this.killSwitches.list().find((each) => each.id === id)?.revision ?? 0;
    const tools = this.catalog
      .definitions()
      .filter(({ owner }) => tenantId === '' || owner === '' || owner === tenantId)
      .filter((tool) => targetMeets(target, tool));
    const switches = this.plane.snapshot()?.of(killSwitchKind);
    const now = this.plane.now();
    const isOff = (tool: ToolDefinition) => {
      const other = switches?.meeting(tool, tenantId, now);
      return other !== undefined && other.id !== id;
    };
    return {
      matched: tools.length,
      tools: tools.slice(0, MAX_SHOWN).map(({ name }) => name),
      sources: [...new Set(tools.map(({ source }) => source))].slice(0, MAX_SHOWN),
      alreadyOff: tools.filter(isOff).length,
      ...(await this.#inUse(tools, tenantId)),
      everything: kind === 'glob' && /^[*?.]+$/.test(value) && value.includes('*'),
      revision,
    };
  }

  /** Reads a bounded number of pages: those of one tool where there is only one, otherwise of all tools. */
  async #inUse(tools: readonly ToolDefinition[], tenantId: string) {
    const names = new Set(tools.map(({ name }) => name));
    const [only] = tools;
    const filter = {
      ...(tenantId !== '' && { tenantId }),
      ...(names.size === 1 && only && { tool: only.name }),
    };
    const tenants = new Set<string>();
    let activations = 0;
    let after: string | undefined;
    let pages = 0;
    if (names.size > 0) {
      do {
        const page = await this.activations.browse(filter, { limit: PAGE, ...(after !== undefined && { after }) });
        for (const activation of page.items) {
          if (!names.has(activation.tool)) continue;
          activations += 1;
          tenants.add(activation.tenantId);
        }
        after = page.next;
        pages += 1;
      } while (after !== undefined && pages < MAX_PAGES);
    }
    return { activations, tenants: [...tenants].sort().slice(0, MAX_SHOWN), isCut: after !== undefined };
  }
}
