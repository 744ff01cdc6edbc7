import type { FactoryProvider } from '@nestjs/common';
import { AuditTrail } from '../../access/control/audit-trail.js';
import { ControlPlane } from '../../access/control/control-plane.js';
import { ControlStore } from '../../access/control/control-store.js';
import { MemoryControlStore } from '../../access/control/memory-control-store.js';
import { KillSwitches } from '../../access/kill-switches/kill-switches.js';
import { StoredPolicies } from '../../access/policies/stored-policies.js';
import { ToolApprovals } from '../../access/approvals/tool-approvals.js';
import { ToolQuarantine } from '../../access/quarantine/tool-quarantine.js';
import { ToolCatalog } from '../../catalog/tool-catalog.js';
import type { ToolIndex } from '../../search/tool-index.js';
import { reservedNames } from '../../exposure/with-preset.js';
import { ToolEvents } from '../../tool/tool-event.js';
import { CHECKED_OPTIONS, TOOL_INDEX } from './tool-search.module-definition.js';
import type { ToolSearchModuleOptions } from './tool-search.options.js';

/** Providers for the operators' run-time decisions, on one control store. */
export const GOVERNANCE: readonly FactoryProvider[] = [
  {
    provide: ControlPlane,
    // A persistence module provides the store for the whole application.
    inject: [CHECKED_OPTIONS, ToolEvents, { token: ControlStore, optional: true }],
    useFactory: (options: ToolSearchModuleOptions, events: ToolEvents, store?: ControlStore) =>
      new ControlPlane(store ?? new MemoryControlStore(), events, options.control),
  },
  {
    provide: KillSwitches,
    inject: [ControlPlane, ToolEvents, ToolCatalog, CHECKED_OPTIONS],
    useFactory: (plane: ControlPlane, events: ToolEvents, catalog: ToolCatalog, options: ToolSearchModuleOptions) =>
      new KillSwitches(
        plane,
        events,
        () => catalog.tools(),
        () => plane.now(),
        reservedNames(options),
      ),
  },
  {
    provide: StoredPolicies,
    inject: [ControlPlane, ToolEvents, TOOL_INDEX],
    useFactory: (plane: ControlPlane, events: ToolEvents, index: ToolIndex | null) =>
      new StoredPolicies(plane, events, index ?? undefined),
  },
  {
    provide: ToolApprovals,
    inject: [ControlPlane, ToolEvents, CHECKED_OPTIONS],
    useFactory: (plane: ControlPlane, events: ToolEvents, options: ToolSearchModuleOptions) =>
      new ToolApprovals(plane, events, options.approvals),
  },
  {
    provide: ToolQuarantine,
    inject: [ControlPlane, ToolEvents, ToolCatalog],
    useFactory: (plane: ControlPlane, events: ToolEvents, catalog: ToolCatalog) =>
      new ToolQuarantine(plane, events, () => catalog.tools(), catalog),
  },
  {
    provide: AuditTrail,
    inject: [ControlPlane],
    useFactory: (plane: ControlPlane) => new AuditTrail(plane),
  },
];
