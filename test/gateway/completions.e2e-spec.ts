import { ToolCallRecords } from '@tool-search/core/operators';
import type { ToolSearchModuleOptions } from '@tool-search/core';
import { McpSource, type McpSourceOptions } from '@tool-search/mcp';
import { type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { LibraryServer } from './support/library-server.js';
import { ERAS, WireCaller } from './support/wire.js';

const ANY = 'lib:///{+path}';
const SHELF = 'repo://{owner}/{name}';
const REDACTOR = {
  redact: async (texts: readonly { text: string }[]) =>
    texts.map(({ text }) => text.replaceAll(/[\w.]+@[\w.]+/g, '[email]')),
};

describe.each(ERAS)('completions through the gateway: %s', (era) => {
  let library: LibraryServer;
  let world: GatewayApp;
  let caller: WireCaller;
  let asked: string[];

  const boot = async (
    options: Partial<ToolSearchModuleOptions> = {},
    expose: McpSourceOptions['expose'] = { resources: true, prompts: true },
  ) => {
    library = new LibraryServer();
    library.resources.push({ uri: 'repo://acme/plan', name: 'plan' }, { uri: 'repo://globex/readme', name: 'readme' });
    library.templates.push({ uriTemplate: SHELF, name: 'repo' });
    asked = [];
    const source = new McpSource({ name: 'lib', url: await library.start(), expose, changes: 'trust' });
    world = await startGatewayApp('express', { options: { ...options, sources: [source] } });
    caller = await WireCaller.of(world.url, era);
  };
  afterEach(async () => {
    await world.app.close();
    await library.stop();
  });
  const answering = (...values: string[]) => {
    library.values = (value) => {
      asked.push(value);
      return values;
    };
  };
  const complete = async (ref: object, name: string, given?: Record<string, string>, by = caller) => {
    const argument = { name, value: '' };
    return by.ask('completion/complete', { ref, argument, ...(given && { context: { arguments: given } }) });
  };
  const template = (uri: string) => ({ type: 'ref/resource', uri });
  const prompt = async (by = caller) => ({
    type: 'ref/prompt',
    name: (await by.ask('prompts/list')).result.prompts[0].name,
  });
  const valuesOf = async (...of: Parameters<typeof complete>) => (await complete(...of)).result.completion.values;
  const denied = (...items: string[]) => ({ policy: { deny: items.map((item) => `lib.resources.${item}_*`) } });

  it('name no hidden resource, also while other variables of the template have no value', async () => {
    await boot(denied('lib_secret', 'repo_acme_plan'));
    answering('guide', 'secret', 'acme', 'Acme', 'globex', 'plan', 'readme');
    expect(await valuesOf(template(SHELF), 'owner')).toEqual(['guide', 'secret', 'globex', 'plan', 'readme']);
    expect(await valuesOf(template(SHELF), 'name')).toEqual(['guide', 'acme', 'Acme', 'globex', 'readme']);
    expect(await valuesOf(template(SHELF), 'name', { owner: 'acme' })).not.toContain('plan');
    expect(await valuesOf(template(SHELF), 'name', { owner: 'globex' })).toContain('plan');
    expect(await valuesOf(template(ANY), 'path')).not.toContain('secret');
    expect(await valuesOf(await prompt(), 'language')).toEqual(['guide', 'globex', 'readme']);
  });

  it('name no resource that the application does not expose', async () => {
    await boot({}, { resources: ['lib:///gui*', 'lib:///{+path}', SHELF, 'repo://globex/*'], prompts: true });
    answering('guide', 'secret', 'acme', 'globex');
    expect(await valuesOf(template(ANY), 'path')).toEqual(['guide', 'acme', 'globex']);
    expect(await valuesOf(template(SHELF), 'owner')).toEqual(['guide', 'secret', 'globex']);
    expect(await valuesOf(await prompt(), 'language')).toEqual(['guide', 'globex']);
  });

  it('have a limit of their own for each user, which no call counts in', async () => {
    const rules = [{ id: 'calls', per: ['user' as const], rate: { calls: 2, windowMs: 3_600_000 } }];
    await boot({ limits: { rules }, tuning: { limits: { completionsPerMinute: 5 } } });
    answering('a');
    const ref = await prompt();
    const answers = await Promise.all(Array.from({ length: 50 }, () => complete(ref, 'language')));
    const refusals = answers.flatMap(({ error }) => error ?? []);
    expect([asked.length, refusals.length]).toEqual([5, 45]);
    expect(refusals[0]).toMatchObject({
      code: -32603,
      message: expect.stringContaining('the limit completions is reached'),
      data: { code: 'LIMIT_REACHED' },
    });
    for (let n = 0; n < 2; n++) {
      expect((await caller.ask('resources/read', { uri: 'lib:///guide' })).error).toBeUndefined();
    }
    const other = await WireCaller.of(world.url, era, { token: 'acme.eve' });
    expect(await valuesOf(ref, 'language', undefined, other)).toEqual(['a']);
  });

  it('are refused where the limit of their item is reached', async () => {
    const rules = [{ id: 'calls', per: ['user' as const], rate: { calls: 2, windowMs: 3_600_000 } }];
    await boot({ limits: { rules } });
    answering('a');
    const ref = await prompt();
    for (let n = 0; n < 3; n++) expect(await valuesOf(ref, 'language')).toEqual(['a']);
    for (let n = 0; n < 2; n++) await caller.ask('resources/read', { uri: 'lib:///guide' });
    expect((await caller.ask('resources/read', { uri: 'lib:///guide' })).error.data.code).toBe('LIMIT_REACHED');
    expect((await complete(ref, 'language')).error.data.code).toBe('LIMIT_REACHED');
    expect(asked).toHaveLength(3);
  });

  it('are refused as those of an unknown item where the item is hidden, before and while its server answers', async () => {
    await boot();
    answering('a');
    const ref = await prompt();
    const canonical = `lib.prompts.${ref.name.slice('lib__'.length)}`;
    const unknown = (await complete({ type: 'ref/prompt', name: 'lib__none' }, 'language')).error;
    library.values = async () => {
      await world.turnOff(canonical);
      return ['a'];
    };
    const during = await complete(ref, 'language');
    expect([during.error, (await complete(ref, 'language')).error]).toEqual([unknown, unknown]);
  });

  it('are redacted', async () => {
    await boot({ redaction: { redactor: REDACTOR } });
    answering('ann@example.com', 'plain', 'bob@example.com');
    expect(await valuesOf(await prompt(), 'language')).toEqual(['[email]', 'plain']);
  });

  it('are one row of the record a minute for each user and item', async () => {
    await boot({ tuning: { limits: { completionsPerMinute: 20 } }, ...denied('lib_secret') });
    answering('a');
    const ref = await prompt();
    for (let n = 0; n < 12; n++) await complete(ref, 'language');
    for (let n = 0; n < 12; n++) await complete(template(ANY), 'path');
    await complete(ref, 'language', undefined, await WireCaller.of(world.url, era, { token: 'globex.homer' }));
    const rows = await world.app.get(ToolCallRecords).list({ kind: 'completed' }, { limit: 100, oldestFirst: true });
    // A test may begin in one minute and end in the next one.
    const counts = new Map<string, number>();
    for (const { tenantId, userId, tool, toolCount } of rows) {
      const key = `${tenantId}.${userId} ${tool.slice(0, 11)}`;
      counts.set(key, (counts.get(key) ?? 0) + toolCount);
    }
    expect(Object.fromEntries(counts)).toEqual({
      'acme.ann lib.prompts': 12,
      'acme.ann lib.resourc': 12,
      'globex.homer lib.prompts': 1,
    });
    expect(rows.length).toBeLessThanOrEqual(6);
    expect(rows.some(({ outcome, rule }) => outcome === 'LIMIT_REACHED' && rule === 'completions')).toBe(true);
  });
});
