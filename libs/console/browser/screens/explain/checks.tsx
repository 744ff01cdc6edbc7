import type { LayerAnswer } from '../../api/routes.js';
import { Text } from '../../parts/text.js';
import { checkName, counted, isTelling } from '../../parts/words.js';

const MARK = { pass: '✓', approve: '?', deny: '✗', not_reached: '·' } as const;
const WORD = { pass: 'passes', approve: 'asks for an approval', deny: 'refuses', not_reached: '' } as const;

interface ChecksProps {
  readonly layers: readonly LayerAnswer[];
  /** The check that decides; undefined where all pass. */
  readonly decisive: LayerAnswer | undefined;
}

/** All checks of a decision in their order, folded: the one that decides is shown above them. */
export function Checks({ layers, decisive }: ChecksProps) {
  const made = layers.filter(({ verdict }) => verdict !== 'not_reached');
  const left = layers.filter(({ verdict }) => verdict === 'not_reached').map(({ layer }) => checkName(layer));
  const passed = made.filter(({ verdict }) => verdict === 'pass').length;
  return (
    <details>
      <summary>
        {counted(passed, 'check passes', 'checks pass')}
        {left.length > 0 && `, ${counted(left.length, 'was not looked at', 'were not looked at')}`}
      </summary>
      <ol class="layers">
        {made.map(({ layer, verdict, rule, reason }) => (
          <li
            key={layer}
            class={`layer layer-${verdict}`}
            aria-current={layer === decisive?.layer ? 'true' : undefined}
          >
            <span class="mark" aria-hidden="true">
              {MARK[verdict]}
            </span>
            <span>
              <strong>
                <Text value={checkName(layer)} max={60} />
              </strong>{' '}
              {WORD[verdict]}
              {reason !== '' && (
                <>
                  : <Text value={reason} />
                </>
              )}
              {(verdict === 'deny' || verdict === 'approve') && isTelling(rule) && (
                <>
                  <br />
                  <code class="muted">
                    <Text value={rule} max={160} />
                  </code>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
      {left.length > 0 && (
        <p class="muted">
          Not looked at, because a check above refuses; they may refuse too: <Text value={left.join(', ')} max={300} />.
        </p>
      )}
    </details>
  );
}
