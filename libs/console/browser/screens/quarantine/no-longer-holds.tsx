import type { Quarantined } from '../../api/decision-types.js';
import { Text } from '../../parts/text.js';

/** What was said against an accepted definition. */
export function NoLongerHolds({ of: { suspicion, finding } }: { readonly of: Quarantined }) {
  const said = suspicion ?? finding?.reason;
  if (said === undefined) return null;
  return (
    <>
      ; “
      <Text value={said} max={160} />” no longer holds
    </>
  );
}
