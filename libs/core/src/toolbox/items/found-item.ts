import { TimeSlicer } from '../../async/time-slicer.js';
import { uriReadings } from '../../json/uri-readings.js';
import { isAppAddress } from '../../tool/app-metadata.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { areOfOneSource, catalogUris, sourceOf } from './listed-uris.js';
import { TemplateCover } from './template-cover.js';
import { areAnyMatched, type UriPattern, uriPattern } from './uri-template.js';

/** A context item, and what to read of it. */
export interface FoundItem {
  readonly item: ToolDefinition;
  readonly input: { readonly uri?: string };
}

/** The context items of a request. */
export interface ItemView {
  /** Of all context items, hidden ones too. */
  readonly snapshot: CatalogSnapshot;
  /** Those that the caller may see. */
  readonly tools: readonly ToolDefinition[];
}

/** Templates that are tried for one URI. */
const MAX_TEMPLATES = 100;
/** Steps of matching for all URIs of a request: beyond them, no template fits any more. */
const MAX_STEPS = 20_000_000;

const SLICE_MS = 5;

const patterns = new WeakMap<ToolDefinition, UriPattern>();

/**
 * Finds the visible resource with a URI, else the first visible template that it fits, by canonical name. What a source lists
 * as a resource is never read through a template of the same source, however it is written: a hidden resource would be
 * readable. Nor is what the server lists and the application does not expose (`withholds` of the source), and what fits a
 * template of the same source that the caller may not see, unless the visible one is more specific.
 */
export class ItemFinder {
  readonly #templates: readonly ToolDefinition[];
  readonly #covers = new Map<ToolDefinition, TemplateCover>();
  readonly #steps = { left: MAX_STEPS };

  constructor(private readonly view: ItemView) {
    this.#templates = view.tools.filter(({ kind }) => kind === 'resource_template').slice(0, MAX_TEMPLATES);
  }

  /** Reads in time slices what {@link find} compares a URI with. */
  async prepare(uri: string): Promise<void> {
    const slicer = new TimeSlicer(SLICE_MS);
    for (const each of this.#fitting(uri)) await this.coverOf(each).prepare(slicer);
  }

  find(uri: string): FoundItem | undefined {
    const resource = this.view.tools.find((each) => each.kind === 'resource' && each.uri === uri);
    if (resource) return { item: resource, input: {} };
    // Another server would answer in the place of a hidden page.
    if (isAppAddress(uri)) return undefined;
    const fitting = this.#fitting(uri);
    const readings = fitting.length > 0 && this.#steps.left >= 0 ? uriReadings(uri) : undefined;
    if (!readings) return undefined;
    const template = fitting.find(
      (each) =>
        !this.#isListed(each, readings) &&
        sourceOf(each, this.view.snapshot)?.withholds?.(uri) !== true &&
        !this.coverOf(each).covers(uri, readings, each.uri ?? ''),
    );
    return template && { item: template, input: { uri } };
  }

  /** The templates of an item's source that the caller may not see. */
  coverOf(item: ToolDefinition): TemplateCover {
    const known = this.#covers.get(item);
    if (known) return known;
    const { snapshot, tools } = this.view;
    const isSeen = (each: ToolDefinition) => each.kind === 'resource_template' && areOfOneSource(each, item);
    const seen = new Set(tools.filter(isSeen).map(({ uri = '' }) => uri));
    const listed = sourceOf(item, snapshot)?.listed?.()?.templates ?? [];
    const cover = new TemplateCover([catalogUris(item, snapshot).templates, listed], seen);
    this.#covers.set(item, cover);
    return cover;
  }

  #fitting(uri: string): readonly ToolDefinition[] {
    return this.#templates.filter((each) => areAnyMatched([uri], [patternOf(each)], this.#steps));
  }

  #isListed(template: ToolDefinition, readings: ReadonlySet<string>): boolean {
    const listed = catalogUris(template, this.view.snapshot).readings;
    return [...readings].some((reading) => listed.has(reading));
  }
}

function patternOf(template: ToolDefinition): UriPattern {
  let pattern = patterns.get(template);
  if (!pattern) patterns.set(template, (pattern = uriPattern(template.uri ?? '')));
  return pattern;
}
