import { api } from '../api/client.js';
import { status } from './live.js';
import { tenant } from './operator.js';
import { useData } from './use-data.js';

const MOST_HELD = 50;
const MOST_APPROVALS = 10;

/** How many decisions wait on a screen, by its id, in words; a screen where none waits is left out. */
export function useWaiting(): { readonly quarantine?: string; readonly approvals?: string } {
  const of = tenant.value ?? '';
  const held = useData(`waiting definitions ${of}`, async (signal) => {
    const { items, next } = await api('GET quarantine', { query: { limit: MOST_HELD }, signal });
    return { waiting: items.filter(({ suspicion, verdict }) => suspicion !== undefined && !verdict).length, next };
  });
  const asked = useData(
    `waiting approvals ${of}`,
    (signal) => api('GET approvals', { query: { status: 'pending', limit: MOST_APPROVALS }, signal }),
    true,
  );
  // For an operator of some tenants, the count has shared tools too, on which they do not decide.
  const reported = tenant.value === undefined ? (status.value?.counts.reported ?? 0) : 0;
  const definitions = (held.data?.waiting ?? 0) + reported;
  const approvals = asked.data?.items.length ?? 0;
  return {
    ...(definitions > 0 && { quarantine: inWords(definitions, held.data?.next) }),
    ...(approvals > 0 && { approvals: inWords(approvals, asked.data?.next) }),
  };
}

function inWords(waiting: number, next: string | undefined): string {
  return `${waiting}${next === undefined ? '' : '+'}`;
}
