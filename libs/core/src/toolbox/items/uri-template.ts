/** Characters of a template, its expressions, and characters of a URI: a match costs at most their product. */
const MAX_TEMPLATE = 512;
const MAX_EXPRESSIONS = 16;
const MAX_URI = 2048;

/** Stand for an open variable in the text of a template: for characters of one segment, and for any characters. */
export const SEGMENT = '\uE000';
/** See {@link SEGMENT}. */
export const REST = '\uE001';

/** A part of a template: fixed text, or an expression for one segment of a path or a longer part of the address. */
type Part = { readonly literal: string } | { readonly stops: RegExp | undefined };

/** Work that is left, in comparisons of characters. */
export interface Steps {
  left: number;
}

/** Tests a URI against a template. @param steps are charged with its work */
export type UriMatcher = (uri: string, steps?: Steps) => boolean;

/** Values of variables, by name. */
export type TemplateValues = Readonly<Record<string, string>>;

const EXPRESSION = /\{([+#./;?&]?)([\w%.,:*-]+)\}/g;
const SEPARATORS: Readonly<Record<string, string>> = { '/': '/', '.': '.' };
/** Also where an open variable of another template may have a separator. */
const SEGMENT_ENDS = /[/?#\uE001]/;
const NEVER: UriMatcher = () => false;

/**
 * Returns the test whether a URI is an expansion of a URI template (RFC 6570). `{name}` stands for characters of one
 * path segment; `{+name}`, `{#name}`, `{/name}`, `{?name}`, `{&name}` and `{;name}` may contain separators. Without
 * backtracking: the time is proportional to the product of both lengths. A template of more than 512 characters or 16
 * expressions, or a malformed one, matches nothing. URIs with `.` or `..` segments, encoded ones too, never match:
 * servers resolve them to other addresses.
 */
export function uriMatcher(template: string): UriMatcher {
  return uriPattern(template).matches;
}

/** The same test, as a pattern. */
export function uriPattern(template: string): UriPattern {
  const parts = partsOf(template);
  if (!parts) return { begin: '', core: '', matches: NEVER };
  const { matches, ...pattern } = patternOf(parts);
  return { ...pattern, matches: (uri, steps) => uri.length <= MAX_URI && !hasDotSegments(uri) && matches(uri, steps) };
}

/** The expansions of a template, or of a text with {@link SEGMENT} and {@link REST}. */
export interface UriPattern {
  /** All of them begin with it. */
  readonly begin: string;
  /** All of them contain it: the longest fixed text. */
  readonly core: string;
  readonly matches: UriMatcher;
}

/** The pattern of a text with {@link SEGMENT} and {@link REST}. */
export function markedPattern(marked: string): UriPattern {
  const parts = boundedMarks(marked)
    .split(/([\uE000\uE001])/)
    .filter((part) => part !== '')
    .map((part): Part => {
      if (part === SEGMENT) return { stops: SEGMENT_ENDS };
      return part === REST ? { stops: undefined } : { literal: part };
    });
  return patternOf(parts);
}

function patternOf(parts: readonly Part[]): UriPattern {
  const literals = parts.map((part) => ('literal' in part ? part.literal : ''));
  return {
    begin: literals[0] ?? '',
    core: literals.reduce((longest, each) => (each.length > longest.length ? each : longest), ''),
    matches: (text, steps) => isExpansion(parts, text, steps),
  };
}

/**
 * Whether one of the texts is an expansion of one of the patterns.
 *
 * @param steps beyond them, every text counts as one; a million take some ten milliseconds
 */
export function areAnyMatched(texts: Iterable<string>, patterns: readonly UriPattern[], steps: Steps): boolean {
  for (const text of texts) {
    for (const { begin, core, matches } of patterns) {
      steps.left -= 1;
      if (text.startsWith(begin) && text.includes(core) && matches(text, steps)) return true;
      if (steps.left < 0) return true;
    }
  }
  return false;
}

/** Names of the variables of a template. */
export function variablesOf(template: string): readonly string[] {
  return Array.from(template.matchAll(EXPRESSION), ([, , list = '']) => namesOf(list)).flat();
}

/**
 * A template with values in place of its variables, and {@link SEGMENT} or {@link REST} where a value is missing. Without
 * what follows the path: query, fragment and parameters of a segment, which do not tell one resource from another.
 *
 * @param write writes a value. @default as it is
 */
export function markedTemplate(
  template: string,
  values: TemplateValues = {},
  write: (value: string, operator: string) => string = (value) => value,
): string {
  return template.replaceAll(EXPRESSION, (_, operator: string, list: string) => {
    if (/[#;?&]/.test(operator)) return '';
    const mark = operator === '+' || operator === '/' ? REST : SEGMENT;
    const parts = namesOf(list).map((name) =>
      Object.hasOwn(values, name) ? write(values[name] ?? '', operator) : mark,
    );
    // An open end may also be nothing, without a separator.
    const end = parts.findLastIndex((part) => part !== mark) + 1;
    const begin = end > 0 ? (SEPARATORS[operator] ?? '') : '';
    const text = begin + parts.slice(0, end).join(SEPARATORS[operator] ?? ',');
    return end < parts.length ? text + mark : text;
  });
}

// A longer text, or more expressions, stand for all that begins alike.
function boundedMarks(marked: string): string {
  const marks = marked.match(/[\uE000\uE001]/g)?.length ?? 0;
  if (marked.length <= MAX_URI && marks <= MAX_EXPRESSIONS) return marked;
  return marked.slice(0, MAX_URI).split(/[\uE000\uE001]/, 1)[0] + REST;
}

function namesOf(list: string): readonly string[] {
  return list.split(',').map((name) => name.replace(/(?::\d+|\*)$/, ''));
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
function isExpansion(parts: readonly Part[], uri: string, steps: Steps = { left: Infinity }): boolean {
  const [first] = parts;
  // Most templates that do not match begin with another text.
  if (first && 'literal' in first && !uri.startsWith(first.literal)) return false;
  let reached = new Uint8Array(uri.length + 1);
  reached[0] = 1;
  for (const part of parts) {
    steps.left -= uri.length;
    if (steps.left < 0) return false;
    const next = new Uint8Array(uri.length + 1);
    if ('literal' in part) {
      for (let at = 0; at + part.literal.length <= uri.length; at++) {
        if (reached[at] !== 1) continue;
        steps.left -= part.literal.length;
        if (uri.startsWith(part.literal, at)) next[at + part.literal.length] = 1;
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
