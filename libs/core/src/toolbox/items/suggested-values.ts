import type { TimeSlicer } from '../../async/time-slicer.js';
import { namesIn, namesInReadings, uriReadings } from '../../json/uri-readings.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { CompletionRequest } from '../../tool/tool-source.js';
import { ItemFinder, type ItemView } from './found-item.js';
import { areOfOneSource, catalogUris, readingsOf, sourceOf } from './listed-uris.js';
import {
  areAnyMatched,
  markedPattern,
  markedTemplate,
  REST,
  SEGMENT,
  type TemplateValues,
  variablesOf,
} from './uri-template.js';

/** Steps of matching for one value: where they do not suffice, it is left out. */
const MAX_STEPS = 500_000;
/** The same for all values of one request. */
const MAX_TOTAL = 20_000_000;

/** Tests whether a value may be suggested. */
export type ValueTest = (value: string) => boolean;

/** Resources of one source, as the readings of their URIs. */
interface Resources {
  /** All, visible or not, exposed or not. */
  readonly all: readonly ReadonlySet<string>[];
  /** Those of the visible ones. */
  readonly seen: ReadonlySet<string>;
}

/**
 * Returns the test whether a value may be suggested: it names no resource of the source that the caller may not see, whether
 * the server lists it or the template completes to it. Undefined where no value may be: nobody knows yet what the server
 * lists, or the template has no such variable.
 */
export async function valueTest(
  item: ToolDefinition,
  request: CompletionRequest,
  view: ItemView,
  slicer: TimeSlicer,
): Promise<ValueTest | undefined> {
  const resources = resourcesOf(item, view);
  if (!resources) return undefined;
  if (item.kind !== 'resource_template') return namesNothingOf(resources, slicer);
  if (!variablesOf(item.uri ?? '').includes(request.argument.name)) return undefined;
  const finder = new ItemFinder(view);
  await finder.coverOf(item).prepare(slicer);
  const near = await nearOf(item, request, resources, slicer);
  return completesTo(item, request, finder, { ...resources, ...near });
}

function resourcesOf(item: ToolDefinition, { snapshot, tools }: ItemView): Resources | undefined {
  const source = sourceOf(item, snapshot);
  const listed = source?.listed?.();
  if (source?.listed && !listed) return undefined;
  const seen = new Set<string>();
  for (const each of tools) {
    if (each.kind !== 'resource' || !areOfOneSource(each, item)) continue;
    for (const reading of readingsOf(each)) seen.add(reading);
  }
  return { seen, all: [catalogUris(item, snapshot).readings, ...(listed ? [listed.readings] : [])] };
}

// What a prompt does with a value is unknown: it may be the name of a file.
async function namesNothingOf({ seen, all }: Resources, slicer: TimeSlicer): Promise<ValueTest> {
  const names: ReadonlySet<string>[] = [];
  for (const readings of all) names.push(await listedNames(readings, slicer));
  let seenNames: ReadonlySet<string> | undefined;
  return (value) =>
    ![...namesIn(value)].some((name) => {
      if (!names.some((each) => each.has(name))) return false;
      // Those of visible ones are no secret.
      seenNames ??= namesInReadings(seen);
      return !seenNames.has(name);
    });
}

/** Those that some value may complete a template to, hidden and visible: most are no expansions of it at all. */
async function nearOf(
  { uri = '' }: ToolDefinition,
  request: CompletionRequest,
  { all, seen }: Resources,
  slicer: TimeSlicer,
): Promise<Near> {
  const wide = uriReadings(markedTemplate(uri, othersOf(request)).replaceAll(SEGMENT, REST));
  const patterns = wide && Array.from(wide, markedPattern);
  const near = { hidden: [] as string[], visible: [] as string[] };
  for (const readings of all) {
    const each = [...readings];
    await slicer.each(each.length, 1, (index) => {
      const reading = each[index] ?? '';
      if (patterns && !areAnyMatched([reading], patterns, { left: MAX_STEPS })) return;
      (seen.has(reading) ? near.visible : near.hidden).push(reading);
    });
  }
  return near;
}

