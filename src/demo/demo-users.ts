import type { User } from '../auth/user.js';

interface DemoUser {
  readonly userId: string;
  readonly plan: User['plan'];
}

export type DemoTenant = 'acme' | 'globex';

export const DEMO_USERS: Readonly<Record<DemoTenant, DemoUser>> = {
  acme: { userId: 'ada', plan: 'business' },
  globex: { userId: 'homer', plan: 'starter' },
};

/** The operator who signs in to the console of the demo. */
export const DEMO_OPERATOR_TOKEN = 'demo-operator-token';
