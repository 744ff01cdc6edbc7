import { useState } from 'preact/hooks';
import { api, segment } from '../../api/client.js';
import type { Canary } from '../../api/decision-types.js';
import { DecisionDialog } from '../../parts/dialog.js';
import { Text } from '../../parts/text.js';

interface ShareDialogProps {
  /** The canary as it was seen. */
  readonly of: Canary;
  readonly onClose: () => void;
}

/** Sets the share of exactly the canary that was seen. */
export function ShareDialog({
  of: { tool, sharePct, declaredPct, stored, definitionHash },
  onClose,
}: ShareDialogProps) {
  const [typed, setTyped] = useState(String(sharePct));
  const share = Number(typed);
  const isShare = typed.trim() !== '' && share >= 0 && share <= 100;
  return (
    <DecisionDialog
      title="Change the share of this canary?"
      action="Change share"
      isReady={isShare}
      onClose={onClose}
      decide={(reason) =>
        api(`canary-shares/${segment(tool)}`, {
          method: 'PUT',
          body: { sharePct: share, definitionHash, reason, expectedRevision: stored?.revision ?? 0 },
        })
      }
    >
      <p>
        <Text value={tool} max={120} />: now {sharePct} % of the tenants get its new definition, {declaredPct} % are
        declared. A share that grows keeps its tenants. 0 stops the canary: every tenant gets the tool's own definition.
      </p>
      <label>
        Percent of the tenants
        <input
          name="share"
          type="number"
          min={0}
          max={100}
          step="any"
          required
          value={typed}
          aria-invalid={!isShare}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        {!isShare && <span class="wrong">Type a number from 0 to 100.</span>}
      </label>
    </DecisionDialog>
  );
}
