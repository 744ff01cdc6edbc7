import { createHash, timingSafeEqual } from 'node:crypto';
import type { User } from './user.js';

/** Looks a bearer token up. */
export type UserLookup = (token: string) => User | undefined;

const ENTRY = /^(?<token>[^:,\s]{8,}):(?<tenant>[\w-]+):(?<id>[\w-]+):(?<plan>starter|business)(:(?<roles>[\w|-]+))?$/;

interface DemoUser {
  readonly digest: Buffer;
  readonly user: User;
}

/** Looks users up by the tokens of `DEMO_TOKENS`. @throws as {@link demoTenants} */
export function demoTokens(text: string | undefined): UserLookup {
  const users = demoUsers(text);
  return (token) => {
    const asked = digest(token);
    // Every entry is compared in constant time, so that answers tell nothing about a token that is nearly right.
    return users.reduce<User | undefined>(
      (found, { digest: known, user }) => (timingSafeEqual(known, asked) ? user : found),
      undefined,
    );
  };
}

/**
 * The tenants that have a token in `DEMO_TOKENS`: `token:tenant:user:plan[:role|role]`, separated by commas. Operators, who
 * have the role `admin`, are no tenants.
 *
 * @throws Error when an entry cannot be read; the entry is not repeated, it holds a token
 */
export function demoTenants(text: string | undefined): readonly string[] {
  const tenants = demoUsers(text).filter(({ user }) => !user.roles.includes('admin'));
  return [...new Set(tenants.map(({ user }) => user.tenantId))];
}

function demoUsers(text: string | undefined): readonly DemoUser[] {
  return (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry, index) => {
      const found = ENTRY.exec(entry)?.groups;
      if (!found) throw new Error(`DEMO_TOKENS: entry ${index + 1} is not token:tenant:user:plan[:role|role]`);
      const { token = '', tenant = '', id = '', plan, roles } = found;
      const user: User = { id, tenantId: tenant, plan: plan as User['plan'], roles: roles?.split('|') ?? [] };
      return { digest: digest(token), user };
    });
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
