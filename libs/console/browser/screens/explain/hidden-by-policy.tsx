import type { LayerAnswer } from '../../api/routes.js';
import type { Caller } from '../../parts/caller/caller.js';
import { Text } from '../../parts/text.js';
import { linkTo } from '../../state/route.js';

interface HiddenByPolicyProps {
  readonly of: LayerAnswer;
  readonly tool: string;
  readonly caller: Caller;
}

/** What a visibility policy was given when it hid a tool. Why it did so is known only if it says so. */
export function HiddenByPolicy({ of: { rule }, tool, caller }: HiddenByPolicyProps) {
  return (
    <section class="card" aria-label="What the visibility policy looked at">
      <p>
        A visibility policy is code of your application.{' '}
        {rule === 'fault'
          ? 'While it fails, it hides every tool from this caller.'
          : 'Which fields of these count, only its code says, or the reason that it gives.'}
      </p>
      {rule !== 'fault' && (
        <ul>
          <li>
            the tool <a href={linkTo('tools', { contains: tool, open: tool })}>with its tags and what it does</a>
          </li>
          <li>
            the caller:{' '}
            {Object.entries(caller).map(([field, value], index) => (
              <>
                {index > 0 && ', '}
                <Text value={field} max={60} />{' '}
                <code>
                  <Text value={typeof value === 'string' ? value : (JSON.stringify(value) ?? '')} max={120} />
                </code>
              </>
            ))}
          </li>
        </ul>
      )}
    </section>
  );
}
