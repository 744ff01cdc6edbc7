import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { listedReadings, uriReadings } from '../../json/uri-readings.js';
import { type UriMatcher, uriMatcher } from './uri-template.js';

/** A context item, and what to read of it. */
export interface FoundItem {
  readonly item: ToolDefinition;
  readonly input: { readonly uri?: string };
}

/** Templates that are tried for one URI. */
const MAX_TEMPLATES = 100;

const matchers = new WeakMap<ToolDefinition, UriMatcher>();
const listed = new WeakMap<CatalogSnapshot, ReadonlyMap<string, ReadonlySet<string>>>();
const readingsOfListed = new WeakMap<ToolDefinition, ReadonlySet<string>>();

/**
 * The visible resource with this URI, else the first visible template that it fits, by canonical name. What a source
 * lists as a resource is never read through a template of the same source, however it is written: a hidden resource would be
 * readable. Nor is what the server lists and the application does not expose (`withholds` of the source).
 *
 * @param snapshot of all context items, hidden ones too
 */
export function foundItem(
  uri: string,
  visible: readonly ToolDefinition[],
  snapshot: CatalogSnapshot,
): FoundItem | undefined {
  const resource = visible.find((each) => each.kind === 'resource' && each.uri === uri);
  if (resource) return { item: resource, input: {} };
  const templates = visible.filter(({ kind }) => kind === 'resource_template').slice(0, MAX_TEMPLATES);
  const fitting = templates.filter((each) => matches(each, uri));
  const readings = fitting.length > 0 ? uriReadings(uri) : undefined;
  if (!readings) return undefined;
  const template = fitting.find((each) => !isListed(each, readings, snapshot) && !isWithheld(each, uri, snapshot));
  return template && { item: template, input: { uri } };
}

function matches(template: ToolDefinition, uri: string): boolean {
  let matcher = matchers.get(template);
  if (!matcher) matchers.set(template, (matcher = uriMatcher(template.uri ?? '')));
  return matcher(uri);
}

function isListed(template: ToolDefinition, readings: ReadonlySet<string>, snapshot: CatalogSnapshot): boolean {
  const uris = listedOf(snapshot).get(sourceOf(template));
  return uris !== undefined && [...readings].some((reading) => uris.has(reading));
}

function isWithheld({ name, owner }: ToolDefinition, uri: string, snapshot: CatalogSnapshot): boolean {
  const id = snapshot.idOf(name, owner);
  return id !== undefined && snapshot.executorOf(id).source.withholds?.(uri) === true;
}

/** The readings of all listed resources, by source. */
function listedOf(snapshot: CatalogSnapshot): ReadonlyMap<string, ReadonlySet<string>> {
  const known = listed.get(snapshot);
  if (known) return known;
  const bySource = new Map<string, Set<string>>();
  for (const resource of snapshot.tools) {
    if (resource.kind !== 'resource') continue;
    const source = sourceOf(resource);
    let uris = bySource.get(source);
    if (!uris) bySource.set(source, (uris = new Set()));
    for (const reading of readingsOf(resource)) uris.add(reading);
  }
  listed.set(snapshot, bySource);
  return bySource;
}

// Most definitions are those of the snapshot before.
function readingsOf(resource: ToolDefinition): ReadonlySet<string> {
  let known = readingsOfListed.get(resource);
  if (!known) readingsOfListed.set(resource, (known = listedReadings(resource.uri ?? '')));
  return known;
}

function sourceOf({ owner, source }: ToolDefinition): string {
  return JSON.stringify([owner, source]);
}
