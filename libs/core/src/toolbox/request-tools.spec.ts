import { FakeSource } from '../testing/fakes/fake-source.js';
import { MemorySearchCache } from '../testing/fakes/memory-search-cache.js';
import { openToolbox } from '../testing/open-toolbox.js';
import { MemoryToolIndex } from '../search/memory/memory-tool-index.js';
import type { Toolbox } from './toolbox.js';

const CRM = () =>
  new FakeSource('crm', [{ name: 'list_customers', description: 'List all customers.', loading: 'deferred' }]);
const mailOf = (user: string) =>
  new FakeSource('mail', [
    { name: 'send_mail', description: 'Send an electronic letter.', loading: 'deferred', run: () => `sent by ${user}` },
  ]);
const found = async (toolbox: Toolbox, query = 'send an electronic letter') =>
  (await toolbox.search({ query })).tools.map(({ name }) => name);
const called = (toolbox: Toolbox, name = 'mail.send_mail') => toolbox.call(name, {});
const NOT_THERE = { ok: false, code: 'TOOL_NOT_AVAILABLE' };

describe('tools of one request', () => {
  it('are found, listed when found, called and activated like all others', async () => {
    const { toolbox } = await openToolbox({ sources: [CRM()] });
    const mine = await toolbox.with(mailOf('ada'));
    expect((await mine.list()).map(({ name }) => name)).toEqual([]);
    expect(await found(mine)).toEqual(['mail.send_mail']);
    expect((await mine.list()).map(({ name }) => name)).toEqual(['mail.send_mail']);
    expect(await called(mine)).toMatchObject({ ok: true, content: [{ text: 'sent by ada' }], activated: true });
    expect(await found(mine, 'list all customers')).toEqual(['crm.list_customers']);
    expect((await mine.explain('mail.send_mail')).outcome).toBe('allow');
  });

  it('are not shared between requests that bring tools of the same name', async () => {
    const { toolbox, open } = await openToolbox({ sources: [CRM()] });
    const users = Array.from({ length: 30 }, (_, n) => `user${n}`);
    const said = await Promise.all(
      users.map(async (userId) => {
        const mine = await open({ userId, runId: userId }).with(mailOf(userId));
        await found(mine);
        return called(mine);
      }),
    );
    expect(said.map((result) => result.ok && result.content)).toEqual(
      users.map((user) => [{ type: 'text', text: `sent by ${user}` }]),
    );
    expect(await found(toolbox)).toEqual([]);
    expect(await called(toolbox)).toMatchObject(NOT_THERE);
    expect(await toolbox.call('mail.send_mail', {})).toEqual(await toolbox.call('mail.never_was', {}));
  });

  it('are under every rule', async () => {
    const denied = await openToolbox({ sources: [CRM()], policy: { deny: ['mail.*'] } });
    expect(await called(await denied.toolbox.with(mailOf('ada')))).toMatchObject(NOT_THERE);
    const hidden = await openToolbox({
      sources: [CRM()],
      visibility: { filter: async (tools) => tools.filter(({ namespace }) => namespace !== 'mail') },
    });
    expect(await found(await hidden.toolbox.with(mailOf('ada')))).toEqual([]);
    const { toolbox, killSwitches } = await openToolbox({ sources: [CRM()] });
    const mine = await toolbox.with(mailOf('ada'));
    await killSwitches.engage({ kind: 'namespace', value: 'mail', actor: 'olga', reason: 'an incident' });
    expect(await found(mine)).toEqual([]);
    expect(await called(mine)).toMatchObject(NOT_THERE);
    expect(await called(mine.narrow({ deny: ['mail.*'] }))).toMatchObject(NOT_THERE);
  });

  it('cannot take a used name', async () => {
    const { toolbox, eventsOf } = await openToolbox({ sources: [CRM()] });
    const mine = await toolbox.with(
      new FakeSource('crm', [{ name: 'list_customers', run: () => 'stolen' }]),
      mailOf('ada'),
    );
    expect(await called(mine, 'crm.list_customers')).not.toMatchObject({ content: [{ text: 'stolen' }] });
    expect(await called(mine)).toMatchObject({ ok: true });
    expect(eventsOf('tool.refused')).toMatchObject([{ tool: 'crm.list_customers', code: 'DUPLICATE_TOOL' }]);
  });

  it('stay when the catalog moves on, and see it', async () => {
    const { toolbox, catalog } = await openToolbox({ sources: [CRM()] });
    const mine = await toolbox.with(mailOf('ada'));
    await found(mine);
    await catalog.add(
      new FakeSource('wiki', [{ name: 'read_page', description: 'Read a page.', loading: 'deferred' }]),
    );
    expect(await found(mine, 'read a page')).toEqual(['wiki.read_page']);
    await catalog.remove('crm');
    expect(await called(mine, 'crm.list_customers')).toMatchObject(NOT_THERE);
    expect(await called(mine)).toMatchObject({ ok: true });
  });

  it('may be brought in several steps', async () => {
    const { toolbox } = await openToolbox({ sources: [CRM()] });
    const wiki = new FakeSource('wiki', [{ name: 'read_page', description: 'Read a page.', loading: 'deferred' }]);
    const mine = await (await toolbox.with(mailOf('ada'))).with(wiki);
    expect(await found(mine)).toEqual(['mail.send_mail']);
    expect(await found(mine, 'read a page')).toEqual(['wiki.read_page']);
  });

  it('are left out if their source fails, which is reported to operators', async () => {
    const { toolbox, eventsOf } = await openToolbox({ sources: [CRM()] });
    const down = Object.assign(new FakeSource('down', []), { load: () => Promise.reject(new Error('no route')) });
    const mine = await toolbox.with(down, mailOf('ada'));
    expect(await called(mine)).toMatchObject({ ok: true });
    expect(eventsOf('source.degraded')).toMatchObject([{ source: 'down', reason: 'no route' }]);
  });

  it('leave nothing in the stores but activations', async () => {
    const cache = new MemorySearchCache();
    const index = new MemoryToolIndex({ cache });
    const { toolbox } = await openToolbox({ sources: [CRM()], options: { exposure: 'deferred', index } });
    await index.idle();
    const write = jest.spyOn(cache, 'write');
    const many = Array.from({ length: 400 }, (_, n) => ({ name: `send_mail_${n}`, loading: 'deferred' as const }));
    expect(await found(await toolbox.with(new FakeSource('mail', many)), 'send mail 7')).toContain('mail.send_mail_7');
    await index.idle();
    expect(write).not.toHaveBeenCalled();
  });

  it('need an engine that can take them up', async () => {
    const index = Object.assign(new MemoryToolIndex(), { canFork: false });
    const { toolbox } = await openToolbox({ sources: [CRM()], options: { exposure: 'deferred', index } });
    await expect(toolbox.with(mailOf('ada'))).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
  });

  it('are listed where everything is, without an index', async () => {
    const { toolbox } = await openToolbox({ sources: [CRM()], options: { exposure: 'all' } });
    const mine = await toolbox.with(mailOf('ada'));
    expect((await mine.list()).map(({ name }) => name)).toEqual(['crm.list_customers', 'mail.send_mail']);
  });
});
