import type { ExposureMode, Toolbox, ToolContext, ToolPolicy } from '@tool-search/core';
import { hash } from 'node:crypto';
import type { GatewaySettings, ProfileSettings } from './tool-gateway.options.js';

/** One of the URLs of the gateway: how tools are shown there, and which. */
export interface Endpoint {
  /** `''`, `all`, or `p/<profile>`. */
  readonly route: string;
  readonly exposure: Extract<ExposureMode, 'bridge' | 'all' | 'deferred'>;
  readonly prefix: boolean;
  readonly instructions?: string | undefined;
  /** Scopes that a token needs here. */
  readonly scopes: readonly string[];
  /** @default all tools of the caller */
  readonly policy?: ToolPolicy;
}

/** The endpoint of a route; undefined for an unknown profile. */
export function endpointOf(
  route: string,
  { profiles, instructions, oauth }: Pick<GatewaySettings, 'profiles' | 'oauth'> & { readonly instructions?: string },
): Endpoint | undefined {
  const { scopes, allScopes } = oauth ?? { scopes: [], allScopes: [] };
  if (route === '') return { route, exposure: 'bridge', prefix: true, instructions, scopes };
  if (route === 'all') {
    return { route, exposure: 'all', prefix: true, instructions, scopes: [...scopes, ...allScopes] };
  }
  const name = route.slice('p/'.length);
  // Not an inherited member, such as `constructor`.
  const profile: ProfileSettings | undefined = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!profile) return undefined;
  const { exposure, prefix, allow, deny, requireTags } = profile;
  const needed = [...scopes, ...profile.scopes];
  const policy = {
    ...(allow && { allow }),
    ...(deny && { deny }),
    ...(requireTags && { requireTags }),
  };
  return { route, exposure, prefix, instructions: profile.instructions ?? instructions, scopes: needed, policy };
}

/** How an endpoint shows tools. The protocol allows a list that grows by activation in sessions only. */
export function exposureOf({ exposure }: Endpoint, isLegacy: boolean): Endpoint['exposure'] {
  return exposure === 'deferred' && !isLegacy ? 'bridge' : exposure;
}

/** The tools of an endpoint. Its activations belong to the caller, or to the profile of the caller. */
export function narrowedTo({ route, policy }: Endpoint, toolbox: Toolbox): Toolbox {
  return policy === undefined ? toolbox : toolbox.narrow({ ...policy, runId: `mcp/${route}` });
}

/** Identifies the person behind a context: whose sessions, streams and confirmations these are. */
export function principalOf({ tenantId, userId = '', agentId = '' }: ToolContext): string {
  return hash('sha256', JSON.stringify([tenantId, userId, agentId]));
}
