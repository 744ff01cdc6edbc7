import type { Approval } from '../../api/decision-types.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { counted } from '../../parts/words.js';

/** The arguments of the newest call that waits, as the record has them; otherwise why they are not shown. */
export function WaitingArguments({ of: { status, call, recordsArguments } }: { readonly of: Approval }) {
  if (status !== 'pending') return <span class="muted">shown only while it waits</span>;
  if (!recordsArguments) return <span class="muted">arguments are not recorded</span>;
  if (!call) return <span class="muted">no call is recorded: the tool may only have been loaded</span>;
  return (
    <>
      {call.arguments === undefined ? (
        <span class="muted">
          {counted(call.argumentBytes, 'byte')}, left out: longer than <code>record.maxChars</code>, or not redacted
        </span>
      ) : (
        (call.shown ?? call.arguments).split('\n').map((line, index) => (
          <div key={index}>
            <code>
              <Text value={line} max={500} />
            </code>
          </div>
        ))
      )}
      <br />
      <span class="muted">
        called <Time at={call.at} />
      </span>
    </>
  );
}

/** How the application turns the recording of arguments on. */
export function ArgumentsMissing() {
  return (
    <p class="muted">
      Arguments are shown of tools that the options of <code>ToolSearchModule</code> name in{' '}
      <code>record.arguments</code>, with <code>redaction</code> set, which removes secrets from them first.
    </p>
  );
}
