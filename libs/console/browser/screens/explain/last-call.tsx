import { api } from '../../api/client.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { checkName } from '../../parts/words.js';
import { linkTo } from '../../state/route.js';
import { useData } from '../../state/use-data.js';
import { isAdmitted } from '../calls/admitted.js';

interface LastCallProps {
  readonly tool: string;
  readonly tenantId: string;
  /** `''`: nobody is named, so no call is theirs. */
  readonly userId: string;
}

/**
 * How the newest recorded call of the tool by this user was decided. Roles and other fields are not recorded, so what is decided
 * for the typed caller may have another reason than what its user meets.
 */
export function LastCall(asked: LastCallProps) {
  const read = async (signal: AbortSignal) => {
    const { items } = await api('GET calls', { query: { ...asked, kind: 'call', limit: 1 }, signal });
    return items[0] ?? null;
  };
  const { data } = useData(`last call ${JSON.stringify(asked)}`, asked.userId === '' ? undefined : read);
  if (!data) return null;
  return (
    <p class="note">
      The last recorded call, <Time at={data.at} />
      {isAdmitted(data) ? (
        ', was allowed'
      ) : (
        <>
          : the check{' '}
          <strong>
            <Text value={checkName(data.layer)} max={60} />
          </strong>{' '}
          {data.decision === 'approve' ? 'asked for an approval' : 'refused it'}: <Text value={data.reason} max={160} />
        </>
      )}
      . <a href={linkTo('calls', { ...asked })}>See the calls</a>
    </p>
  );
}
