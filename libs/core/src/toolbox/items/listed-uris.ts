import { listedReadings } from '../../json/uri-readings.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ListedResources, ToolSource } from '../../tool/tool-source.js';

const NOTHING: ListedResources = { readings: new Set(), templates: [] };

const bySnapshot = new WeakMap<CatalogSnapshot, ReadonlyMap<string, ListedResources>>();
const readingsOfDefinition = new WeakMap<ToolDefinition, ReadonlySet<string>>();

/** The resources and templates of an item's source in a catalog, visible or not. */
export function catalogUris(item: ToolDefinition, snapshot: CatalogSnapshot): ListedResources {
  return sourcesOf(snapshot).get(sourceKey(item)) ?? NOTHING;
}

/** The readings of a resource's URI. */
export function readingsOf(resource: ToolDefinition): ReadonlySet<string> {
  // Most definitions are those of the snapshot before.
  let known = readingsOfDefinition.get(resource);
  if (!known) readingsOfDefinition.set(resource, (known = listedReadings(resource.uri ?? '')));
  return known;
}

/** The source of an item. */
export function sourceOf({ name, owner }: ToolDefinition, snapshot: CatalogSnapshot): ToolSource | undefined {
  const id = snapshot.idOf(name, owner);
  return id === undefined ? undefined : snapshot.executorOf(id).source;
}

/** Whether two items are of one source. */
export function areOfOneSource(a: ToolDefinition, b: ToolDefinition): boolean {
  return a.owner === b.owner && a.source === b.source;
}

function sourcesOf(snapshot: CatalogSnapshot): ReadonlyMap<string, ListedResources> {
  const known = bySnapshot.get(snapshot);
  if (known) return known;
  const bySource = new Map<string, { readonly readings: Set<string>; readonly templates: string[] }>();
  for (const item of snapshot.tools) {
    if (item.kind !== 'resource' && item.kind !== 'resource_template') continue;
    const key = sourceKey(item);
    let listed = bySource.get(key);
    if (!listed) bySource.set(key, (listed = { readings: new Set(), templates: [] }));
    if (item.kind === 'resource_template') listed.templates.push(item.uri ?? '');
    else for (const reading of readingsOf(item)) listed.readings.add(reading);
  }
  bySnapshot.set(snapshot, bySource);
  return bySource;
}

function sourceKey({ owner, source }: ToolDefinition): string {
  return JSON.stringify([owner, source]);
}
