import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import { isObject } from '@tool-search/core/internal';

/** Where a request names a tenant, for example `query.tenantId` or `body.context.tenantId`. */
export type TenantPlace = `${'query' | 'body' | 'params'}.${string}`;

const TENANT_PLACES = Symbol('TENANT_PLACES');

/**
 * Opens a route to operators of some tenants. Each place must name one of their tenants. Without places, the answer
 * must be about nobody but the operator. A route without this decorator is for operators of all tenants.
 *
 * The answer of such a route must depend on the named tenants alone, and on what all tenants share.
 */
export const TenantIn = (...places: readonly TenantPlace[]): CustomDecorator<symbol> =>
  SetMetadata(TENANT_PLACES, places);

/** The places of a route; undefined if it is for operators of all tenants. */
export function tenantPlaces(handler: object): readonly TenantPlace[] | undefined {
  return Reflect.getMetadata(TENANT_PLACES, handler) as readonly TenantPlace[] | undefined;
}

/** Whether each place of the request holds one of the tenants, as a text. */
export function namesOnly(tenants: readonly string[], request: object, places: readonly TenantPlace[]): boolean {
  return places.every((place) => {
    const named = place.split('.').reduce<unknown>(ownField, request);
    return typeof named === 'string' && tenants.includes(named);
  });
}

// `request.query` is a getter of Express's prototype; fields of its value are the caller's.
function ownField(value: unknown, field: string, index: number): unknown {
  if (!isObject(value)) return undefined;
  return index === 0 || Object.hasOwn(value, field) ? value[field] : undefined;
}
