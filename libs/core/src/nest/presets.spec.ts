import { Module, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { KillSwitches } from '../access/kill-switches/kill-switches.js';
import { ToolCatalog } from '../catalog/tool-catalog.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { Tool } from './decorators/tool.decorator.js';
import { ToolSearchModule } from './module/tool-search.module.js';
import type { ToolSearchModuleOptions } from './module/tool-search.options.js';
import { ToolSearchService } from './module/tool-search.service.js';

async function start(options: Partial<ToolSearchModuleOptions>, providers: Type[] = []) {
  const context = () => ({ tenantId: 'acme' });
  @Module({ imports: [ToolSearchModule.forRoot({ context, ...options })], providers })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  return module.createNestApplication().init();
}

class FindTools {
  @Tool({ name: 'find_tools', namespace: '', description: 'Find tools in the shed.' })
  find() {
    return 'a hammer';
  }
}

describe('a preset of the module', () => {
  it('and own options merge: what is set counts, the rest is as the preset has it', async () => {
    const names = ['read_customer', 'list_customers', 'read_order', 'list_orders'];
    const app = await start({
      preset: 'mastra',
      search: { limit: 2 },
      activation: { scope: 'run' },
      exposure: { metaTools: { load: 'take_tool' } },
      sources: [new FakeSource('crm', names)],
    });
    const toolbox = app.get(ToolSearchService).open({ tenantId: 'acme', sessionId: 's1', runId: 'r1' });
    const { mode, meta, prompt } = await toolbox.surface();
    expect(mode).toBe('deferred');
    expect(meta.map(({ name }) => name)).toEqual(['search_tools', 'take_tool']);
    expect(prompt.guidance).toContain('search_tools');
    const found = await toolbox.call('search_tools', { query: 'read list customer order' });
    expect(found).toMatchObject({ ok: true, structured: { results: { length: 2 } } });
    await toolbox.call('take_tool', { toolName: 'crm.read_order' });
    expect(await toolbox.state()).toMatchObject({
      scope: 'run',
      activated: [{ name: 'crm.read_order', reason: 'load' }],
    });
    await app.close();
  });

  it('keeps the names of its meta tools: from sources, aliases and switches', async () => {
    const tools = [
      { name: 'search_tools', namespace: '' },
      { name: 'x', aliases: ['load_tool'] },
      { name: 'tool_search', namespace: '' },
      { name: 'search_tools' },
    ];
    const app = await start({ preset: 'mastra', sources: [new FakeSource('crm', tools)] });
    const catalog = app.get(ToolCatalog);
    expect(catalog.current().tools.map(({ name }) => name)).toEqual(['crm.search_tools']);
    const { refused } = catalog.sources().find(({ source }) => source === 'crm')!;
    expect(refused.map(({ name, code, reason }) => [name, code, reason])).toEqual([
      ['search_tools', 'INVALID_TOOL', 'the name is reserved for a meta tool'],
      ['x', 'INVALID_TOOL', 'an alias is reserved for a meta tool'],
      ['tool_search', 'INVALID_TOOL', 'the name is reserved for a meta tool'],
    ]);
    const order = { kind: 'tool' as const, value: 'load_tool', actor: 'olga', reason: 'incident 7' };
    await expect(app.get(KillSwitches).engage(order)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await app.close();
  });

  it('lets no tool of the application have such a name', async () => {
    const metaTools = { search: 'find_tools' };
    await expect(start({ exposure: { metaTools } }, [FindTools])).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining('find_tools'),
    });
    const app = await start({}, [FindTools]);
    expect(
      app
        .get(ToolCatalog)
        .current()
        .tools.map(({ name }) => name),
    ).toEqual(['find_tools']);
    await app.close();
  });
});