/** What a value may complete a template to, as readings. */
interface Near {
  /** Not visible, or listed by the server and not exposed. */
  readonly hidden: readonly string[];
  readonly visible: readonly string[];
}

/** The values of the other variables. */
function othersOf({ argument, context = {} }: CompletionRequest): TemplateValues {
  const { [argument.name]: _own, ...others } = context;
  return others;
}

function completesTo(
  item: ToolDefinition,
  request: CompletionRequest,
  finder: ItemFinder,
  { seen, all, hidden, visible }: Resources & Near,
): ValueTest {
  const template = item.uri ?? '';
  const others = othersOf(request);
  const open = uriReadings(markedTemplate(template, others));
  let seenSorted: readonly string[] | undefined;
  // A folder in which the caller sees nothing.
  const isFolder = (reading: string) => {
    const folder = `${reading}/`;
    return (
      all.some((readings) => hasPrefix(sorted(readings), folder)) &&
      !hasPrefix((seenSorted ??= [...seen].sort()), folder)
    );
  };
  const cover = finder.coverOf(item);
  // One look at all of them leaves few values that are compared with each.
  const allNear = hidden.join('\n');
  let left = MAX_TOTAL;
  const isFree = (uri: string) => {
    const found = finder.find(uri);
    if (found?.item.kind === 'resource') return true;
    const inside = uriReadings(`${uri}/${SEGMENT}`);
    if (found === undefined || !inside || cover.coversAll(inside)) return false;
    return ![...(uriReadings(uri) ?? [])].some(isFolder);
  };
  return (value) => {
    const values = { ...others, [request.argument.name]: value };
    // Half a character has no form in a URI.
    if (/\p{Cs}/u.test(Object.values(values).join('/'))) return false;
    const uri = markedTemplate(template, values);
    if (!uri.includes(SEGMENT) && !uri.includes(REST)) {
      return isFree(uri) && isFree(markedTemplate(template, values, escapedValue));
    }
    // With variables that have no value yet, it might complete to any resource that has the value in this place.
    const readings = uriReadings(uri);
    if (!readings) return false;
    // Those that are the same without the value say nothing about it.
    const own = [...readings].filter((reading) => !open?.has(reading));
    const given = Math.min(MAX_STEPS, left);
    const steps = { left: given };
    const patterns = own.map(markedPattern).filter(({ core }) => allNear.includes(core));
    // What a visible one has too is no secret; where the steps did not suffice, nobody knows.
    const isHidden =
      areAnyMatched(hidden, patterns, steps) && (!areAnyMatched(visible, patterns, steps) || steps.left < 0);
    left -= given - steps.left;
    return !isHidden && !cover.coversAll(own);
  };
}

/** As RFC 6570 writes a value; what is escaped already stays so in a variable that may contain separators. */
function escapedValue(value: string, operator: string): string {
  if (operator !== '+') return encodeURIComponent(value);
  return encodeURI(value).replaceAll(/%25(?=[0-9a-f]{2})/gi, '%');
}

const namesOfLists = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();
const sortedLists = new WeakMap<ReadonlySet<string>, readonly string[]>();

/** The names in the readings of a list, made once for it. */
async function listedNames(readings: ReadonlySet<string>, slicer: TimeSlicer): Promise<ReadonlySet<string>> {
  const known = namesOfLists.get(readings);
  if (known) return known;
  const names = new Set<string>();
  const each = [...readings];
  await slicer.each(each.length, 1, (index) => {
    for (const name of namesInReadings([each[index] ?? ''])) names.add(name);
  });
  namesOfLists.set(readings, names);
  return names;
}

function sorted(readings: ReadonlySet<string>): readonly string[] {
  let known = sortedLists.get(readings);
  if (!known) sortedLists.set(readings, (known = [...readings].sort()));
  return known;
}

/** Whether one of these texts, in ascending order, begins so. */
function hasPrefix(texts: readonly string[], prefix: string): boolean {
  let [from, to] = [0, texts.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((texts[middle] ?? '') < prefix) from = middle + 1;
    else to = middle;
  }
  return texts[from]?.startsWith(prefix) === true;
}
