import type { SettingsOf } from '../../options/options.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ToolSource } from '../../tool/tool-source.js';
import type { AuditTrail } from '../control/audit-trail.js';
import { CredentialSeal } from './credential-seal.js';
import { MemoryUserCredentialStore } from './memory-user-credential-store.js';
import { sealingKeys, type userCredentialSchema } from './user-credential-options.js';
import type { UserCredentialStore } from './user-credential-store.js';
import { UserCredentials } from './user-credentials.js';

interface Parts {
  readonly events: ToolEvents;
  readonly trail: AuditTrail;
  readonly catalog: {
    onSource(prepare: (source: ToolSource) => void): void;
    source(name: string, owner?: string): ToolSource | undefined;
  };
  readonly now: (() => number) | undefined;
}

/**
 * Creates the service of users' accounts, and gives each source with an authorizer the tokens of its users.
 *
 * @param settings absent: a source with an authorizer is refused
 * @param store @default memory
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function createUserCredentials(
  settings: SettingsOf<typeof userCredentialSchema> | undefined,
  store: UserCredentialStore | undefined,
  { events, trail, catalog, now = Date.now }: Parts,
): UserCredentials {
  const credentials = new UserCredentials(
    settings && {
      ...settings,
      store: store ?? new MemoryUserCredentialStore(),
      seal: new CredentialSeal(sealingKeys(settings.keys)),
      events,
      trail,
      source: (name, owner) => catalog.source(name, owner),
      now,
    },
  );
  catalog.onSource((source) => {
    if (source.authorizer) source.useTokens?.(credentials.tokensOf(source, source.authorizer));
  });
  return credentials;
}
