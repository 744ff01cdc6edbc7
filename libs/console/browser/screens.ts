import type { ComponentType } from 'preact';
import { Approvals } from './screens/approvals.js';
import { Audit } from './screens/audit.js';
import { Calls } from './screens/calls.js';
import { Canaries } from './screens/canaries.js';
import { Clients } from './screens/clients.js';
import { Explain } from './screens/explain.js';
import { Gaps } from './screens/gaps.js';
import { KillSwitches } from './screens/kill-switches.js';
import { Overview } from './screens/overview.js';
import { Playground } from './screens/playground.js';
import { Policies } from './screens/policies.js';
import { Quarantine } from './screens/quarantine.js';
import { Sessions } from './screens/sessions.js';
import { Sources } from './screens/sources.js';
import { Tokens } from './screens/tokens.js';
import { Tools } from './screens/tools.js';

interface ScreenEntry {
  /** The first part of the hash. */
  readonly id: string;
  readonly title: string;
  readonly Screen: ComponentType;
}

/** All screens in the order of the navigation; the first one is shown for an unknown hash. */
export const SCREENS = [
  { id: '', title: 'Overview', Screen: Overview },
  { id: 'tools', title: 'Tools', Screen: Tools },
  { id: 'explain', title: 'Why not?', Screen: Explain },
  { id: 'playground', title: 'Playground', Screen: Playground },
  { id: 'kill-switches', title: 'Kill switches', Screen: KillSwitches },
  { id: 'quarantine', title: 'Quarantine', Screen: Quarantine },
  { id: 'approvals', title: 'Approvals', Screen: Approvals },
  { id: 'policies', title: 'Policies', Screen: Policies },
  { id: 'canaries', title: 'Canaries', Screen: Canaries },
  { id: 'calls', title: 'Calls', Screen: Calls },
  { id: 'sessions', title: 'Sessions', Screen: Sessions },
  { id: 'tokens', title: 'Tokens', Screen: Tokens },
  { id: 'gaps', title: 'Search gaps', Screen: Gaps },
  { id: 'sources', title: 'Sources', Screen: Sources },
  { id: 'clients', title: 'Clients', Screen: Clients },
  { id: 'audit', title: 'Audit', Screen: Audit },
] as const satisfies readonly ScreenEntry[];
