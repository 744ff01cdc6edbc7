import { approvalKind } from '../access/approvals/approval-kind.js';
import type { ControlKinds } from '../access/control/control-kind.js';
import { deprecationKind } from '../access/deprecations/deprecation-kind.js';
import { queryEditKind } from '../toolbox/example-queries/query-edit-kind.js';
import { killSwitchKind } from '../access/kill-switches/kill-switch-kind.js';
import { limitKind } from '../access/limits/limit-kind.js';
import { policyKind } from '../access/policies/policy-kind.js';
import { profileKind } from '../toolbox/profiles/profile-kind.js';
import { verdictKind } from '../access/quarantine/verdict-kind.js';

/** All kinds of records about which operators decide. The control plane is given this list and knows no other kind. */
export const CONTROL_KINDS: ControlKinds = {
  stored: [killSwitchKind, policyKind, verdictKind, queryEditKind, limitKind, profileKind, deprecationKind],
  asked: [approvalKind],
};
