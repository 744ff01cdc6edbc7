import { createHash, timingSafeEqual } from 'node:crypto';
import type { User } from './user.js';

/** Returns the user of a bearer token; undefined for an unknown token. */
export type UserLookup = (token: string) => User | undefined;

const ENTRY = /^(?<token>[^:,\s]{8,}):(?<tenant>[\w-]+):(?<id>[\w-]+):(?<plan>starter|business)(:(?<roles>[\w|-]+))?$/;

interface DemoUser {
  readonly digest: Buffer;
  readonly user: User;
}

/** Creates a lookup for the tokens in `DEMO_TOKENS`. @throws Error as {@link demoTenants} */
export function demoTokens(text: string | undefined): UserLookup {
  const users = demoUsers(text);
  return (token) => {
    const asked = digest(token);
    // Compares all entries in constant time, so that the response time reveals nothing about similar tokens.
    return users.reduce<User | undefined>(
      (found, { digest: known, user }) => (timingSafeEqual(known, asked) ? user : found),
      undefined,
    );
  };
}

/**
 * The tenants with a token in `DEMO_TOKENS` (`token:tenant:user:plan[:role|role]`, comma-separated), without operators.
 *
 * @throws Error for an illegal entry; the message does not repeat it, because it contains a token
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
