import type { BlastRadiusAnswer } from '../api/routes.js';
import { count } from './bar.js';
import { Text } from './text.js';

/** The sessions and runs that have tools now. */
export function Uses({ of }: { readonly of: Pick<BlastRadiusAnswer, 'activations' | 'isCut' | 'tenants'> }) {
  const { activations, isCut, tenants } = of;
  return (
    <>
      in use in {count(activations)}
      {isCut && ' or more'} {activations === 1 ? 'session or run' : 'sessions and runs'}
      {tenants.length > 0 && (
        <>
          {' '}
          of <Text value={tenants.join(', ')} />
        </>
      )}
    </>
  );
}
