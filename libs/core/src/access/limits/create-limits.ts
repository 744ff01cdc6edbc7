import type { SettingsOf } from '../../options/options.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ControlPlane } from '../control/control-plane.js';
import { CallLimits } from './call-limits.js';
import { CompletionLimit } from './completion-limit.js';
import { checkCountable, type ToolLimit } from './limit.js';
import { limitKind } from './limit-kind.js';
import { LimitSet } from './limit-set.js';
import type { LimitStore } from './limit-store.js';
import { LimitSweeping } from './limit-sweeping.js';
import type { limitsSchema } from './limits-options.js';
import { MemoryLimitStore } from './memory-limit-store.js';
import { ToolLimits } from './tool-limits.js';

/** The most tokens expected of a result that is not shortened. */
const RESULT_TOKENS = 4000;

interface LimitParts {
  readonly control: ControlPlane;
  readonly events: ToolEvents;
  /** The most tokens that results of a tool have, or of all tools by default; undefined if there is no bound. */
  readonly maxResultTokens: (tool?: ToolDefinition) => number | undefined;
  readonly countTokens: (text: string) => number;
  readonly reportFault: (tool: string, error: unknown) => void;
  /** Epoch milliseconds. @default the real clock; the control store's clock for decisions of operators */
  readonly now: (() => number) | undefined;
}

/** Creates the services of limits. @param store @default memory @throws ToolSearchError `INVALID_CONFIGURATION` */
export function createLimits(
  { rules, ...settings }: SettingsOf<typeof limitsSchema>,
  store: LimitStore | undefined,
  { control, events, maxResultTokens, countTokens, reportFault, now }: LimitParts,
) {
  const { cost } = settings;
  const tokensOf = (tool?: ToolDefinition) => settings.resultTokens ?? maxResultTokens(tool) ?? RESULT_TOKENS;
  const resultTokens = tokensOf();
  const units = Object.keys(cost);
  // `part()` names the given type; parsed limits have their defaults.
  const own = ownLimits(rules as readonly ToolLimit[], units, resultTokens);
  const counters = store ?? new MemoryLimitStore(now);
  const stored = () => control.current().of(limitKind);
  const clock = now ?? (() => control.now());
  return {
    limits: new CallLimits({
      store: counters,
      own,
      stored,
      settings,
      resultTokens: tokensOf,
      countTokens,
      events,
      reportFault,
    }),
    toolLimits: new ToolLimits({ plane: control, store: counters, own, units, resultTokens, events, now: clock }),
    completionLimit: new CompletionLimit(settings.completionsPerMinute, events, now ?? Date.now),
    sweeping: new LimitSweeping(counters),
  };
}

function ownLimits(rules: readonly ToolLimit[], units: readonly string[], resultTokens: number): LimitSet {
  const ids = rules.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) {
    throw new ToolSearchError('INVALID_CONFIGURATION', `Two limits have the id ${twice}.`, {
      hint: 'Refusals name the id: give each limit of limits.rules its own.',
    });
  }
  for (const limit of rules) checkCountable(limit, units, resultTokens, 'INVALID_CONFIGURATION');
  return new LimitSet(rules, 'code');
}
