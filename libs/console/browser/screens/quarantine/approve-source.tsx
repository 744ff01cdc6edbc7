import { useState } from 'preact/hooks';
import { api } from '../../api/client.js';
import type { QuarantinedAnswer } from '../../api/routes.js';
import { DecideButton } from '../../parts/decide-button.js';
import { DecisionDialog } from '../../parts/dialog.js';
import { Name, Text } from '../../parts/text.js';
import { counted } from '../../parts/words.js';

interface OpenSource {
  readonly source: string;
  readonly owner: string;
  readonly tools: readonly QuarantinedAnswer[];
  /** Tools that an inspector suspects. */
  readonly leftOut: number;
}

/**
 * Approves what a source has in quarantine, as it was seen: a tool that came since is a conflict. What an inspector suspects is
 * left out and decided on by itself.
 */
export function ApproveSource({ tools }: { readonly tools: readonly QuarantinedAnswer[] }) {
  const [open, setOpen] = useState<OpenSource>();
  const sources = new Map<string, OpenSource>();
  for (const tool of tools) {
    if (tool.suspicion === undefined || tool.verdict) continue;
    const { source, owner } = tool;
    const key = JSON.stringify([owner, source]);
    const known = sources.get(key) ?? { source, owner, tools: [], leftOut: 0 };
    sources.set(
      key,
      tool.finding ? { ...known, leftOut: known.leftOut + 1 } : { ...known, tools: [...known.tools, tool] },
    );
  }
  return (
    <p class="actions">
      {severalOf(sources).map(([key, source]) => (
        <DecideButton key={key} onClick={() => setOpen(source)}>
          Approve all {source.tools.length} of <Name of={source.source} />…
        </DecideButton>
      ))}
      {open && (
        <DecisionDialog
          title={
            <>
              Approve all {open.tools.length} definitions of <Text value={open.source} max={120} />?
            </>
          }
          action="Approve all"
          onClose={() => setOpen(undefined)}
          decide={(reason) =>
            api('POST quarantine/approve', {
              body: { source: open.source, owner: open.owner, reason, confirm: open.tools.map(({ id }) => id) },
            })
          }
        >
          <p>
            Every caller who may use these tools gets exactly these definitions, on every instance. Nobody can use them
            while they are held back.
          </p>
          {open.leftOut > 0 && (
            <p class="bad">
              {counted(open.leftOut, 'suspicious definition')} of this source: left out. Decide on each by itself.
            </p>
          )}
          <ul>
            {open.tools.map(({ id, name }) => (
              <li key={id}>
                <Text value={name} max={120} />
              </li>
            ))}
          </ul>
        </DecisionDialog>
      )}
    </p>
  );
}

/** The sources of more than one tool: a single one is approved where its changes are read. */
function severalOf(sources: ReadonlyMap<string, OpenSource>) {
  return [...sources].filter(([, { tools }]) => tools.length > 1);
}
