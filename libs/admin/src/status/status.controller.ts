import { setTimeout } from 'node:timers/promises';
import { Get, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ControlPlane, ToolCatalog } from '@tool-search/core';
import { SourceQueue } from '@tool-search/core/operators';
import { AdminController, AdminRead } from '../access/admin-route.decorator.js';
import { StatusAnswer, type StatusCounts } from './status.dto.js';

const STORE_WAIT_MS = 1000;
const MAX_QUEUES = 100;

/** Route for the state of the operators' decisions. */
@AdminController()
export class StatusController {
  // Not a parameter of the constructor, so that constructors of classes that extend this one stay as they are.
  @Inject(SourceQueue) protected readonly queue: SourceQueue;

  constructor(
    @Inject(ControlPlane) protected readonly plane: ControlPlane,
    @Inject(ToolCatalog) protected readonly catalog: ToolCatalog,
  ) {}

  @Get('status')
  @AdminRead('How fresh the decisions of operators are, and how much there is')
  @ApiOkResponse({ type: StatusAnswer })
  async status(): Promise<StatusAnswer> {
    const { ageMs, ...health } = this.plane.health();
    // Bounded wait: this route must respond when the store is down or does not answer.
    const late = setTimeout(STORE_WAIT_MS, undefined, { ref: false });
    const instances = await Promise.race([this.plane.instances().catch(() => undefined), late]);
    return {
      ...health,
      ageMs: Number.isFinite(ageMs) ? Math.round(ageMs) : null,
      instanceId: this.plane.instanceId,
      ...(instances && { instances }),
      counts: this.#counts(),
      queues: this.queue.status().slice(0, MAX_QUEUES),
    };
  }

  #counts(): StatusCounts {
    const tools = this.catalog.tools();
    const sources = this.catalog.sources();
    const snapshot = this.plane.snapshot();
    return {
      tools: tools.length,
      sources: sources.length,
      sourcesNotReady: sources.filter(({ state }) => state !== 'ready').length,
      killSwitches: snapshot?.switches.liveAt(this.plane.now()) ?? 0,
      reported: snapshot ? tools.filter((tool) => tool.finding && !snapshot.quarantine.of(tool)).length : 0,
      quarantined: snapshot ? tools.filter((tool) => snapshot.quarantine.refusal(tool)).length : 0,
    };
  }
}
