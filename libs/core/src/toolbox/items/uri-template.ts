/** Characters of a template, its expressions, and characters of a URI: a match costs at most their product. */
const MAX_TEMPLATE = 512;
const MAX_EXPRESSIONS = 16;
const MAX_URI = 2048;

/** A part of a template: fixed text, or an expression for one segment of a path or a longer part of the address. */
type Part = { readonly literal: string } | { readonly stops: RegExp | undefined };

/** Tests a URI against a template. */
export type UriMatcher = (uri: string) => boolean;

const EXPRESSION = /\{([+#./;?&]?)[\w%.,:*-]+\}/g;
const NEVER: UriMatcher = () => false;

/**
 * Returns the test whether a URI is an expansion of a URI template (RFC 6570). `{name}` stands for characters of one
 * path segment; `{+name}`, `{#name}`, `{/name}`, `{?name}`, `{&name}` and `{;name}` may contain separators. Without
 * backtracking: the time is proportional to the product of both lengths. A template of more than 512 characters or 16
 * expressions, or a malformed one, matches nothing. URIs with `.` or `..` segments, encoded ones too, never match:
 * servers resolve them to other addresses.
 */
export function uriMatcher(template: string): UriMatcher {
  const parts = partsOf(template);
  if (!parts) return NEVER;
  return (uri) => uri.length <= MAX_URI && !hasDotSegments(uri) && isExpansion(parts, uri);
}

function partsOf(template: string): readonly Part[] | undefined {
  if (template.length > MAX_TEMPLATE) return undefined;
  const parts: Part[] = [];
  let at = 0;
  for (const { 0: expression, 1: operator = '', index } of template.matchAll(EXPRESSION)) {
    if (index > at) parts.push({ literal: template.slice(at, index) });
    parts.push({ stops: operator === '' || operator === '.' ? /[/?#]/ : undefined });
    at = index + expression.length;
  }
  if (at < template.length) parts.push({ literal: template.slice(at) });
  const isWhole = parts.every((part) => !('literal' in part) || !/[{}]/.test(part.literal));
  const expressions = parts.filter((part) => 'stops' in part).length;
  return isWhole && expressions > 0 && expressions <= MAX_EXPRESSIONS ? parts : undefined;
}

// The set of positions up to which the parts so far can match.
function isExpansion(parts: readonly Part[], uri: string): boolean {
  let reached = new Uint8Array(uri.length + 1);
  reached[0] = 1;
  for (const part of parts) {
    const next = new Uint8Array(uri.length + 1);
    if ('literal' in part) {
      for (let at = 0; at + part.literal.length <= uri.length; at++) {
        if (reached[at] === 1 && uri.startsWith(part.literal, at)) next[at + part.literal.length] = 1;
      }
    } else {
      let isOpen = false;
      for (let at = 0; at <= uri.length; at++) {
        if (isOpen && part.stops?.test(uri.charAt(at - 1))) isOpen = false;
        isOpen ||= reached[at] === 1;
        if (isOpen) next[at] = 1;
      }
    }
    reached = next;
  }
  return reached[uri.length] === 1;
}

function hasDotSegments(uri: string): boolean {
  return /(?:^|[/\\:])(?:\.|%2e){1,2}(?=$|[/\\?#]|%2f|%5c)|(?:%2f|%5c)(?:\.|%2e){1,2}/i.test(uri);
}
