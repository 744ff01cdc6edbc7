import { domainToASCII } from 'node:url';

/** Characters of a URI that is read at all. */
const MAX_URI = 2048;
// What URL parsers drop or replace, and what has no meaning in this version of Unicode.
const UNREADABLE = /\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Cn}/u;
// Some file systems ignore these.
const IGNORED = /\p{Cf}|\p{Default_Ignorable_Code_Point}/gu;
const MALFORMED_ESCAPE = /%(?![0-9a-f]{2})/i;
const ESCAPE = /%[0-9a-f]{2}/i;
/** A name that Windows gives to a longer one. */
const SHORT_NAME = /^[^.~]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/;

/** A URI's place: where its content is, without query and fragment. */
interface Place {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  /** Has a host or an absolute path, unlike `urn:a`. */
  readonly isHierarchical: boolean;
}

/**
 * The forms in which servers may read a URI: as it is written and as URL parsers write it, decoded, in Unicode's
 * compatibility form, without case, without query, fragment, parameters of a segment, user information and port, with
 * and without its host. A URI that has a form in common with {@link listedReadings} of a listed one may be that resource
 * to some server.
 *
 * @returns undefined for a URI that cannot be read without the rules of its server: malformed or double escapes, bytes
 *   that are no UTF-8, control characters, segments that name another place (`.`, `..`), short names of Windows, or more
 *   than 2,048 characters
 */
export function uriReadings(uri: string): ReadonlySet<string> | undefined {
  if (uri.length > MAX_URI || uri !== uri.trim() || MALFORMED_ESCAPE.test(uri)) return undefined;
  const plain = decoded(uri);
  if (plain === undefined || hasDots(plain)) return undefined;
  const readings = new Set<string>();
  for (const place of placesOf(uri, plain)) {
    if (place.scheme === 'file' && place.path.split('/').some((segment) => SHORT_NAME.test(segment))) return undefined;
    addAddress(readings, place);
    if (!place.isHierarchical || place.path === '') continue;
    readings.add(`hostless ${place.path}`);
    if (isHostless(place)) readings.add(`any ${place.path}`);
  }
  return readings;
}

/** The forms of a listed URI that {@link uriReadings} of others are compared with; of a malformed one as far as it can be read. */
export function listedReadings(uri: string): ReadonlySet<string> {
  const readings = new Set<string>();
  for (const place of placesOf(uri, decoded(uri) ?? uri)) {
    addAddress(readings, place);
    if (!place.isHierarchical || place.path === '') continue;
    readings.add(`any ${place.path}`);
    if (isHostless(place)) readings.add(`hostless ${place.path}`);
  }
  return readings;
}

/** The names in a URI, which a suggestion must not tell of a hidden one: its segments, and its place as a whole. */
export function namesIn(uri: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { host, path } of placesOf(uri, decoded(uri) ?? uri)) {
    addNames(names, path);
    addNames(names, joined(host, path));
  }
  return names;
}

/** The names in {@link listedReadings}, in the form of {@link namesIn}. */
export function namesInReadings(readings: Iterable<string>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const reading of readings) addNames(names, reading.replace(/^(?:any |hostless |[^:/]*:)/, ''));
  return names;
}

function addNames(names: Set<string>, place: string): void {
  for (const name of [place, ...place.split('/')]) if (name !== '') names.add(name);
}

// Host and path together: to a template such as `note://{+id}` the host is a segment like others.
function addAddress(readings: Set<string>, { scheme, host, path }: Place): void {
  readings.add(`${scheme}:${joined(host, path)}`);
  // A blank may be written as a plus.
  const blank = joined(host, path.replaceAll(/(?<=[^+\s/])\+(?=[^+\s/])/g, ' '));
  readings.add(`${scheme}:${blank}`);
}

function joined(host: string, path: string): string {
  return host !== '' && path !== '' ? `${host}/${path}` : host + path;
}

// Servers that read the path of a file ignore its host.
function isHostless({ scheme, host }: Place): boolean {
  return host === '' || scheme === 'file';
}

/** As servers split it before decoding, after decoding, and after a URL parser. */
function placesOf(uri: string, plain: string): readonly Place[] {
  const { href = uri } = URL.canParse(uri) ? new URL(uri) : {};
  const places = [placeOf(plain, (part) => part)];
  for (const written of new Set([uri, href])) {
    if (written !== plain) places.push(placeOf(written, (part) => decoded(part) ?? part));
  }
  return places;
}

function placeOf(uri: string, read: (part: string) => string): Place {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):([^?#]*)/is.exec(uri) ?? ['', '', uri];
  const [, authority, path = ''] = /^\/\/([^/]*)(.*)$/s.exec(rest.replaceAll('\\', '/')) ?? ['', undefined, rest];
  return {
    scheme: scheme.toLowerCase(),
    host: authority === undefined ? '' : hostOf(read(authority)),
    path: segmentsOf(folded(read(path))),
    isHierarchical: authority !== undefined || /^[/\\]/.test(rest),
  };
}

function segmentsOf(path: string): string {
  const segments = path.split(/[/\\]/).map(trimmedSegment);
  return segments.filter((segment) => segment !== '').join('/');
}

function hostOf(authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  // Others stay: `1` would become an address of the Internet.
  const ascii = /[^\0-\x7f]/.test(host) ? domainToASCII(host) : '';
  const name = trimmedSegment(folded(ascii === '' ? host : ascii));
  return name === 'localhost' ? '' : name;
}

function folded(text: string): string {
  const plain = text.normalize('NFKC').replaceAll(IGNORED, '');
  // Upper case first: it is the same for more letters, such as `ß` and `ss`.
  return plain.toUpperCase().toLowerCase().normalize('NFKC').replaceAll('i\u0307', 'i');
}

/** Without parameters, a stream of NTFS, and the blanks and dots that Windows drops. */
function trimmedSegment(segment: string): string {
  const [name = ''] = segment.split(';', 1);
  return withoutEnd(withoutEnd(name).replace(/:{1,2}(?:\$data)?$/, '')).trimStart();
}

// A regular expression would take quadratic time.
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** @returns undefined for bytes that are no UTF-8, and for a text that can be decoded once more */
function decoded(uri: string): string | undefined {
  try {
    const plain = decodeURIComponent(uri).normalize('NFKC');
    return ESCAPE.test(plain) || UNREADABLE.test(plain) ? undefined : plain;
  } catch {
    return undefined;
  }
}

function hasDots(plain: string): boolean {
  return plain
    .replaceAll(IGNORED, '')
    .split(/[/\\:;?#&=,]/)
    .some((part) => /^\.{1,2}$/.test(part.trim()));
}
