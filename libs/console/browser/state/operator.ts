import { computed, signal } from '@preact/signals';
import type { MeAnswer } from '../api/routes.js';

/** Who is signed in; undefined until it was asked. */
export const operator = signal<MeAnswer | undefined>(undefined);

/** The tenant that an operator of several has chosen. */
export const chosenTenant = signal('');

/** The only tenant that is shown; undefined for an operator of all tenants. */
export const tenant = computed(() => {
  const tenants = operator.value?.tenants ?? 'all';
  if (tenants === 'all') return undefined;
  return tenants.includes(chosenTenant.value) ? chosenTenant.value : tenants[0];
});

export const isReadOnly = computed(() => operator.value?.readOnly ?? false);
