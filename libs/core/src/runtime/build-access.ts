import { ToolApprovals } from '../access/approvals/tool-approvals.js';
import { AuditTrail } from '../access/control/audit-trail.js';
import { ControlPlane } from '../access/control/control-plane.js';
import { MemoryControlStore } from '../access/control/memory-control-store.js';
import { CallPolicies } from '../access/call-policies/call-policies.js';
import { ToolDeprecations } from '../access/deprecations/tool-deprecations.js';
import { KillSwitches } from '../access/kill-switches/kill-switches.js';
import { createLimits } from '../access/limits/create-limits.js';
import { StoredPolicies } from '../access/policies/stored-policies.js';
import { ToolPolicies } from '../access/policies/tool-policies.js';
import { ToolProfiles } from '../toolbox/profiles/tool-profiles.js';
import { ToolQuarantine } from '../access/quarantine/tool-quarantine.js';
import { ToolGate } from '../access/tool-gate.js';
import { createUserCredentials } from '../access/user-credentials/create-user-credentials.js';
import { shorteningRules } from '../toolbox/results/shortening-rules.js';
import type { CatalogServices } from './build-catalog.js';
import { CONTROL_KINDS } from './control-kinds.js';
import type { RuntimeHooks } from './runtime-hooks.js';
import type { RuntimeSettings } from './runtime-settings.js';
import type { RuntimeStores } from './runtime-stores.js';

export type AccessServices = ReturnType<typeof buildAccess>;

/** The gate, and what decides in it: the application's rules and the operators' decisions. */
export function buildAccess(
  settings: RuntimeSettings,
  stores: RuntimeStores,
  hooks: RuntimeHooks,
  { catalog, index, names, tokenizer }: CatalogServices,
) {
  const {
    events,
    visibility,
    reportPolicyFault,
    callPolicies,
    reportCallPolicyFault: report,
    reportFault,
    now,
  } = hooks;
  const { deadlineMs } = settings.visibility;
  const policies = new ToolPolicies(settings.policy, index);
  const control = new ControlPlane(stores.control ?? new MemoryControlStore(), CONTROL_KINDS, events, settings.control);
  const audit = new AuditTrail(control, now);
  const tools = () => catalog.definitions();
  const bounds = shorteningRules(settings.results);
  return {
    policies,
    control,
    gate: new ToolGate({ policies, visibility, control, reportPolicyFault, deadlineMs, now }),
    callPolicies: new CallPolicies({ policies: callPolicies, ...settings.callPolicies, report, now }),
    killSwitches: new KillSwitches(control, events, tools, now, Object.values(names)),
    storedPolicies: new StoredPolicies(control, events, index, now),
    profiles: new ToolProfiles(control, events, now),
    deprecations: new ToolDeprecations(control, events, now),
    approvals: new ToolApprovals(control, events, settings.approvals, now),
    quarantine: new ToolQuarantine(control, events, tools, catalog, now),
    audit,
    userCredentials: createUserCredentials(settings.userCredentials, stores.userCredentials, {
      events,
      trail: audit,
      catalog,
      now,
    }),
    ...createLimits(settings.limits, stores.limits, {
      control,
      events,
      maxResultTokens: (tool) => bounds(tool)?.maxTokens,
      countTokens: (text) => tokenizer.count(text),
      reportFault,
      now,
    }),
  };
}
