import { isObject } from '@tool-search/core/internal';
import { follow, type OpenApiDocument } from '../document/document-references.js';

import { isConnectionHeader, type PlannedCredential } from './operation-plan.js';

const MAX_ALTERNATIVES = 20;
const MAX_SCHEMES = 10;

/**
 * The credentials that an operation needs, as alternative lists; no list means none. Its own `security` replaces the
 * document's.
 */
export function plannedSecurity(
  document: OpenApiDocument,
  operation: Readonly<Record<string, unknown>>,
): readonly (readonly PlannedCredential[])[] {
  const security = operation['security'] ?? document['security'];
  if (!Array.isArray(security)) return [];
  const schemes = securitySchemes(document);
  return security
    .slice(0, MAX_ALTERNATIVES)
    .filter(isObject)
    .map((alternative) =>
      Object.keys(alternative)
        .slice(0, MAX_SCHEMES)
        .map((name) => credentialOf(name, schemes.get(name))),
    );
}

export function securitySchemeNames(document: OpenApiDocument): readonly string[] {
  return [...securitySchemes(document).keys()];
}

/** `in name` of all API keys among a document's security schemes: credentials must not become arguments. */
export function securityParameters(document: OpenApiDocument): readonly string[] {
  return [...securitySchemes(document).values()].flatMap((scheme) =>
    scheme['type'] === 'apiKey' ? [`${String(scheme['in'])} ${String(scheme['name'])}`.toLowerCase()] : [],
  );
}

type Schemes = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

// Cached, because every operation needs them.
const known = new WeakMap<OpenApiDocument, Schemes>();

function securitySchemes(document: OpenApiDocument): Schemes {
  let schemes = known.get(document);
  if (!schemes) known.set(document, (schemes = describedSchemes(document)));
  return schemes;
}

function describedSchemes(document: OpenApiDocument): Schemes {
  const components = document['components'];
  const schemes = isObject(components) && isObject(components['securitySchemes']) ? components['securitySchemes'] : {};
  return new Map(
    Object.entries(schemes).flatMap(([name, node]) => {
      const scheme = resolved(document, node);
      return isObject(scheme) ? [[name, scheme] as const] : [];
    }),
  );
}

function resolved(document: OpenApiDocument, node: unknown): unknown {
  try {
    return follow(document, node);
  } catch {
    return undefined;
  }
}

function credentialOf(scheme: string, described: Readonly<Record<string, unknown>> = {}): PlannedCredential {
  const { type, name } = described;
  const place = (kind: PlannedCredential['kind'], at = '') => ({ scheme, kind, name: at });
  if (type === 'oauth2' || type === 'openIdConnect') return place('bearer', 'authorization');
  if (type === 'http') {
    const kind = String(described['scheme']).toLowerCase();
    return kind === 'bearer' || kind === 'basic' ? place(kind, 'authorization') : place('unsupported');
  }
  if (type !== 'apiKey' || typeof name !== 'string' || name === '') return place('unsupported');
  const where = described['in'];
  if (where === 'query') return place('query', name);
  if (where === 'cookie' && /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return place('cookie', name);
  // A document must not turn a credential into a header that controls the connection.
  if (where === 'header' && !isConnectionHeader(name)) return place('header', name.toLowerCase());
  return place('unsupported');
}
