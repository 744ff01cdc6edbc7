import { Inject, Injectable } from '@nestjs/common';
import type { Toolbox, ToolContext } from '@tool-search/core';
import { ToolProfiles } from '@tool-search/core/operators';
import { type ActiveProfile, type ExposureMode, narrowedToProfile } from '@tool-search/core/internal';
import { hash } from 'node:crypto';
import { GATEWAY_SETTINGS } from './tokens.js';
import type { GatewaySettings } from './tool-gateway.options.js';

/** One of the URLs of the gateway: how tools are shown there, and which. */
export interface Endpoint {
  /** `''`, `all`, or `p/<profile>`. */
  readonly route: string;
  readonly exposure: Extract<ExposureMode, 'bridge' | 'all' | 'deferred'>;
  readonly prefix: boolean;
  readonly instructions?: string | undefined;
  /** Scopes that a token needs here. */
  readonly scopes: readonly string[];
  /** Whether the bridge has a second tool, which calls only tools that read. */
  readonly readCalls: boolean;
  /** The client's prefix of listed names, where answers of the search have references to tools. @default they have none */
  readonly references?: string | undefined;
  /** @default all tools of the caller */
  readonly profile?: ActiveProfile;
}

/** Finds endpoints: of the options, and of the profiles as operators have set them. */
@Injectable()
export class Endpoints {
  readonly #fixed: ReadonlyMap<string, Endpoint>;
  readonly #ofProfiles = new WeakMap<ActiveProfile, Endpoint>();

  constructor(
    @Inject(GATEWAY_SETTINGS) private readonly settings: GatewaySettings,
    @Inject(ToolProfiles) private readonly profiles: ToolProfiles,
  ) {
    const { instructions, oauth, toolReferences: references } = settings;
    const readCalls = settings.readCalls === true;
    const { scopes, allScopes } = oauth ?? { scopes: [], allScopes: [] };
    const all = [...scopes, ...allScopes];
    this.#fixed = new Map([
      ['', { route: '', exposure: 'bridge', prefix: true, instructions, scopes, readCalls }],
      ['all', { route: 'all', exposure: 'all', prefix: true, instructions, scopes: all, readCalls, references }],
    ]);
    profiles.declare({ profiles: settings.profiles, checksScopes: oauth !== undefined });
  }

  /**
   * The endpoint of a route as of now; undefined for an unknown profile. The same object until the profile changes.
   *
   * @param route `''`, `all`, or `p/<profile>`
   * @throws ToolSearchError `GATE_CLOSED` for a profile, while it is not known what operators decided
   */
  of(route: string): Endpoint | undefined {
    const fixed = this.#fixed.get(route);
    if (fixed || !route.startsWith(PROFILE)) return fixed;
    const profile = this.profiles.active(route.slice(PROFILE.length));
    if (!profile) return undefined;
    let endpoint = this.#ofProfiles.get(profile);
    if (!endpoint) this.#ofProfiles.set(profile, (endpoint = this.#ofProfile(route, profile)));
    return endpoint;
  }

  #ofProfile(route: string, profile: ActiveProfile): Endpoint {
    const { exposure, prefix, instructions = this.settings.instructions } = profile;
    const scopes = [...(this.settings.oauth?.scopes ?? []), ...profile.scopes];
    const { readCalls: chosen } = this.settings;
    const readCalls = typeof chosen === 'boolean' ? chosen : chosen.includes(profile.name);
    const references = exposure === 'all' ? this.settings.toolReferences : undefined;
    return { route, exposure, prefix, instructions, scopes, readCalls, references, profile };
  }
}

const PROFILE = 'p/';

/** How an endpoint shows tools. The protocol allows a list that grows by activation in sessions only. */
export function exposureOf({ exposure }: Endpoint, isLegacy: boolean): Endpoint['exposure'] {
  return exposure === 'deferred' && !isLegacy ? 'bridge' : exposure;
}

/** Whether hosts of MCP Apps may open pages of tools: where every tool is listed by its name. */
export function showsApps({ exposure }: Endpoint): boolean {
  return exposure === 'all';
}

/**
 * The tools of an endpoint. Its activations belong to the caller, or to the profile of the caller.
 *
 * @param announcesApps whether the client is a host of MCP Apps: any other one would offer a page's own tools to its model
 */
export function narrowedTo(endpoint: Endpoint, toolbox: Toolbox, announcesApps: boolean): Toolbox {
  const { profile } = endpoint;
  const shown = announcesApps && showsApps(endpoint) ? toolbox.forAppHost() : toolbox;
  return profile === undefined ? shown : narrowedToProfile(shown, profile);
}

/** Identifies the person behind a context: whose sessions, streams and confirmations these are. */
export function principalOf({ tenantId, userId = '', agentId = '' }: ToolContext): string {
  return hash('sha256', JSON.stringify([tenantId, userId, agentId]));
}
