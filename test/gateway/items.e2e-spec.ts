import { ToolCatalog } from '@tool-search/core';
import { McpSource, type McpSourceOptions } from '@tool-search/mcp';
import { type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { LibraryServer } from './support/library-server.js';
import { ERAS, WireCaller } from './support/wire.js';

const EXPOSE_ALL = { resources: true, prompts: true };

describe.each(ERAS)('resources and prompts of an MCP server through the gateway: %s', (era) => {
  let library: LibraryServer;
  let world: GatewayApp;
  let caller: WireCaller;

  const boot = async (
    expose: McpSourceOptions['expose'] | undefined,
    deny: readonly string[] = [],
    templates: readonly object[] = [],
  ) => {
    library = new LibraryServer();
    library.templates.push(...templates);
    const source = new McpSource({
      name: 'lib',
      url: await library.start(),
      expose,
      changes: 'trust',
      tags: ['books'],
    });
    world = await startGatewayApp('express', {
      gateway: { profiles: { plain: { exposure: 'all', prefix: false } } },
      options: { sources: [source], policy: { deny: [...deny] }, tuning: { catalog: { refreshEveryMs: 10 } } },
    });
    caller = await WireCaller.of(world.url, era);
  };
  afterEach(async () => {
    await world.app.close();
    await library.stop();
  });
  const ask = async (method: string, params: object = {}) => caller.ask(method, params);
  const uris = async () => (await ask('resources/list')).result.resources.map((each: { uri: string }) => each.uri);

  it('are neither listed nor read if the source does not expose them', async () => {
    await boot(undefined);
    for (const method of ['resources/list', 'resources/templates/list', 'prompts/list']) {
      expect((await ask(method)).error).toMatchObject({ code: -32601 });
    }
  });

  it('lists and reads them under their own URIs', async () => {
    await boot(EXPOSE_ALL);
    expect((await ask('resources/list')).result.resources).toEqual([
      { uri: 'lib:///guide', name: 'guide', description: 'The guide.', mimeType: 'text/plain' },
      { uri: 'lib:///secret', name: 'secret', description: 'For few.' },
    ]);
    expect((await ask('resources/templates/list')).result.resourceTemplates).toEqual([
      { uriTemplate: 'lib:///{+path}', name: 'any', description: 'Any page.' },
    ]);
    expect((await ask('resources/read', { uri: 'lib:///guide' })).result.contents).toEqual([
      { uri: 'lib:///guide', mimeType: 'text/plain', text: 'content of lib:///guide' },
    ]);
    expect((await ask('resources/read', { uri: 'lib:///shelf/7' })).result.contents[0].text).toBe(
      'content of lib:///shelf/7',
    );
  });

  it('lists prompts under a name that clients accept, and fills them in', async () => {
    await boot(EXPOSE_ALL);
    const [prompt] = (await ask('prompts/list')).result.prompts;
    expect(prompt).toMatchObject({
      name: expect.stringMatching(/^lib__review_code_[0-9a-f]{8}$/),
      arguments: [{ name: 'language', description: 'Of the code.', required: true }],
    });
    const filled = await ask('prompts/get', { name: prompt.name, arguments: { language: 'Ada' } });
    expect(filled.result).toMatchObject({
      description: 'A review.',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Review this Ada.' } },
        { role: 'assistant', content: { type: 'text', text: 'Show it.' } },
      ],
    });
    expect((await ask('prompts/get', { name: prompt.name })).error).toMatchObject({
      code: -32602,
      data: { code: 'INVALID_ARGUMENTS' },
    });
    caller = await WireCaller.of(world.url, era, { path: '/mcp/p/plain' });
    expect((await ask('prompts/list')).result.prompts[0].name).toBe('review code');
  });

  it('exposes what the globs select', async () => {
    await boot({ resources: ['lib:///gui*'], prompts: false });
    expect(await uris()).toEqual(['lib:///guide']);
    expect((await ask('resources/templates/list')).result.resourceTemplates).toEqual([]);
    expect((await ask('prompts/list')).error).toMatchObject({ code: -32601 });
  });

  it('obeys policies and kill switches, by name and by tag, in lists and reads', async () => {
    await boot(EXPOSE_ALL, ['lib.resources.lib_secret_*']);
    expect(await uris()).toEqual(['lib:///guide']);
    const absent = await ask('resources/read', { uri: 'nowhere:///x' });
    const hidden = await ask('resources/read', { uri: 'lib:///secret' });
    expect({ ...hidden, id: 0 }).toEqual({
      ...absent,
      id: 0,
      error: { ...absent.error, data: { uri: 'lib:///secret' } },
    });
    const [{ name }] = (await ask('prompts/list')).result.prompts;
    const canonical = `lib.prompts.${name.slice('lib__'.length)}`;
    const turnOn = await world.turnOff(canonical);
    expect((await ask('prompts/list')).result.prompts).toEqual([]);
    expect((await ask('prompts/get', { name, arguments: { language: 'Ada' } })).error).toMatchObject({ code: -32602 });
    await turnOn();
    expect((await ask('prompts/list')).result.prompts).toHaveLength(1);
  });

  it('reads no hidden resource through a template, however it is spelled', async () => {
    await boot(EXPOSE_ALL, ['lib.resources.lib_secret_*']);
    const spellings = [
      'secret',
      'a/../secret',
      './secret',
      '%73ecret',
      'a/%2e%2e/secret',
      '/secret',
      'SECRET',
      'secret/',
      'secret?x',
      'secret#x',
      'secret?%zz',
      'secret;v=1',
      'secret%3Fx',
      '%2573ecret',
      'secret%20',
    ];
    for (const spelling of spellings) {
      const uri = `lib:///${spelling}`;
      const { error } = await ask('resources/read', { uri });
      expect(error).toEqual({ code: -32602, message: 'Resource not found.', data: { uri } });
    }
    expect(library.reads).toEqual([]);
    expect((await ask('resources/read', { uri: 'lib:///other?x=1' })).result.contents[0].text).toContain(
      'lib:///other',
    );
  });

  it('are not read through a template that the server lists and the application does not expose', async () => {
    await boot({ resources: ['lib:///gui*', 'lib:///{+path}'] });
    expect(await uris()).toEqual(['lib:///guide']);
    for (const uri of ['lib:///secret', 'lib:///secret?x', 'lib:///%73ecret', 'lib:///Secret/']) {
      expect((await ask('resources/read', { uri })).error).toEqual({
        code: -32602,
        message: 'Resource not found.',
        data: { uri },
      });
    }
    expect(library.reads).toEqual([]);
    expect((await ask('resources/read', { uri: 'lib:///shelf/7' })).result.contents[0].text).toContain(
      'lib:///shelf/7',
    );
  });

  it('are not read through a template if a hidden, more specific one fits', async () => {
    await boot(EXPOSE_ALL, ['lib.resources.lib_private_*'], [{ uriTemplate: 'lib:///private/{id}', name: 'private' }]);
    const absent = await ask('resources/read', { uri: 'nowhere:///x' });
    for (const uri of ['lib:///private/7', 'lib:///PRIVATE/7', 'lib:///%70rivate/7?x', 'lib:////private/7']) {
      expect((await ask('resources/read', { uri })).error).toEqual({ ...absent.error, data: { uri } });
    }
    expect(library.reads).toEqual([]);
    expect((await ask('resources/read', { uri: 'lib:///shelf/7' })).result.contents[0].text).toContain('shelf/7');
  });

  it('suggests no value that completes a template to a resource that the caller may not see', async () => {
    await boot(EXPOSE_ALL, ['lib.resources.lib_secret_*']);
    library.values = () => ['guide', 'secret', 'SECRET', 'secret?x', 'shelf'];
    const ref = { type: 'ref/resource', uri: 'lib:///{+path}' };
    const { result } = await ask('completion/complete', { ref, argument: { name: 'path', value: '' } });
    expect(result.completion.values).toEqual(['guide', 'shelf']);
  });

  it('says the same of what the server does not have, and refuses content that is too long', async () => {
    await boot(EXPOSE_ALL);
    const missing = await ask('resources/read', { uri: 'lib:///missing' });
    expect(missing.error).toEqual({ code: -32602, message: 'Resource not found.', data: { uri: 'lib:///missing' } });
    expect((await ask('resources/read', { uri: 'lib:///long' })).error.data.code).toBe('UPSTREAM_TOO_LARGE');
  });

  it('shows none of them to a model, and counts each read', async () => {
    await boot(EXPOSE_ALL);
    await ask('resources/read', { uri: 'lib:///guide' });
    const found = await caller.call('tool_search', { query: 'guide review code' });
    expect(JSON.stringify(found.result)).not.toContain('lib.');
    const all = await WireCaller.of(world.url, era, { path: '/mcp/all' });
    expect((await all.names()).filter((name) => name.startsWith('lib'))).toEqual([]);
    const named = await caller.call('tool_call', { name: 'lib.resources.any', arguments: {} });
    expect(JSON.stringify(named.result)).toContain('TOOL_NOT_AVAILABLE');
    expect(world.events).toContainEqual(
      expect.objectContaining({
        type: 'tool.called',
        tool: expect.stringMatching(/^lib\.resources\.lib_guide_[0-9a-f]{8}$/),
        outcome: 'ok',
        tenantId: 'acme',
      }),
    );
  });

  it('completes arguments, at most 100 values, of what the caller sees', async () => {
    await boot(EXPOSE_ALL, ['lib.resources.lib_path_*']);
    const [{ name }] = (await ask('prompts/list')).result.prompts;
    const complete = (ref: object) => ask('completion/complete', { ref, argument: { name: 'language', value: 'py' } });
    const prompt = { type: 'ref/prompt', name };
    expect((await complete(prompt)).result.completion).toMatchObject({ values: ['pya', 'pyb'], hasMore: false });
    library.values = () => Array.from({ length: 500 }, (_, index) => `v${index}`);
    const many = (await complete(prompt)).result?.completion;
    // The SDK's server already cuts to what the protocol allows.
    expect(many === undefined || many.values.length <= 100).toBe(true);
    const hidden = await complete({ type: 'ref/resource', uri: 'lib:///{+path}' });
    const unknown = await complete({ type: 'ref/resource', uri: 'lib:///{+other}' });
    expect(hidden.error).toEqual({ ...unknown.error, data: { uri: 'lib:///{+path}' } });
  });

  it('notify a client of updates of the resources that it follows and sees', async () => {
    await boot(EXPOSE_ALL, ['lib.resources.lib_secret_*']);
    const stream = await caller.listen({ resourceSubscriptions: ['lib:///guide', 'lib:///secret'] });
    if (era === 'modern') await stream.arrived(1);
    else {
      expect((await ask('resources/subscribe', { uri: 'lib:///guide' })).result).toEqual({});
      expect((await ask('resources/subscribe', { uri: 'lib:///secret' })).error).toMatchObject({ code: -32602 });
    }
    const before = stream.messages.length;
    const reports = setInterval(() => {
      library.update('lib:///secret');
      library.update('lib:///guide');
    }, 20);
    const [update] = (await stream.arrived(before + 1)).slice(before);
    clearInterval(reports);
    expect(update).toMatchObject({ method: 'notifications/resources/updated', params: { uri: 'lib:///guide' } });
    stream.close();
  });

  it('notify a client of changed lists, each by its own notification', async () => {
    await boot(EXPOSE_ALL);
    const all = { toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true };
    const stream = await caller.listen(all);
    if (era === 'modern') await stream.arrived(1);
    const before = stream.messages.length;
    library.prompts = [];
    library.announce();
    const [changed] = (await stream.arrived(before + 1)).slice(before);
    expect(changed.method).toBe('notifications/prompts/list_changed');
    library.resources = library.resources.slice(0, 1);
    library.announce();
    const messages = await stream.arrived(before + 2);
    expect(messages.slice(before).map(({ method }) => method)).toEqual([
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ]);
    stream.close();
  });

  it('keeps the tools and the other lists of a server whose lists are endless, huge or broken', async () => {
    library = new LibraryServer();
    library.resources = Array.from({ length: 2000 }, (_, index) => ({ uri: `lib:///${index}`, name: `r${index}` }));
    library.templates = [{ uriTemplate: `lib:///${'{x}'.repeat(2000)}`, name: 'long' }, 'no template'] as object[];
    const source = new McpSource({ name: 'lib', url: await library.start(), expose: EXPOSE_ALL, changes: 'trust' });
    world = await startGatewayApp('express', { options: { sources: [source] } });
    caller = await WireCaller.of(world.url, era);
    expect(await uris()).toEqual([]);
    expect((await ask('resources/templates/list')).result.resourceTemplates).toEqual([]);
    expect((await ask('prompts/list')).result.prompts).toHaveLength(1);
    const [status] = world.app
      .get(ToolCatalog)
      .sources()
      .filter(({ source: name }) => name === 'lib');
    expect(status).toMatchObject({ state: 'ready' });
    expect(status!.refused.map(({ name }) => name)).toContain('resources');
  });
});
