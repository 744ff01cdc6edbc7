import type { QuarantinedDetail } from '../../api/routes.js';
import { Text } from '../../parts/text.js';
import { fieldPath } from './field-path.js';

type Changed = Pick<QuarantinedDetail, 'changes' | 'finding' | 'verdict'>;

/** Where a definition differs from the accepted one: that in red, this in green. */
export function Changes({ of: { changes, finding, verdict } }: { readonly of: Changed }) {
  return (
    <>
      {changes.length > 0 && !finding && !verdict && (
        <p>
          <strong>Read the change: no inspector has reported it.</strong>
        </p>
      )}
      <ul class="changes" aria-label="What changed">
        {changes.map(({ path, before, after }) => (
          <li key={path}>
            <code>
              <Text value={fieldPath(path)} max={200} />
            </code>
            {before !== undefined && (
              <del>
                <span class="unseen">before: </span>
                <Text value={shown(before)} max={600} />
              </del>
            )}
            {after !== undefined && (
              <ins>
                <span class="unseen">now: </span>
                <Text value={shown(after)} max={600} />
              </ins>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 1) ?? '');
}
