import type { ComponentType } from 'preact';
import { Explain } from './screens/explain.js';
import { KillSwitches } from './screens/kill-switches.js';
import { Overview } from './screens/overview.js';
import { Playground } from './screens/playground.js';
import { Tools } from './screens/tools.js';

interface ScreenEntry {
  /** The first part of the hash. */
  readonly id: string;
  readonly title: string;
  readonly Screen: ComponentType;
}

/** All screens in the order of the navigation; the first one is shown for an unknown hash. */
export const SCREENS: readonly ScreenEntry[] = [
  { id: '', title: 'Overview', Screen: Overview },
  { id: 'tools', title: 'Tools', Screen: Tools },
  { id: 'explain', title: 'Why not?', Screen: Explain },
  { id: 'playground', title: 'Playground', Screen: Playground },
  { id: 'kill-switches', title: 'Kill switches', Screen: KillSwitches },
];
