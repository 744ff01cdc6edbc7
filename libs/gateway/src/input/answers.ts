import type { ClientCapabilities } from '@modelcontextprotocol/server';
import { inputResponse } from '@modelcontextprotocol/server';
import type { InputRequests } from '@tool-search/core/source';
import { depthOf, type InputMethod, type InputRequest, isObject } from '@tool-search/core/internal';

const MAX_CHARS = 262_144;
const MAX_DEPTH = 16;

const KINDS: Readonly<Record<InputMethod, string>> = {
  'elicitation/create': 'elicit',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** Whether a response can answer a request, as far as its form goes. */
export function isAnswer({ method }: InputRequest, response: unknown): boolean {
  if (!isObject(response) || depthOf(response, MAX_DEPTH) > MAX_DEPTH) return false;
  if (JSON.stringify(response).length > MAX_CHARS) return false;
  return inputResponse({ it: response }, 'it').kind === KINDS[method];
}

/** Returns the requests that a client can answer. */
export function answerable(capabilities: ClientCapabilities | undefined): readonly InputMethod[] {
  const { elicitation, sampling, roots } = capabilities ?? {};
  return [
    ...(elicitation ? (['elicitation/create'] as const) : []),
    ...(sampling ? (['sampling/createMessage'] as const) : []),
    ...(roots ? (['roots/list'] as const) : []),
  ];
}

/** The capabilities that these questions need and the client has not declared; undefined if there are none. */
export function missingCapabilities(
  requests: InputRequests,
  declared: ClientCapabilities | undefined,
): ClientCapabilities | undefined {
  const missing: ClientCapabilities = {};
  for (const { method, params } of Object.values(requests)) {
    if (method === 'sampling/createMessage' && !declared?.sampling) missing.sampling = {};
    if (method === 'roots/list' && !declared?.roots) missing.roots = {};
    if (method !== 'elicitation/create') continue;
    const isUrl = params?.['mode'] === 'url';
    if (isUrl ? !declared?.elicitation?.url : !hasForms(declared)) {
      missing.elicitation = { ...missing.elicitation, ...(isUrl ? { url: {} } : { form: {} }) };
    }
  }
  return Object.keys(missing).length > 0 ? missing : undefined;
}

/** Whether the client shows forms. */
export function hasForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  // Before there were URLs, an empty object meant forms.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
