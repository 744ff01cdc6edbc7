import { stableHash } from '../../../json/stable-hash.js';
import type { JsonObject } from '../../../json/json.js';
import type { CacheRule } from '../../../tool/source/cache-rule.js';
import type { ToolContext } from '../../../tool/tool-context.js';
import type { ToolDefinition } from '../../../tool/tool-definition.js';
import type { ToolExecutor } from '../../../tool/tool-source.js';

/** A call whose result may be stored, as far as the result depends on it. */
export interface CachedCall {
  readonly tool: ToolDefinition;
  readonly executor: ToolExecutor;
  readonly context: ToolContext;
  /** The agent and those it acts for. */
  readonly agentIds?: readonly string[] | undefined;
  /** The arguments as JSON, which the key contains. */
  readonly input: JsonObject;
  /** The arguments as the tool receives them, which its guards see. */
  readonly value: unknown;
}

/** Where the result of a call is stored. */
export interface CachePlace {
  readonly tenantId: string;
  readonly key: string;
  /** Hash of the caller: the error of one caller is never given to another. */
  readonly principal: string;
}

// A load makes new executors, so what a source answered before it was loaded again is not found any more. A source of one
// request has executors of its own, too.
const numbers = new WeakMap<ToolExecutor, number>();
let executors = 0;

function numberOf(executor: ToolExecutor): number {
  let number = numbers.get(executor);
  if (number === undefined) numbers.set(executor, (number = ++executors));
  return number;
}

/**
 * The place of a call's result. The key contains the definition's hash, the arguments, and the caller unless the rule
 * shares results.
 *
 * @throws the error of the rule's `key`; TypeError if that returns something other than a text
 */
export function placeOf({ shared, key: keyOf }: CacheRule, call: CachedCall): CachePlace {
  const { tool, executor, context, agentIds = [], input } = call;
  // A run lasts one request or one task; with its id in the key, nothing would ever be found.
  const { runId: _run, tenantId, userId, roles, sessionId, agentId, admin, ...own } = context;
  const extra: unknown = keyOf?.(context);
  if (keyOf && typeof extra !== 'string') throw new TypeError('cache.key() returned something other than a text');
  const caller = { tenantId, userId, roles: roles?.toSorted(), sessionId, agentId, agentIds, admin };
  const principal = stableHash([caller, own]);
  const isOfAll = shared === 'all' && tool.owner === '';
  const sharing = isOfAll ? ['all'] : shared ? ['tenant', tenantId] : ['caller', caller, keyOf ? null : own];
  const key = stableHash([tool.hash, numberOf(executor), sharing, extra ?? null, input]);
  return { tenantId: isOfAll ? '' : tenantId, key, principal };
}
