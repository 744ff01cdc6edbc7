import type { ComponentChildren } from 'preact';
import type { CallRecord } from '../../api/usage-types.js';
import { Name } from '../../parts/text.js';
import { linkTo } from '../../state/route.js';

interface AskWhyProps {
  readonly of: CallRecord;
  readonly children: ComponentChildren;
}

/** Opens "Why not?" with the tool and the caller of a recorded call. */
export function AskWhy({ of: call, children }: AskWhyProps) {
  const to = linkTo('explain', { tool: call.tool, caller: callerOf(call), at: String(call.at) });
  return (
    <a class="button" href={to}>
      {children}
      <span class="unseen">
        {' '}
        <Name of={call.tool} />
      </span>
    </a>
  );
}

/** The caller of a call as JSON, as far as the record names it. */
function callerOf({ tenantId, userId, sessionId, runId, agentIds: [agentId = ''] }: CallRecord): string {
  const known = Object.entries({ tenantId, userId, sessionId, runId, agentId }).filter(([, id]) => id !== '');
  return JSON.stringify(Object.fromEntries(known), undefined, 1);
}
