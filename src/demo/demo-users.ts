import type { User } from '../auth/user.js';

/** A demo user, as a bearer guard would find it. */
interface DemoUser {
  readonly userId: string;
  readonly plan: User['plan'];
}

/** The demo's tenants. */
export type DemoTenant = 'acme' | 'globex';

/** Both tenants' demo users. */
export const DEMO_USERS: Readonly<Record<DemoTenant, DemoUser>> = {
  acme: { userId: 'ada', plan: 'business' },
  globex: { userId: 'homer', plan: 'starter' },
};
