import type { QuarantinedAnswer } from '../api/routes.js';
import { useListFilter } from '../parts/list-filter.js';
import { Pages } from '../parts/pages.js';
import { Screen, Table } from '../parts/screen.js';
import { Name, Text } from '../parts/text.js';
import { Time } from '../parts/time.js';
import { ApproveSource } from './quarantine/approve-source.js';
import { HeldDefinition } from './quarantine/held-definition.js';
import { NoLongerHolds } from './quarantine/no-longer-holds.js';
import { linkWith, useParameter } from '../state/route.js';
import { Owner } from '../parts/owner.js';

/** Tools that wait for an operator, with exactly what changed. */
export function Quarantine() {
  const [open, setOpen] = useParameter('open');
  const filter = useListFilter('definitions');
  return (
    <Screen
      title="Quarantine"
      lead="Tools that are held back or suspicious. You decide about exactly one definition, by its hash."
    >
      {filter.fields}
      <h2>Held back, or decided before</h2>
      <Pages route="GET quarantine" query={filter.query} empty={filter.isOn ? NOTHING_FITS : 'Nothing is held back.'}>
        {(tools) => (
          <>
            <Held tools={tools} />
            <ApproveSource tools={tools} />
          </>
        )}
      </Pages>
      <h2>Suspicious, but usable</h2>
      <Pages
        route="GET reported"
        query={filter.query}
        empty={filter.isOn ? NOTHING_FITS : 'No usable tool is suspicious.'}
      >
        {(tools) => <Held tools={tools} />}
      </Pages>
      {open !== '' && <HeldDefinition key={open} id={open} onClose={() => setOpen('')} />}
    </Screen>
  );
}

const NOTHING_FITS = 'No definition fits.';

interface HeldProps {
  readonly tools: readonly QuarantinedAnswer[];
}

function Held({ tools }: HeldProps) {
  return (
    <Table caption="Definitions" columns={['Tool', 'Source', 'Why', 'Decision']}>
      {tools.map((tool) => {
        const { id, name, source, owner, suspicion, finding, verdict } = tool;
        return (
          <tr key={id}>
            <td>
              <a href={linkWith({ open: id })}>
                <Name of={name} />
              </a>
            </td>
            <td>
              <Text value={source} max={120} /> <Owner of={owner} />
            </td>
            <td>
              {verdict?.verdict === 'approved' ? (
                'accepted'
              ) : (
                <>
                  <Text value={suspicion ?? (finding ? '' : 'an operator has decided')} max={160} />
                  {finding && (
                    <span class="bad">
                      {suspicion !== undefined && '; '}suspicious: <Text value={finding.reason} max={160} />
                    </span>
                  )}
                </>
              )}
              {verdict?.verdict === 'approved' && <NoLongerHolds of={tool} />}
            </td>
            <td>
              {verdict ? (
                <>
                  {verdict.verdict === 'approved' ? 'accepted' : 'rejected'} by <Text value={verdict.actor} max={80} />{' '}
                  <Time at={verdict.decidedAt} />
                </>
              ) : (
                'yours to make'
              )}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
