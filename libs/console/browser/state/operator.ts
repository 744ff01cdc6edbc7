import { computed, signal } from '@preact/signals';

/** Who is signed in, as `GET me` answers. */
export interface Operator {
  readonly actor: string;
  /** Whom they may see and decide for. */
  readonly tenants: readonly string[] | 'all';
  readonly readOnly: boolean;
}

/** Undefined until it was asked. */
export const operator = signal<Operator | undefined>(undefined);

/** The tenant that an operator of several has chosen. */
export const chosenTenant = signal('');

/** The only tenant that is shown; undefined for an operator of all tenants. */
export const tenant = computed(() => {
  const tenants = operator.value?.tenants ?? 'all';
  if (tenants === 'all') return undefined;
  return tenants.includes(chosenTenant.value) ? chosenTenant.value : tenants[0];
});

export const isReadOnly = computed(() => operator.value?.readOnly ?? false);
