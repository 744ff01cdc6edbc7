import type { ComponentType } from 'preact';
import { Approvals } from './screens/approvals.js';
import { Audit } from './screens/audit.js';
import { Calls } from './screens/calls.js';
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
  /** What it is for, the heading in the navigation. */
  readonly group: 'See and ask' | 'Decide' | 'What happened' | 'Connections';
  readonly Screen: ComponentType;
}

/** All screens in the order of the navigation; the first one is shown for an unknown hash. */
export const SCREENS = [
  { id: '', group: 'See and ask', title: 'Overview', Screen: Overview },
  { id: 'tools', group: 'See and ask', title: 'Tools', Screen: Tools },
  { id: 'explain', group: 'See and ask', title: 'Why not?', Screen: Explain },
  { id: 'playground', group: 'See and ask', title: 'Playground', Screen: Playground },
  { id: 'kill-switches', group: 'Decide', title: 'Kill switches', Screen: KillSwitches },
  { id: 'quarantine', group: 'Decide', title: 'Quarantine', Screen: Quarantine },
  { id: 'approvals', group: 'Decide', title: 'Approvals', Screen: Approvals },
  { id: 'policies', group: 'Decide', title: 'Access policies', Screen: Policies },
  { id: 'calls', group: 'What happened', title: 'Calls', Screen: Calls },
  { id: 'sessions', group: 'What happened', title: 'Sessions', Screen: Sessions },
  { id: 'tokens', group: 'What happened', title: 'Tokens', Screen: Tokens },
  { id: 'gaps', group: 'What happened', title: 'Search gaps', Screen: Gaps },
  { id: 'audit', group: 'What happened', title: 'Audit', Screen: Audit },
  { id: 'sources', group: 'Connections', title: 'Sources', Screen: Sources },
  { id: 'clients', group: 'Connections', title: 'Clients', Screen: Clients },
] as const satisfies readonly ScreenEntry[];
