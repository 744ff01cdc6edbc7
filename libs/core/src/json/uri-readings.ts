/** Characters of a URI that is read at all. */
const MAX_URI = 2048;
// Control characters, and those that nobody sees. URL parsers drop some of them.
const UNSEEN = /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Cn}|\u{115f}|\u{1160}|\u{3164}|\u{ffa0}|[\u{fe00}-\u{fe0f}]/u;
const MALFORMED_ESCAPE = /%(?![0-9a-f]{2})/i;
const ESCAPE = /%[0-9a-f]{2}/i;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443', ws: '80', wss: '443', ftp: '21' };

/**
 * The forms in which servers may read a URI: decoded, in Unicode's compatibility form, without case, with one slash between
 * segments, and with and without fragment, query and parameters of a segment. Two URIs with a common form may be the same
 * resource to some server.
 *
 * @returns undefined for a URI that cannot be read without the rules of its server: malformed or double escapes, bytes that
 *   are no UTF-8, invisible characters, segments that name another place (`.`, `..`), or more than 2,048 characters
 */
export function uriReadings(uri: string): ReadonlySet<string> | undefined {
  if (uri.length > MAX_URI || uri !== uri.trim() || UNSEEN.test(uri) || MALFORMED_ESCAPE.test(uri)) return undefined;
  const [withoutFragment = ''] = uri.split('#', 1);
  const [withoutQuery = ''] = withoutFragment.split('?', 1);
  const readings = new Set<string>();
  for (const part of [uri, withoutFragment, withoutQuery]) {
    const plain = decoded(part);
    if (plain === undefined) return undefined;
    // A server may decode before it looks for a query or a fragment.
    for (const form of [plain, plain.split('#', 1)[0] ?? '', plain.split(/[?#]/, 1)[0] ?? '']) {
      if (hasDotSegments(form)) return undefined;
      readings.add(folded(form));
      readings.add(folded(withoutParameters(form)));
    }
  }
  return readings;
}

/** The form of a listed URI with which the readings of others are compared; a malformed one is compared as it is. */
export function listedReading(uri: string): string {
  const [withoutFragment = ''] = uri.split('#', 1);
  return folded(decoded(withoutFragment) ?? withoutFragment);
}

/** @returns undefined for bytes that are no UTF-8, and for a text that can be decoded once more */
function decoded(uri: string): string | undefined {
  try {
    const plain = decodeURIComponent(uri).normalize('NFKC');
    return ESCAPE.test(plain) || UNSEEN.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}

function hasDotSegments(plain: string): boolean {
  return plain.split(/[/\\:?#]/).some((segment) => /^\s*\.{1,2}\s*(;.*)?$/.test(segment));
}

function withoutParameters(plain: string): string {
  return plain.replaceAll(/;[^/\\]*/g, '');
}

function folded(plain: string): string {
  const lower = plain.toLowerCase().normalize('NFKC').replaceAll('\\', '/');
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/s.exec(lower) ?? ['', '', lower];
  const [, authority = '', path = ''] = /^\/\/([^/?#]*)(.*)$/s.exec(rest) ?? ['', '', rest];
  const segments = path.split('/').map((segment) => segment.replace(/[\s.]+$/, '').replace(/^\s+/, ''));
  const place = segments.filter((segment) => segment !== '').join('/');
  return `${scheme}:${hostOf(scheme, authority)}/${place.replace(/[?#]$/, '')}`;
}

/** Without user information, default port and final dot. A file has no host: servers read its path alone. */
function hostOf(scheme: string, authority: string): string {
  if (scheme === 'file') return '';
  const host = authority.replace(/^.*@/s, '').replace(/\.(?=$|:)/, '');
  const port = DEFAULT_PORTS[scheme];
  return port !== undefined && host.endsWith(`:${port}`) ? host.slice(0, -port.length - 1) : host;
}
