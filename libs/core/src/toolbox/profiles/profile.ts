import { z } from 'zod';
import { isObject } from '../../json/json.js';
import { described, flag, list, object, oneOf, type OptionsOf, type SettingsOf, text } from '../../options/options.js';
import { parseOptions } from '../../options/parse-options.js';
import { glob } from '../../tool/source/source-options.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { ReadRecord } from '../../access/control/control-kind.js';
import { readFields } from '../../access/control/record-fields.js';
import { type StoredDecision, storedDecision } from '../../access/control/stored-decision.js';
import { policyOptions, toolPolicy, type ToolPolicy } from '../../access/policies/tool-policy.js';

const MAX_ENTRIES = 1000;
const { allow, deny, requireTags } = policyOptions.shape;

/** A scope as RFC 6749 allows it; it stands between quotes in a challenge. */
export const scope = () =>
  described(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/), 'a scope: visible characters without quotes');

/** The name of a profile, which is part of its URL. */
export const profileName = () =>
  described(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/), 'up to 64 lower-case letters, digits, "_" and "-"');

/** The schema of a {@link GivenProfile}. */
export const profileOptions = object({
  /** Globs over canonical names: only these tools. @default all */
  allow,
  /** Globs over canonical names: none of these tools. @default none */
  deny,
  /** Only tools that have all of these tags. @default all */
  requireTags,
  /**
   * Names and globs of the tools that an agent needs here, for the preflight. They allow nothing.
   *
   * @default the tools of `allow`
   */
  needs: list(glob()).optional(),
  /**
   * `bridge`: search, read and call through three tools; `all`: every tool is listed; `deferred`: tools are listed once
   * they were found or called, in legacy sessions only (elsewhere as `bridge`).
   *
   * @default 'bridge'
   */
  exposure: oneOf('bridge', 'all', 'deferred').default('bridge'),
  /** Whether listed names begin with the tool's namespace. Where two tools would have the same name, both do. @default true */
  prefix: flag().default(true),
  /** Replaces the `instructions` of the gateway. */
  instructions: text(1000).optional(),
  /** Scopes that a token needs here, besides those of the gateway. @default none */
  scopes: list(scope()).default([]),
});

/** A named narrowing of the tools that a gateway serves under a URL of its own. What has a default may be left out. */
export interface GivenProfile extends OptionsOf<typeof profileOptions> {}

/** A {@link GivenProfile} with its defaults. */
export interface ToolProfile extends SettingsOf<typeof profileOptions> {}

/** A profile in the control store. */
export interface StoredProfile extends StoredDecision {
  readonly name: string;
  /** As the operator gave it: without defaults. */
  readonly profile: GivenProfile;
}

const storedName = storedDecision.extend({ id: z.string() });

/** A profile as it holds now: of the options, of operators, or of both. */
export interface ActiveProfile extends Pick<ToolProfile, 'exposure' | 'prefix' | 'instructions' | 'scopes'> {
  readonly name: string;
  /** Each one narrows: a tool must pass all of them. At least one. */
  readonly policies: readonly ToolPolicy[];
  /** Names and globs of needed tools: `needs`, else `allow`, else none. */
  readonly needs: readonly string[];
}

/**
 * Combines the profile of the options with the stored one of the same name. The stored one narrows further, like every
 * stored policy: a tool must pass both, and a token needs the scopes of both.
 *
 * @param given at least one profile, that of the options first
 */
export function activeProfile(name: string, given: readonly GivenProfile[]): ActiveProfile {
  const { exposure, prefix, instructions } = profileOptions.parse(Object.assign({}, ...given));
  const last = <K extends 'needs' | 'allow'>(key: K) => given.findLast((each) => each[key] !== undefined)?.[key];
  return {
    name,
    exposure,
    prefix,
    ...(instructions !== undefined && { instructions }),
    scopes: [...new Set(given.flatMap(({ scopes = [] }) => scopes))],
    policies: given.map(policyOf),
    needs: last('needs') ?? last('allow') ?? [],
  };
}

/**
 * Checks a profile of an operator's request and returns it without defaults.
 *
 * @throws ToolSearchError `INVALID_REQUEST`
 */
export function givenProfile(name: unknown, raw: unknown): GivenProfile {
  try {
    if (!profileName().safeParse(name).success) throw invalid('its name must be up to 64 of a-z, 0-9, "_" and "-"');
    parseOptions(profileOptions, raw, 'The profile');
    const profile = raw as GivenProfile;
    const lists = [profile.allow, profile.deny, profile.requireTags, profile.needs, profile.scopes];
    if (lists.some((each) => each && each.length > MAX_ENTRIES)) {
      throw invalid(`each of its lists has at most ${MAX_ENTRIES} entries`);
    }
    // Refuses also globs that no name could match.
    toolPolicy(policyOf(profile), 'The profile');
    toolPolicy({ allow: profile.needs ?? [] }, 'needs');
    return profile;
  } catch (error) {
    if (!isToolSearchError(error)) throw error;
    throw new ToolSearchError('INVALID_REQUEST', error.message, {
      hint: 'Nothing was changed. Correct the profile and send it again.',
    });
  }
}

/** Parses a stored record. @throws ToolSearchError `INTERNAL` or `INVALID_REQUEST` for an invalid one */
export function storedProfileOf({ value, revision }: ReadRecord): StoredProfile {
  const { id: name, ...rest } = readFields(storedName, value);
  const profile = isObject(value['profile']) ? value['profile'] : undefined;
  return { name, profile: givenProfile(name, profile), ...rest, revision };
}

function policyOf({ allow: only, deny: none, requireTags: tags }: GivenProfile): ToolPolicy {
  return { ...(only && { allow: only }), ...(none && { deny: none }), ...(tags && { requireTags: tags }) };
}

function invalid(message: string): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', `The profile is not valid: ${message}.`);
}
