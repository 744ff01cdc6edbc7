import type { ComponentChildren } from 'preact';
import type { CallAnswer } from '../../api/routes.js';
import { callerOf } from '../../parts/caller/recorded-callers.js';
import { UnseenName } from '../../parts/text.js';
import { linkTo } from '../../state/route.js';

interface AskWhyProps {
  readonly of: CallAnswer;
  readonly children: ComponentChildren;
}

/** Opens "Why not?" with the tool and the caller of a recorded call. */
export function AskWhy({ of: call, children }: AskWhyProps) {
  const to = linkTo('explain', { tool: call.tool, caller: callerOf(call), at: String(call.at) });
  return (
    <a class="button" href={to}>
      {children}
      <UnseenName of={call.tool} />
    </a>
  );
}
