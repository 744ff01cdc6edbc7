import { ControlPlane, ToolEvents } from '@tool-search/core';
import { CONTROL_KINDS, ToolProfiles } from '@tool-search/core/operators';
import { MemoryControlStore } from '@tool-search/core/internal';
import { Endpoints } from '../src/endpoint.js';
import type { GatewaySettings } from '../src/tool-gateway.options.js';

/** Operators' decisions in memory, read once. Stop it at the end. */
export async function startedPlane(): Promise<ControlPlane> {
  const plane = new ControlPlane(new MemoryControlStore(), CONTROL_KINDS, new ToolEvents());
  await plane.start();
  return plane;
}

/** The endpoints of a gateway with these settings, and the profiles behind them. */
export function endpointsOf(settings: GatewaySettings, plane: ControlPlane) {
  const profiles = new ToolProfiles(plane, new ToolEvents());
  return { endpoints: new Endpoints(settings, profiles), profiles };
}
