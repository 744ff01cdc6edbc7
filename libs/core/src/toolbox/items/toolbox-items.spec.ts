import { FakeSource, type FakeSourceTool } from '../../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox, type ToolboxSetup } from '../../testing/open-toolbox.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

const EXPOSES = { exposes: ['resource', 'resource_template', 'prompt'] } as const;
const page = (name: string, uri: string): FakeSourceTool => ({
  name: `resources.${name}`,
  kind: 'resource',
  uri,
  run: () => ({ content: [{ type: 'resource', resource: { uri, text: name } }] }),
});
const ANY: FakeSourceTool = {
  name: 'resources.any',
  kind: 'resource_template',
  uri: 'doc:///{+path}',
  run: ({ uri }) => `read ${String(uri)}`,
};
const PROMPT: FakeSourceTool = {
  name: 'prompts.greet',
  kind: 'prompt',
  inputSchema: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
  run: ({ who }) => ({ content: [{ type: 'text', text: `Greet ${String(who)}.` }], structured: { roles: ['user'] } }),
};
const LONG = 'x'.repeat(600);
const ITEMS = [page('a', 'doc:///a'), page('b', 'doc:///b'), ANY, PROMPT];

const names = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name);

describe('ToolboxItems', () => {
  let world: OpenToolbox;
  const opened = async (setup: ToolboxSetup = {}) => (world = await openToolbox(setup));
  const docs = (items: readonly FakeSourceTool[] = ITEMS) => new FakeSource('docs', ['find', ...items], EXPOSES);
  afterEach(() => world.close());

  it('keeps context items apart from tools: they are not listed, found, read, activated or called', async () => {
    const { toolbox } = await opened({ sources: [docs()], options: { exposure: 'deferred' } });
    expect(names(await toolbox.visible())).toEqual(['docs.find']);
    expect(names(await toolbox.items.visible())).toEqual([
      'docs.prompts.greet',
      'docs.resources.a',
      'docs.resources.any',
      'docs.resources.b',
    ]);
    expect((await toolbox.search({ query: 'greet resources' })).tools).toEqual([]);
    expect(await toolbox.call('docs.prompts.greet', { who: 'Ada' })).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect((await toolbox.surface()).tools).toEqual([]);
    expect(world.eventsOf('catalog.published').at(-1)).toMatchObject({ tools: 1, deferred: 1 });
    expect(world.catalog.tools()).toHaveLength(1);
    expect(names(world.catalog.definitions())).toHaveLength(5);
    expect(world.catalog.sources()[0]).toMatchObject({ tools: 5, exposes: EXPOSES.exposes });
  });

  it('refuses the items of a source that does not expose them, one by one', async () => {
    const source = new FakeSource('docs', ['find', ...ITEMS], { exposes: ['prompt'] });
    const { toolbox, catalog } = await opened({ sources: [source] });
    expect(names(await toolbox.items.visible())).toEqual(['docs.prompts.greet']);
    expect(catalog.sources()[0]?.refused).toHaveLength(3);
    expect([...(await toolbox.items.kinds())]).toEqual(['prompt']);
  });

  it.each([
    ['a resource without a URI', { name: 'x', kind: 'resource' }],
    ['a prompt with a URI', { name: 'x', kind: 'prompt', uri: 'a:b' }],
    ['a tool with a URI', { name: 'x', uri: 'a:b' }],
    ['a relative URI', { name: 'x', kind: 'resource', uri: '/etc/passwd' }],
    ['a URI with an invisible character', { name: 'x', kind: 'resource', uri: 'doc:///a\u200bb' }],
    ['an unknown kind', { name: 'x', kind: 'root' as never }],
  ] as const)('refuses %s', async (_, tool) => {
    const { catalog } = await opened({ sources: [docs([tool])] });
    expect(catalog.sources()[0]?.refused).toHaveLength(1);
  });

  it('gives a URI to the source that was added first, and reports the other one', async () => {
    const other = new FakeSource('copy', [page('a', 'doc:///a')], EXPOSES);
    const { toolbox, catalog } = await opened({ sources: [docs(), other] });
    expect((await toolbox.items.find('doc:///a'))?.item.name).toBe('docs.resources.a');
    expect(catalog.sources()[1]?.refused[0]?.reason).toBe('its URI is that of docs.resources.a of source docs');
  });

  describe('govern', () => {
    const uses = async (uri: string) => {
      const found = await world.open().items.find(uri);
      return found && (await world.open().items.read(found.item.name, found.input));
    };

    it('by policy, narrowing, visibility, kill switch and quarantine, as tools', async () => {
      await opened({
        sources: [docs()],
        visibility: {
          filter: (tools, { userId }) => tools.filter(({ uri }) => userId === 'root' || uri !== 'doc:///b'),
        },
      });
      expect(await uses('doc:///a')).toMatchObject({ ok: true });
      expect(await uses('doc:///b')).toBeUndefined();
      expect(await world.open({ userId: 'root' }).items.find('doc:///b')).toBeDefined();
      expect(await world.open().items.read('docs.resources.b', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
      expect(
        names(
          await world
            .open()
            .narrow({ allow: ['*.prompts.*'] })
            .items.visible(),
        ),
      ).toEqual(['docs.prompts.greet']);
      const by = { actor: 'olga', reason: 'a test', tenantId: '' };
      await world.killSwitches.engage({ ...by, kind: 'namespace', value: 'docs' });
      expect(await world.open().items.visible()).toEqual([]);
      expect(await world.open().items.read('docs.resources.a', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
      expect(world.eventsOf('tool.denied').at(-1)).toMatchObject({ tool: 'docs.resources.a', layer: 'kill_switch' });
      expect(await world.open().explain('docs.resources.a')).toMatchObject({ outcome: 'deny' });
    });

    it('reads no listed resource through a template, hidden or not', async () => {
      await opened({ sources: [docs()], policy: { deny: ['docs.resources.b'] } });
      for (const uri of ['doc:///b', 'doc:///B', 'doc:////b', 'doc:///%62', 'doc:///x/../b', 'doc:///A']) {
        expect(await uses(uri)).toBeUndefined();
      }
      expect(await uses('doc:///c')).toMatchObject({ ok: true, content: [{ text: 'read doc:///c' }] });
    });

    describe('templates that both fit a URI', () => {
      const template = (name: string, uri: string): FakeSourceTool => ({ ...ANY, name: `resources.${name}`, uri });
      const two = async (visible: string, hidden: string) => {
        const templates = [template('seen', visible), template('closed', hidden)];
        await opened({ sources: [docs(templates)], policy: { deny: ['docs.resources.closed'] } });
      };
      const isRead = async (uri: string) => (await uses(uri))?.ok === true;

      it('do not read a URI that a hidden, more specific template fits, in any spelling', async () => {
        await two('doc:///{+path}', 'doc:///Secret/{id}{?v}');
        const uris = [
          'doc:///Secret/1',
          'doc:///secret/1',
          'doc:///%53ecret/1',
          'doc:////secret//1',
          'doc:///secret/1?v=2',
          'doc:///secret/1#x',
          'DOC:///secret/1',
          'doc:///ｓecret/1',
          'doc://host/secret/1',
          'doc:///SECRET/a%2Fb',
          'doc:///Secret/a／b',
          'doc:///%53ecret/a／b',
          'doc:///Secret/℅b',
          'doc:///Secret/',
        ];
        for (const uri of uris) expect([uri, await isRead(uri)]).toEqual([uri, false]);
        for (const uri of ['doc:///secrets/1', 'doc:///open/1', 'doc:///secret/1/2', 'doc:///x/secret/1']) {
          expect([uri, await isRead(uri)]).toEqual([uri, true]);
        }
      });

      it.each([
        ['is less specific', 'doc:///open/{id}', 'doc:///{+path}', 'doc:///open/1', true],
        ['is that of another scheme, of a variable alone', 'db://{table}/{row}', 'doc:///{id}', 'db://a/1', true],
        ['is that of another scheme, with the same path', 'doc:///{+path}', 'log:///open/{id}', 'doc:///open/1', false],
        [
          'has the same path with another scheme',
          'users:///{id}/profile',
          'admins:///{id}/profile',
          'users:///7/profile',
          true,
        ],
        ['is less specific in its scheme', 'doc:///open/{id}', '{scheme}://{+path}', 'doc:///open/1', true],
        ['is that of every URI', 'doc:///{id}', '{+uri}', 'doc:///1', true],
        ['is less specific in its host', 'doc://open/{id}', 'doc://{area}/{id}', 'doc://open/1', true],
        ['has another host', 'doc://{area}/{id}', 'doc://closed/{id}', 'doc://open/1', true],
        ['is more specific in its host', 'doc://{area}/{id}', 'doc://open/{id}', 'doc://open/1', false],
        ['is less specific in its variable', 'doc:///{id}', 'doc:///{+path}', 'doc:///1', true],
        ['is more specific in its variable', 'doc:///{+path}', 'doc:///{id}', 'doc:///1', false],
        ['is equal but for a name', 'doc:///{id}', 'doc:///{name}', 'doc:///1', false],
        ['is neither', 'doc:///{dir}/1', 'doc:///open/{id}', 'doc:///open/1', false],
        ['is too long to be read', 'doc:///{+path}', `doc:///{id}${LONG}`, `doc:///1${LONG}`, false],
        ['fits other URIs', 'doc:///{+path}', 'doc:///closed/{id}', 'doc:///open/1', true],
      ])(
        'are decided by the hidden one unless it is less specific: it %s',
        async (_, visible, hidden, uri, isGiven) => {
          await two(visible, hidden);
          expect(await isRead(uri)).toBe(isGiven);
        },
      );

      it('are decided by one that the server lists and the application does not expose', async () => {
        const source = docs([template('seen', 'doc:///{+path}')]);
        const listed = { readings: new Set<string>(), templates: ['doc:///{+path}', 'doc:///secret/{id}'] };
        await opened({ sources: [Object.assign(source, { listed: () => listed })] });
        expect([await isRead('doc:///secret/1'), await isRead('doc:///open/1')]).toEqual([false, true]);
      });

      it('are not decided by those of another source', async () => {
        const other = new FakeSource('other', [template('closed', 'doc:///open/{id}')], EXPOSES);
        const sources = [docs([template('seen', 'doc:///{+path}')]), other];
        await opened({ sources, policy: { deny: ['other.*'] } });
        expect(await isRead('doc:///open/1')).toBe(true);
      });
    });

    it('holds an item with hidden text until an operator approves it', async () => {
      const marked = { ...page('a', 'doc:///a'), description: 'Read\u200bme \u{e0041}\u{e0042}.' };
      const { quarantine } = await opened({ sources: [docs([marked])] });
      expect(await uses('doc:///a')).toBeUndefined();
      expect(quarantine.list().map(({ tool }) => tool.name)).toEqual(['docs.resources.a']);
    });

    it.each([
      ['of each read', 'docs.resources.*', 'APPROVAL_REQUIRED'],
      ['of a session', { tools: 'docs.resources.*', scope: 'session' } as const, undefined],
    ])('asks for an approval %s', async (_what, approval, again) => {
      const { approvals } = await opened({ sources: [docs()], policy: { approval: [approval] } });
      const { items } = world.open({ sessionId: 's' });
      const read = () => items.read('docs.resources.a', {});
      expect(await read()).toMatchObject({ code: 'APPROVAL_REQUIRED' });
      const [request] = await approvals.list({ limit: 9 });
      await approvals.approve(request!.id, { actor: 'olga', reason: 'fine' });
      expect(await read()).toMatchObject({ ok: true });
      expect(await read()).toMatchObject(again === undefined ? { ok: true } : { code: again });
    });

    it('asks for an approval of each read, so it suggests nothing and watches nothing without one', async () => {
      const { approvals } = await opened({ sources: [docs()], policy: { approval: ['docs.*'] } });
      const { items } = world.open({ sessionId: 's' });
      const argument = { name: 'who', value: '' };
      expect(await items.complete('docs.prompts.greet', { argument })).toEqual({ values: [] });
      expect(await approvals.list({ limit: 9 })).toEqual([]);
      const watch = () => items.subscribe('docs.resources.a', 'doc:///a', () => undefined);
      await expect(watch()).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
      const [request] = await approvals.list({ limit: 9 });
      await approvals.approve(request!.id, { actor: 'olga', reason: 'fine' });
      (await watch())();
      await expect(watch()).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    });

    it.each([
      ['alone', []],
      ['beside an entry for the session', [{ tools: 'docs.resources.any', scope: 'session' } as const]],
    ])('by a rule on arguments asks for an approval of the reads that it is about, %s', async (_what, approval) => {
      const rule = {
        id: 'closed',
        tools: ['docs.*'],
        when: { required: ['uri'], properties: { uri: { pattern: '^doc:///closed/' } } },
        then: 'approve',
        reason: 'somebody looks at it',
      } as const;
      const { approvals } = await opened({ sources: [docs()], policy: { arguments: [rule], approval } });
      const { items } = world.open({ sessionId: 's' });
      const watch = (uri: string) => items.subscribe('docs.resources.any', uri, () => undefined);
      await expect(watch('doc:///closed/1')).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
      const [request] = await approvals.list({ limit: 9 });
      expect(request).toMatchObject({ covers: 'call', rule: 'arguments:closed' });
      await approvals.approve(request!.id, { actor: 'olga', reason: 'fine' });
      (await watch('doc:///closed/1'))();
      await expect(items.read('docs.resources.any', { uri: 'doc:///closed/2' })).resolves.toMatchObject({
        code: 'APPROVAL_REQUIRED',
      });
      await expect(items.read('docs.resources.any', { uri: 'doc:///open/2' })).resolves.toMatchObject(
        approval.length === 0 ? { ok: true } : { code: 'APPROVAL_REQUIRED' },
      );
    });
  });

  it('checks the arguments of a prompt, and returns content whole or not at all', async () => {
    const long = { ...page('long', 'doc:///long'), run: () => 'x'.repeat(2000) };
    const options = { calls: { maxResultBytes: 1024 } };
    const { toolbox } = await opened({ sources: [docs([PROMPT, long])], options });
    expect(await toolbox.items.read('docs.prompts.greet', {})).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(await toolbox.items.read('docs.prompts.greet', { who: 'Ada' })).toMatchObject({
      content: [{ text: 'Greet Ada.' }],
      structured: { roles: ['user'] },
    });
    expect(await toolbox.items.read('docs.resources.long', {})).toMatchObject({ code: 'UPSTREAM_TOO_LARGE' });
  });

  it("adds a tenant's items to its own view only, and those of a request to its toolbox", async () => {
    await opened({ sources: [docs()] });
    await world.catalog.add(new FakeSource('own', [page('mine', 'own:///1')], { ...EXPOSES, owner: 'acme' }));
    expect(names(await world.open().items.visible())).toContain('own.resources.mine');
    expect(names(await world.open({ tenantId: 'globex' }).items.visible())).not.toContain('own.resources.mine');
    const more = await world.open().with(new FakeSource('late', ['act', page('now', 'late:///1')], EXPOSES));
    expect(names(await more.items.visible())).toEqual(
      expect.arrayContaining(['docs.resources.a', 'own.resources.mine', 'late.resources.now']),
    );
    expect(names(await more.visible())).toEqual(expect.arrayContaining(['docs.find', 'late.act']));
  });
});
