import { type Result, SERVER_INFO_META_KEY, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import { isObject } from '@tool-search/core/internal';
import { withoutNulls } from './without-nulls.js';

type Members = Readonly<Record<string, unknown>>;

const RAW = 'tool-search/raw';
/** Members that lists and contents have since 2026-07-28. */
const CACHE = { ttlMs: 0, cacheScope: 'private' };

/** What the SDK gets in place of each result that is read here, or whose content nobody reads. */
const IN_PLACE: Readonly<Record<string, object>> = {
  'tools/list': { ...CACHE, tools: [] },
  'resources/list': { ...CACHE, resources: [] },
  'resources/templates/list': { ...CACHE, resourceTemplates: [] },
  'prompts/list': { ...CACHE, prompts: [] },
  'resources/read': { ...CACHE, contents: [] },
  'prompts/get': { messages: [] },
  'tools/call': { content: [] },
  'completion/complete': { completion: { values: [] } },
  ping: {},
  'logging/setLevel': {},
  'resources/subscribe': {},
  'resources/unsubscribe': {},
};
const CAPABILITIES: Readonly<Record<string, readonly string[]>> = {
  tools: ['listChanged'],
  resources: ['listChanged', 'subscribe'],
  prompts: ['listChanged'],
  completions: [],
  logging: [],
};

/**
 * The result of a method in a form that the SDK accepts. The SDK checks a result as a whole, so one member of the wrong
 * type, also one that nobody reads, would lose all the others. It gets an empty result, and {@link rawResult} the real
 * one, which is checked where it is read. Of what the SDK reads itself, members that are null or of the wrong type are
 * left out.
 */
export function soundResult(method: string, result: Members): Members {
  if (method === 'initialize') return greeting(result);
  if (method === 'server/discover') return Array.isArray(result['supportedVersions']) ? discovery(result) : result;
  const inPlace = Object.hasOwn(IN_PLACE, method) ? IN_PLACE[method] : undefined;
  if (!inPlace) return withoutNulls(result);
  const resultType = result['resultType'] ?? (asksForInput(result) ? 'input_required' : 'complete');
  if (resultType === 'input_required') return { ...withoutNulls(result), resultType };
  return { ...inPlace, resultType, _meta: { [RAW]: result } };
}

/** The result as the server sent it, of one that went through {@link soundResult}. */
export function rawResult(result: Result): Members {
  const raw = result._meta?.[RAW];
  return isObject(raw) ? raw : result;
}

/** The revision of an `initialize` result that no supported one is; undefined for a supported one. */
export function unknownRevision({ protocolVersion }: Members): string | undefined {
  if (typeof protocolVersion !== 'string') return '';
  return SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion) ? undefined : protocolVersion;
}

function asksForInput({ content, structuredContent, inputRequests, requestState }: Members): boolean {
  if (Array.isArray(content) || (structuredContent ?? undefined) !== undefined) return false;
  return isObject(inputRequests) || typeof requestState === 'string';
}

function greeting({ protocolVersion, capabilities, serverInfo, instructions }: Members): Members {
  return {
    protocolVersion,
    capabilities: soundCapabilities(capabilities),
    serverInfo: soundInfo(serverInfo),
    ...(typeof instructions === 'string' && { instructions }),
  };
}

function discovery({ supportedVersions, capabilities, instructions, _meta: meta }: Members): Members {
  const info = isObject(meta) ? meta[SERVER_INFO_META_KEY] : undefined;
  return {
    ...CACHE,
    resultType: 'complete',
    supportedVersions: (supportedVersions as readonly unknown[]).filter((each) => typeof each === 'string'),
    capabilities: soundCapabilities(capabilities),
    ...(typeof instructions === 'string' && { instructions }),
    ...(isObject(info) && { _meta: { [SERVER_INFO_META_KEY]: soundInfo(info) } }),
  };
}

/** Of each capability the members that are read. Some servers say true, or an empty list, in place of an empty object. */
function soundCapabilities(raw: unknown): Members {
  const given = isObject(raw) ? raw : {};
  const has = Object.entries(CAPABILITIES).filter(([name]) => given[name] === true || typeof given[name] === 'object');
  return Object.fromEntries(
    has.flatMap(([name, flags]) => {
      const capability = given[name];
      if (capability === null) return [];
      const of = isObject(capability) ? capability : {};
      return [[name, Object.fromEntries(flags.filter((flag) => of[flag] === true).map((flag) => [flag, true]))]];
    }),
  );
}

/** The SDK requires a name and a version, which nobody reads here. */
function soundInfo(raw: unknown): Members {
  const info = isObject(raw) ? raw : {};
  const texts = ['title', 'description'].filter((name) => typeof info[name] === 'string');
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    ...Object.fromEntries(texts.map((name) => [name, info[name]])),
    name: text(info['name']),
    version: text(info['version']),
  };
}
