import type { TimeSlicer } from '../../async/time-slicer.js';
import { listedReadings, uriReadings } from '../../json/uri-readings.js';
import {
  areAnyMatched,
  markedPattern,
  markedTemplate,
  REST,
  SEGMENT,
  type UriPattern,
  uriPattern,
} from './uri-template.js';

/** Templates of one source that are looked at: beyond them, nobody knows what they cover. */
const MAX_TEMPLATES = 1000;
/** Steps of matching for one URI, some milliseconds: where they do not suffice, a template counts as one that covers it. */
const MAX_STEPS = 500_000;
/** The same for all URIs of one request. */
const MAX_TOTAL = 20_000_000;
/** A path of variables alone is that of any template: without its scheme and host it says nothing. */
const NO_TEXT = /^(?:any|hostless) [\uE000\uE001/]*$/;

/** A template in the forms of its URIs, made when they are needed. */
class ReadTemplate {
  #patterns: readonly UriPattern[] | undefined;
  #wide: readonly UriPattern[] | undefined;
  #readings: ReadonlySet<string> | undefined;
  /** Its text, with marks for variables. */
  readonly marked: string;
  /** In lower case; empty if it is a variable. */
  readonly scheme: string;
  /** As it is written: for URIs, and for other templates. */
  readonly written: readonly UriPattern[];
  readonly open: readonly UriPattern[];

  constructor(readonly template: string) {
    this.marked = markedTemplate(template);
    this.scheme = schemeOf(template);
    this.written = [uriPattern(template)];
    this.open = [markedPattern(this.marked)];
  }

  /** The forms of its URIs, with marks for variables. */
  get readings(): ReadonlySet<string> {
    return (this.#readings ??= uriReadings(this.marked) ?? listedReadings(this.marked));
  }

  /** What readings of URIs are compared with. */
  get patterns(): readonly UriPattern[] {
    return (this.#patterns ??= this.#listed().map(markedPattern));
  }

  prepare(): void {
    this.#patterns ??= this.#listed().map(markedPattern);
  }

  /** The patterns with variables that may contain separators. */
  get wide(): readonly UriPattern[] {
    return (this.#wide ??= this.#listed().map((reading) => markedPattern(reading.replaceAll(SEGMENT, REST))));
  }

  #listed(): readonly string[] {
    return [...listedReadings(this.marked)].filter((reading) => !NO_TEXT.test(reading));
  }
}

const read = new WeakMap<readonly string[], readonly ReadTemplate[]>();

/** Templates of one source that a caller may not see: they decide about what they fit before less specific ones do. */
export class TemplateCover {
  readonly #templates: readonly ReadTemplate[];
  #total = MAX_TOTAL;
  #steps = { left: 0 };

  /**
   * @param lists templates of the source; what is made of a list is kept as long as the list
   * @param visible those that the caller may see
   */
  constructor(lists: readonly (readonly string[])[], visible: ReadonlySet<string>) {
    const all = lists.flatMap(readTemplates).filter(({ template }) => !visible.has(template));
    this.#templates = [...new Map(all.map((each) => [each.template, each])).values()];
  }

  /** Reads the templates in time slices, once for each list: a thousand of them would block others. */
  async prepare(slicer: TimeSlicer): Promise<void> {
    await slicer.each(this.#templates.length, 1, (index) => this.#templates[index]?.prepare());
  }

  /**
   * Whether one of the templates fits a URI, in any form, and is not less specific than another template that does.
   *
   * @param readings of the URI
   */
  covers(uri: string, readings: ReadonlySet<string>, template: string): boolean {
    const other = new ReadTemplate(template);
    const isWide = hasOtherSeparators(uri);
    const scheme = schemeOf(uri);
    return this.#some(
      (each) =>
        (this.#fits(each.written, [uri]) || this.#fits(isWide ? each.wide : each.patterns, readings)) &&
        !this.#isMoreSpecific(other, each) &&
        !this.#isOfOtherScheme(other, each, scheme),
    );
  }

  /** Whether one of the templates fits all that a text with marks stands for. @param readings of the text */
  coversAll(readings: Iterable<string>): boolean {
    return this.#some(({ patterns }) => this.#fits(patterns, readings));
  }

  #some(test: (each: ReadTemplate) => boolean): boolean {
    if (this.#templates.length > MAX_TEMPLATES) return true;
    const given = Math.min(MAX_STEPS, this.#total);
    this.#steps = { left: given };
    const isSome = this.#templates.some((each) => test(each) || this.#steps.left < 0);
    this.#total -= given - this.#steps.left;
    return isSome;
  }

  #isMoreSpecific(one: ReadTemplate, other: ReadTemplate): boolean {
    const isBroader = (broad: ReadTemplate, narrow: ReadTemplate) =>
      this.#fits(broad.patterns, narrow.readings) || this.#fits(broad.open, [narrow.marked]);
    return isBroader(other, one) && !isBroader(one, other);
  }

  // The same path with two schemes: a server that has both tells them apart.
  #isOfOtherScheme(visible: ReadTemplate, hidden: ReadTemplate, scheme: string): boolean {
    const differ = hidden.scheme !== '' && hidden.scheme !== visible.scheme;
    const fits = (one: ReadTemplate, other: ReadTemplate) => this.#fits(one.patterns, other.readings);
    return differ && visible.scheme === scheme && fits(visible, hidden) && fits(hidden, visible);
  }

  #fits(patterns: readonly UriPattern[], texts: Iterable<string>): boolean {
    return areAnyMatched(texts, patterns, this.#steps);
  }
}

function schemeOf(uri: string): string {
  return /^[a-z][a-z0-9+.-]*(?=:)/i.exec(uri)?.[0].toLowerCase() ?? '';
}

/** Whether a URI has separators for some servers that it does not have as it is written: escaped, or of another width. */
function hasOtherSeparators(uri: string): boolean {
  let plain = uri;
  try {
    plain = decodeURIComponent(uri);
  } catch {
    // Other escapes of it may be separators.
    return true;
  }
  return plain.normalize('NFKC').split(/[/\\]/).length !== uri.split('/').length;
}

function readTemplates(templates: readonly string[]): readonly ReadTemplate[] {
  let known = read.get(templates);
  if (!known) {
    const first = templates.slice(0, MAX_TEMPLATES + 1);
    read.set(templates, (known = first.map((template) => new ReadTemplate(template))));
  }
  return known;
}
