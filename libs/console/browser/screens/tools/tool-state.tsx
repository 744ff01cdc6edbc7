import type { CatalogTool, ToolStateAnswer } from '../../api/routes.js';
import { Text } from '../../parts/text.js';
import { checkName } from '../../parts/words.js';

interface CatalogStateProps {
  readonly tool: CatalogTool;
  /** Whether one tenant is asked about, otherwise everybody. */
  readonly isForTenant: boolean;
}

/** What holds for everybody, or for every caller of a tenant: what no visibility policy can give back. */
export function CatalogState({ tool, isForTenant }: CatalogStateProps) {
  const { killedBy, suspicion, finding, verdict, loading, kind, decision } = tool;
  if (killedBy !== undefined) return <span class="bad">turned off</span>;
  if (verdict === 'rejected') return <span class="bad">rejected</span>;
  if (suspicion !== undefined && verdict !== 'approved') return <span class="bad">held back</span>;
  if (decision?.outcome === 'deny') return <Refused layer={decision.layer} reason={decision.reason} />;
  if (decision?.outcome === 'approve') return <span class="warn">needs an approval</span>;
  if (finding && verdict === undefined)
    return (
      <span class="warn">
        suspicious: <Text value={finding.code} max={60} />
      </span>
    );
  return (
    <span>
      usable{isForTenant && ' before visibility policies'},{' '}
      <span class="muted">
        {kind === undefined ? (
          loading === 'always' ? (
            'models always have it'
          ) : (
            'models search for it'
          )
        ) : (
          <Text value={kind.replaceAll('_', ' ')} max={60} />
        )}
      </span>
    </span>
  );
}

/** What holds for one caller, after all checks; nothing while it is not known. */
export function CallerState({ of }: { readonly of: ToolStateAnswer | undefined }) {
  if (!of) return <span class="muted">…</span>;
  const { outcome, layer, reason } = of;
  if (outcome === 'allow') return <span class="good">usable</span>;
  if (outcome === 'approve') return <span class="warn">needs an approval</span>;
  return <Refused layer={layer ?? ''} reason={reason ?? ''} />;
}

function Refused({ layer, reason }: { readonly layer: string; readonly reason: string }) {
  return (
    <>
      <span class="bad">
        <Text value={checkName(layer)} max={60} />
      </span>
      : <Text value={reason} max={120} />
    </>
  );
}
