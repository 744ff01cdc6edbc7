import type { ComponentChildren } from 'preact';
import { tenant } from '../state/operator.js';
import { useParameter } from '../state/route.js';
import { useDebounced } from './use-debounced.js';

interface ListFilter {
  /** Parts of the query of the route that lists. */
  readonly query: { readonly tenantId: string; readonly contains?: string };
  readonly isOn: boolean;
  readonly fields: ComponentChildren;
}

/**
 * Fields that narrow a long list.
 *
 * @param contains what the field for words looks through; undefined: the route takes no words
 */
export function useListFilter(contains?: 'switches' | 'definitions'): ListFilter {
  const [tenantId, setTenant] = useParameter('tenant');
  const [words, setWords] = useParameter('contains');
  const typed = useDebounced(tenantId.trim());
  // An operator of one tenant does not see that field, so a link of somebody else must not filter by it.
  const query = { tenantId: tenant.value === undefined ? typed : '', contains: useDebounced(words.trim()) };
  return {
    query: contains === undefined ? { tenantId: query.tenantId } : query,
    isOn: query.tenantId !== '' || query.contains !== '',
    fields: (contains !== undefined || tenant.value === undefined) && (
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        {contains !== undefined && (
          <label>
            {contains === 'switches' ? 'Target or reason contains' : 'Tool or source contains'}
            <input name="words" type="search" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
          </label>
        )}
        {tenant.value === undefined && (
          <label>
            Of tenant
            <input name="of-tenant" value={tenantId} onInput={(event) => setTenant(event.currentTarget.value)} />
          </label>
        )}
      </form>
    ),
  };
}
