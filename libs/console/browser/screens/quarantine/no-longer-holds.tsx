import type { QuarantinedAnswer } from '../../api/routes.js';
import { Text } from '../../parts/text.js';

/** The findings against a definition that was accepted. */
export function NoLongerHolds({ of: { suspicion, finding } }: { readonly of: QuarantinedAnswer }) {
  const reason = suspicion ?? finding?.reason;
  if (reason === undefined) return null;
  return (
    <>
      ; “
      <Text value={reason} max={160} />” no longer holds
    </>
  );
}
