import type { BlastRadius } from '../api/types.js';
import { count } from './bar.js';
import { Text } from './text.js';

type Used = Pick<
  BlastRadius,
  | 'activations'
  | 'isCut'
  | 'tenants'
  | 'callsLastHour'
  | 'refusedLastHour'
  | 'isCallsCut'
  | 'callingTenants'
  | 'isRecorded'
>;

/** Who uses tools now: the sessions and runs that have them, and the calls of the last hour. */
export function Uses({ of }: { readonly of: Used }) {
  const { activations, isCut, tenants, callsLastHour, refusedLastHour, isCallsCut, callingTenants, isRecorded } = of;
  return (
    <>
      in use in {count(activations)}
      {isCut && ' or more'} {activations === 1 ? 'session or run' : 'sessions and runs'}
      <OfTenants names={tenants} />;{' '}
      {isRecorded ? (
        <>
          {count(callsLastHour)}
          {isCallsCut && ' or more'} {callsLastHour === 1 ? 'call' : 'calls'} in the last hour
          <OfTenants names={callingTenants} />
          {refusedLastHour > 0 && `, of them ${count(refusedLastHour)} refused`}
        </>
      ) : (
        'calls are not recorded'
      )}
    </>
  );
}

function OfTenants({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <>
      {' '}
      of <Text value={names.join(', ')} />
    </>
  );
}
