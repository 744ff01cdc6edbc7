import type { JsonObject } from '../../json/json.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ControlPlane } from '../../access/control/control-plane.js';
import { invalidRequest } from '../../access/control/invalid-request.js';
import { notStored } from '../../access/control/made-decision.js';
import type { OperatorRequest } from '../../access/control/operator-request.js';
import { StoredRecords } from '../../access/control/stored-records.js';
import {
  activeProfile,
  type ActiveProfile,
  type GivenProfile,
  givenProfile,
  profileName,
  type StoredProfile,
} from './profile.js';
import { profileKind } from './profile-kind.js';

/** One profile, from the options and from the store. At least one of `code` and `stored` is set. */
export interface ProfileStatus {
  readonly name: string;
  /** The profile in the options of the gateway. */
  readonly code?: GivenProfile;
  /** The profile of operators. Beside `code` it narrows further. */
  readonly stored?: StoredProfile;
}

/** The profiles and settings that a gateway declares. */
export interface DeclaredProfiles {
  /** The profiles in its options, by name. */
  readonly profiles: Readonly<Record<string, GivenProfile>>;
  /** Whether it checks scopes. Where it does not, a profile with scopes is unknown. */
  readonly checksScopes: boolean;
}

/**
 * The profiles of the gateway: those in its options, and those that operators set at run time. A stored profile under
 * the name of one in the options narrows that one further; the name of no other profile makes a new one.
 */
export class ToolProfiles {
  readonly #records;
  #code: ReadonlyMap<string, GivenProfile> = new Map();
  #checksScopes = true;
  /** Active profiles with the revision of the stored one, 0 without: the same object until the profile changes. */
  #active = new Map<string, { readonly revision: number; readonly profile: ActiveProfile }>();

  constructor(
    private readonly plane: ControlPlane,
    events: ToolEvents,
    now?: () => number,
  ) {
    this.#records = new StoredRecords(profileKind, plane, events, now);
  }

  /** Replaces the profiles in options. The gateway calls it once, when it is created. */
  declare({ profiles, checksScopes }: DeclaredProfiles): void {
    this.#code = new Map(Object.entries(profiles));
    this.#checksScopes = checksScopes;
    this.#active = new Map();
  }

  /**
   * The profile as it holds now; undefined for an unknown name. Returns the same object until the profile changes.
   *
   * @throws ToolSearchError `GATE_CLOSED` while it is not known what operators decided
   */
  active(name: string): ActiveProfile | undefined {
    const stored = this.plane.current().of(profileKind).get(name);
    const code = this.#code.get(name);
    const known = this.#active.get(name);
    if (!code && !stored) {
      this.#active.delete(name);
      return undefined;
    }
    const given = [...(code ? [code] : []), ...(stored ? [stored.profile] : [])];
    const revision = stored?.revision ?? 0;
    const profile = known?.revision === revision ? known.profile : activeProfile(name, given);
    if (profile !== known?.profile) this.#active.set(name, { revision, profile });
    return profile.scopes.length === 0 || this.#checksScopes ? profile : undefined;
  }

  /** Profiles by name, at most `limit` after `after`. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async list(page: { readonly after?: string; readonly limit: number }): Promise<readonly ProfileStatus[]> {
    const { after = '', limit } = page;
    const stored = new Map((await this.#records.list(page)).map((each) => [each.name, each]));
    const names = new Set([...stored.keys(), ...[...this.#code.keys()].filter((name) => name > after)]);
    return [...names]
      .toSorted((a, b) => (a < b ? -1 : 1))
      .slice(0, limit)
      .map((name) => this.#statusOf(name, stored.get(name)));
  }

  /** Returns a profile, or undefined. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async find(name: string): Promise<ProfileStatus | undefined> {
    // Another text is the name of no profile, and no key of a store.
    if (!profileName().safeParse(name).success) return undefined;
    const stored = await this.#records.find(name);
    return stored || this.#code.has(name) ? this.#statusOf(name, stored) : undefined;
  }

  /**
   * Sets a profile. When this resolves, this process applies it; the others within a second.
   *
   * @throws ToolSearchError `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async set(name: string, given: GivenProfile, request: OperatorRequest): Promise<StoredProfile> {
    const profile = givenProfile(name, given);
    if ((profile.scopes?.length ?? 0) > 0 && !this.#checksScopes) {
      throw invalid('its scopes would be checked by nobody, because the gateway has no oauth');
    }
    const value = { id: name, profile: JSON.parse(JSON.stringify(profile)) as JsonObject };
    return this.#records.put({ action: 'profile.set', subject: name, value }, request);
  }

  /**
   * Removes a stored profile; one in the options holds again as it is there. Returns the control revision of the change.
   *
   * @throws ToolSearchError `NOT_FOUND`, `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`; `STATIC_POLICY` for
   *   a profile that is in the options alone
   */
  async remove(name: string, request: OperatorRequest): Promise<number> {
    const status = await this.find(name);
    if (status && !status.stored) {
      throw new ToolSearchError('STATIC_POLICY', 'This profile is in the options of the gateway.', {
        hint: 'Change the option profiles and deploy; operators can only narrow it.',
      });
    }
    if (!profileName().safeParse(name).success) throw notStored(profileKind);
    const removal = { action: 'profile.removed', subject: name, key: name } as const;
    const { revision } = await this.#records.remove(removal, request);
    return revision;
  }

  #statusOf(name: string, stored: StoredProfile | undefined): ProfileStatus {
    const code = this.#code.get(name);
    return { name, ...(code && { code }), ...(stored && { stored }) };
  }
}

const invalid = (message: string) => invalidRequest('The profile', `${message}.`);
