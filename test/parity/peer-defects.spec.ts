import type { ToolVisibilityPolicy } from '@tool-search/core';
import { MemoryToolIndex } from '@tool-search/core/engine';
import { FakeSource, openToolbox } from '@tool-search/core/testing';

/* Defects of the systems that ToolSearch learned from. Each test shows that the defect is absent here. */

const DEFERRED = { exposure: 'deferred' } as const;
const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

describe('a search', () => {
  it('ranks tools by fit, for any side effects (scores are not all alike)', async () => {
    const { toolbox } = await openToolbox({
      sources: [
        new FakeSource('x', [
          {
            name: 'z',
            sideEffects: 'pure',
            description: `Nothing in particular. ${'Many words about other things. '.repeat(20)} To create, issue.`,
          },
        ]),
        new FakeSource('github', [{ name: 'create_issue', description: 'Create an issue.', sideEffects: 'write' }]),
      ],
    });
    const { tools } = await toolbox.search({ query: 'create github issue' });
    expect(tools[0]!.name).toBe('github.create_issue');
    expect(new Set(tools.map(({ score }) => score)).size).toBe(tools.length);
  });

  it('does not hang on a pattern that takes exponential time on other engines', async () => {
    const { toolbox } = await openToolbox({
      sources: [new FakeSource('x', [{ name: 'a', description: `${'a'.repeat(5000)}!` }])],
    });
    // A backtracking engine would practically never finish this pattern.
    expect(await toolbox.search({ query: '(a+)+$', type: 'regex' })).toMatchObject({ tools: [{ name: 'x.a' }] });
    expect(await toolbox.search({ query: '(a+)+b$', type: 'regex' })).toMatchObject({ tools: [] });
  });

  it('understands queries in other scripts', async () => {
    const { toolbox } = await openToolbox({
      sources: [
        new FakeSource('x', [
          { name: 'a', description: '创建 工单' },
          { name: 'b', description: 'Создать заявку' },
          { name: 'c', description: 'Something else.' },
        ]),
      ],
    });
    expect(namesOf((await toolbox.search({ query: '创建 工单' })).tools)).toEqual(['x.a']);
    expect(namesOf((await toolbox.search({ query: 'создать заявку' })).tools)).toEqual(['x.b']);
  });

  it('takes reserved words for words', async () => {
    const { toolbox } = await openToolbox({
      sources: [new FakeSource('x', [{ name: 'a', description: 'Advice that you do not want.' }, 'other'])],
    });
    for (const query of ['do NOT advice', 'advice OR', '"advice', 'advice* AND (']) {
      expect(namesOf((await toolbox.search({ query })).tools)).toEqual(['x.a']);
    }
  });

  it('has scores from 0 to 1, also where a query repeats the names of tools', async () => {
    const { toolbox } = await openToolbox({ sources: [new FakeSource('mail', ['send_mail', 'mail', 'list_mail'])] });
    const { tools } = await toolbox.search({ query: 'mail mail send send mail', limit: 20 });
    expect(tools.length).toBeGreaterThan(0);
    for (const { score } of tools) expect(score > 0 && score <= 1).toBe(true);
  });

  it('does not build its index again for a search', async () => {
    let applied = 0;
    class Counting extends MemoryToolIndex {
      override apply(...change: Parameters<MemoryToolIndex['apply']>): Promise<void> {
        applied += 1;
        return super.apply(...change);
      }
    }
    const { toolbox } = await openToolbox({
      sources: [new FakeSource('x', ['a', 'b'])],
      options: { ...DEFERRED, index: new Counting() },
    });
    const atStart = applied;
    for (let turn = 0; turn < 5; turn++) await toolbox.search({ query: 'a' });
    expect([atStart > 0, applied]).toEqual([true, atStart]);
  });
});

describe('who may see what', () => {
  it('is not widened by a catalog that grows in the middle of a run', async () => {
    const visibility: ToolVisibilityPolicy = { filter: (tools) => tools.filter(({ tags }) => tags.includes('open')) };
    const source = new FakeSource('x', [{ name: 'a', tags: ['open'] }]);
    const { toolbox, catalog } = await openToolbox({ sources: [source], visibility });
    expect(namesOf(await toolbox.visible())).toEqual(['x.a']);
    source.setTools([{ name: 'a', tags: ['open'] }, { name: 'new' }, { name: 'more', tags: ['open'] }]);
    await catalog.refresh();
    expect(namesOf(await toolbox.visible())).toEqual(['x.a', 'x.more']);
    expect(await toolbox.call('x.new', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
  });

  it('does not wait for a rule without end, and other requests do not wait for it at all', async () => {
    const visibility: ToolVisibilityPolicy = {
      filter: (tools, { userId }) => (userId === 'slow' ? new Promise(() => undefined) : tools),
    };
    const { open } = await openToolbox({
      sources: [new FakeSource('x', ['a'])],
      visibility,
      options: { ...DEFERRED, visibility: { deadlineMs: 100 } },
    });
    const answered: string[] = [];
    const [slow, quick] = await Promise.all(
      ['slow', 'ada'].map(async (userId) => {
        const visible = await open({ userId }).visible();
        answered.push(userId);
        return visible.length;
      }),
    );
    expect([slow, quick, answered]).toEqual([0, 1, ['ada', 'slow']]);
  });

  it('is read from the context of each request, which no step of a conversation loses', async () => {
    const visibility: ToolVisibilityPolicy = {
      filter: (tools, { roles = [] }) => (roles.includes('finance') ? tools : []),
    };
    const { open } = await openToolbox({ sources: [new FakeSource('x', ['a'])], visibility });
    const toolbox = open({ roles: ['finance'] });
    await toolbox.search({ query: 'a' });
    await toolbox.call('tool_get', { names: ['x.a'] });
    expect(await toolbox.call('x.a', {})).toMatchObject({ ok: true });
    expect(namesOf((await toolbox.surface()).tools)).toEqual(['x.a']);
    expect(await open().call('x.a', {})).toMatchObject({ ok: false });
  });
});

describe('true and on', () => {
  it('mean the same at every level: true is auto, on is always', async () => {
    for (const [option, mode] of [
      [true, 'all'],
      ['on', 'deferred'],
    ] as const) {
      const said = [
        { options: { exposure: option }, request: {} },
        { options: { exposure: { mode: option } }, request: {} },
        { options: {}, request: { mode: option } },
        { options: {}, request: { mode: { mode: option } } },
      ];
      for (const { options, request } of said) {
        const { toolbox } = await openToolbox({ sources: [new FakeSource('x', ['a'])], options });
        expect((await toolbox.surface(request)).mode).toBe(mode);
      }
    }
  });
});
