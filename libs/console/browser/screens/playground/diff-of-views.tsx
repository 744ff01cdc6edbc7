import type { ComponentChildren } from 'preact';
import type { ViewDiffAnswer, ViewSide } from '../../api/routes.js';
import { count } from '../../parts/bar.js';
import { Text } from '../../parts/text.js';
import { checkName, counted, isTelling } from '../../parts/words.js';

/** What one caller sees and the other does not, and which check decides. */
export function DiffOfViews({ views: { both, left, right } }: { readonly views: ViewDiffAnswer }) {
  return (
    <section aria-label="Difference of the two callers" aria-live="polite">
      <p>
        Both see <strong>{counted(both, 'tool')}</strong>.{left.only + right.only === 0 && ' They see the same.'}
      </p>
      <div class="pair">
        <Side title="Only the first caller" hiddenFrom="the second" side={left} />
        <Side title="Only the second caller" hiddenFrom="the first" side={right} />
      </div>
    </section>
  );
}

interface SideProps {
  readonly title: ComponentChildren;
  readonly hiddenFrom: ComponentChildren;
  readonly side: ViewSide;
}

function Side({ title, hiddenFrom, side: { only, tools } }: SideProps) {
  return (
    <div>
      <h3>
        {title} ({count(only)})
      </h3>
      {only === 0 && <p class="empty">Nothing.</p>}
      <ul class="differences">
        {tools.map(({ name, layer, rule, reason }) => (
          <li key={name}>
            <strong>
              <Text value={name} max={120} />
            </strong>
            {layer !== undefined && (
              <>
                :{' '}
                <strong>
                  <Text value={checkName(layer)} max={60} />
                </strong>{' '}
                hides it from {hiddenFrom}, <Text value={reason ?? ''} />{' '}
                {isTelling(rule ?? '') && (
                  <code class="muted">
                    <Text value={rule ?? ''} max={120} />
                  </code>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
      {only > tools.length && <p class="muted">and {count(only - tools.length)} more</p>}
    </div>
  );
}
