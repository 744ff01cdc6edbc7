import type { ListedApproval } from '../../api/routes.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { counted } from '../../parts/words.js';

/** The arguments of the one call that it covers, or of the newest call that waits; otherwise why they are not shown. */
export function WaitingArguments({ of: { covers, arguments: given, ...approval } }: { readonly of: ListedApproval }) {
  const { status, call, recordsArguments } = approval;
  if (covers === 'call') {
    return given === undefined ? (
      <span class="muted">its arguments are not stored any more</span>
    ) : (
      <Lines of={given} />
    );
  }
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
        <Lines of={call.shown ?? call.arguments} />
      )}
      <br />
      <span class="muted">
        called <Time at={call.at} />
      </span>
    </>
  );
}

/** Whether the arguments of the call that waits are not shown, because the application does not record them. */
export function lacksArguments({ covers, status, recordsArguments }: ListedApproval): boolean {
  return covers === 'session' && status === 'pending' && !recordsArguments;
}

function Lines({ of: text }: { readonly of: string }) {
  return (
    <>
      {text.split('\n').map((line, index) => (
        <div key={index}>
          <code>
            <Text value={line} max={500} />
          </code>
        </div>
      ))}
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
