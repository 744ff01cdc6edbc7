import { fakeTools } from '../testing/fakes/fake-tools.js';
import { listedTool, ListingSource } from '../testing/fakes/listing-source.js';
import { openToolbox, type OpenToolbox } from '../testing/open-toolbox.js';
import { failureOf } from '../tool/tool-result.js';
import { isObject, type JsonObject, type JsonValue } from '../json/json.js';

/*
 * A trusted server changes any one leaf of a definition. Under `strict` the tool is removed at the next refresh, and no
 * tenant or model can read any of the new text.
 */

const CANARY = 'zanzibar quokka says obey';

const TOOLS = 100;

/** Tools as servers list them, all different. To save time, each has only a third of the kinds of fields. */
function definitions(): JsonObject[] {
  return fakeTools(TOOLS).map(({ name, description, inputSchema, tags }, index) => {
    const third = (fields: JsonObject) =>
      Object.fromEntries(Object.entries(fields).filter((_, place) => place % 3 === index % 3));
    const _meta = { tags: [...tags], version: index, reviewed: null };
    const { title, inputSchema: listed, ...others } = listedTool(name, { description, _meta });
    const { properties, ...schema } = listed as { properties: JsonObject };
    const own = third({ ...properties, ...(inputSchema['properties'] as JsonObject) });
    const { name: _name, description: _description, ...rest } = others;
    const kept = { ...schema, properties: { id: properties['id']!, ...own } };
    return { name, description, inputSchema: kept, ...third({ title: title!, ...rest }) };
  });
}

/** Everything that a tenant or a model can receive about these tools, or find by their words. */
async function everythingSaid({ toolbox, open }: OpenToolbox, names: readonly string[]): Promise<string> {
  const said: unknown[] = [await toolbox.visible(), await toolbox.list()];
  for (const query of ['quokka', 'quokka obey says', names[0]!]) said.push((await toolbox.search({ query })).tools);
  said.push(await toolbox.get(names.slice(0, 10)).catch((error: Error) => failureOf(error)));
  for (const name of names.slice(0, 3)) said.push(await toolbox.call(name, {}), await toolbox.activate([name]));
  said.push(await open({ runId: 'run-2' }).surface({ text: 'quokka says what' }), await toolbox.surface());
  return JSON.stringify(said);
}

describe('a definition that changes after it was accepted', () => {
  it('is held with all its texts at the next refresh, for a change of any leaf', async () => {
    const before = definitions();
    const mutations = before.map((tool) => mutationsOf(tool, CANARY));
    const source = new ListingSource('mcp', before);
    const app = await openToolbox({
      sources: [source],
      options: { exposure: { mode: 'deferred', directory: { enabled: true }, hints: { enabled: true } } },
    });
    expect(await app.toolbox.visible()).toHaveLength(TOOLS);
    let tried = 0;
    const passed: string[] = [];
    const rounds = Math.max(...mutations.map(({ length }) => length));
    for (let round = 0; round < rounds; round++) {
      const tools = before.map((tool, index) => mutations[index]?.[round]?.apply(tool) ?? tool);
      source.listing = () => ({ tools });
      await app.catalog.refresh();
      const visible = new Set((await app.toolbox.visible()).map(({ name }) => name));
      const held = new Set(app.quarantine.list().map(({ tool }) => tool.name));
      const refused = new Set(app.catalog.sources()[0]!.refused.map(({ name }) => name));
      const changed: string[] = [];
      for (const [index, tool] of tools.entries()) {
        if (tool === before[index]) continue;
        tried += 1;
        const name = typeof tool['name'] === 'string' ? tool['name'] : '';
        const isOut = held.has(`mcp.${name}`) || refused.has(name.slice(0, 128)) || refused.has('') || name === '';
        if (!isOut || visible.has(`mcp.${name}`)) passed.push(`${name} ${mutations[index]?.[round]?.place}`);
        changed.push(`mcp.${name}`);
      }
      expect(visible.size).toBe(TOOLS - changed.length);
      if (round % 10 === 0) expect(await everythingSaid(app, changed)).not.toMatch(/zanzibar|x-added/);
    }
    expect(passed).toEqual([]);
    expect(tried).toBeGreaterThan(10_000);
    source.listing = () => ({ tools: before });
    await app.catalog.refresh();
    expect([(await app.toolbox.visible()).length, app.quarantine.list()]).toEqual([TOOLS, []]);
    await app.close();
  });
});

/** A change of one place in a JSON value: sets or removes it. */
interface JsonMutation {
  readonly place: string;
  readonly apply: (root: JsonObject) => JsonObject;
}

/**
 * All changes of one leaf: another value of its kind, null, one key or element removed, one added.
 *
 * @param text appended to texts, and used in place of other values
 */
function mutationsOf(value: JsonValue, text: string, path: readonly string[] = []): JsonMutation[] {
  const set = (to: JsonValue | undefined, place = path): JsonMutation => ({
    place: `${place.join('/')} = ${JSON.stringify(to)}`,
    apply: (root) => withValue(root, place, to) as JsonObject,
  });
  const own = path.length === 0 ? [] : [set(undefined), ...(value === null ? [] : [set(null)])];
  if (typeof value === 'string') return [...own, set(`${value} ${text}`), set(text)];
  if (typeof value === 'number') return [...own, set(value + 1)];
  if (typeof value === 'boolean') return [...own, set(!value)];
  if (value === null) return [...own, set(text), set(false)];
  if (Array.isArray(value)) {
    const inner = value.flatMap((item: JsonValue, index) => mutationsOf(item, text, [...path, String(index)]));
    return [...own, set([...value, text]), set(value.toReversed()), ...inner].filter(
      ({ place }) => place !== `${path.join('/')} = ${JSON.stringify(value)}`,
    );
  }
  const inner = Object.entries(value).flatMap(([key, item]) => mutationsOf(item, text, [...path, key]));
  return [...own, set(text, [...path, 'x-added']), set({}, [...path, 'added']), ...inner];
}

function withValue(
  node: JsonValue,
  [key, ...rest]: readonly string[],
  to: JsonValue | undefined,
): JsonValue | undefined {
  if (key === undefined) return to;
  if (Array.isArray(node)) {
    const changed = node.map((item: JsonValue, index) => (String(index) === key ? withValue(item, rest, to) : item));
    return changed.filter((item): item is JsonValue => item !== undefined);
  }
  if (!isObject(node)) return node;
  const { [key]: was, ...others } = node as JsonObject;
  const is = withValue(was ?? null, rest, to);
  return is === undefined ? others : { ...others, [key]: is };
}
