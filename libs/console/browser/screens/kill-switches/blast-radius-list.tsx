import type { BlastRadiusAnswer, SwitchPreviewBody } from '../../api/routes.js';
import { count } from '../../parts/bar.js';
import { Text } from '../../parts/text.js';
import { Uses } from '../../parts/uses.js';
import { SwitchedOff } from '../../parts/dry-run.js';
import { counted } from '../../parts/words.js';

const SHOWN = 12;

/** What a switch would turn off, and who uses it now. */
export function BlastRadiusList({
  radius,
  target,
}: {
  readonly radius: BlastRadiusAnswer;
  readonly target: SwitchPreviewBody;
}) {
  const { matched, tools, sources, alreadyOff, revision } = radius;
  return (
    <div class="radius" aria-live="polite">
      <p>
        <strong>{counted(matched, 'tool')}</strong>
        {sources.length > 0 && (
          <>
            {' '}
            of <Text value={sources.join(', ')} />
          </>
        )}
        {alreadyOff > 0 && `, ${count(alreadyOff)} of them off already`}; <Uses of={radius} />.
        {matched === 0 && ' One that comes later will be off.'}
        {revision > 0 && ' This target is off already: you would change its reason and its end.'}
      </p>
      {tools.length > 0 && (
        <ul class="inline">
          {tools.slice(0, SHOWN).map((name) => (
            <li key={name}>
              <code>
                <Text value={name} max={80} />
              </code>
            </li>
          ))}
          {matched > SHOWN && <li>and {count(matched - Math.min(SHOWN, tools.length))} more</li>}
        </ul>
      )}
      <SwitchedOff change="This" target={target} />
    </div>
  );
}
