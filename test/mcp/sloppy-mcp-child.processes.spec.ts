import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openToolbox } from '@tool-search/core/testing';
import { McpSource, type McpSourceOptions } from '@tool-search/mcp';
import fc from 'fast-check';
import type { Era } from '../support/misbehaving-mcp-server.js';
import { type Change, sloppyChild, type SloppyOptions } from '../support/sloppy-mcp-server.js';
import { changesOf, isOptional, membersOf, SOUND_USE, useOf } from '../support/sloppy-world.js';

const never = new AbortController().signal;
const context = { tenantId: 'acme' };
const callOf = () => ({ id: 'c', signal: never, deadline: Date.now() + 600_000, progress: () => undefined });

describe.each<Era>(['2025-11-25', '2026-07-28'])('a sloppy server as a child process, protocol %s', (era) => {
  const source = (options: Partial<SloppyOptions> = {}, more: Partial<McpSourceOptions> = {}) =>
    new McpSource({
      name: 'sloppy',
      command: process.execPath,
      args: ['-e', sloppyChild({ era, changes: [], ...options })],
      expose: { resources: true, prompts: true },
      changes: 'trust',
      loadTimeoutMs: 120_000,
      ...more,
    } as McpSourceOptions);
  const used = (changes: readonly Change[]) => {
    const one = source({ changes });
    return useOf(one).finally(() => one.close());
  };
  const optional = membersOf(era).filter(isOptional);

  it('gives the same with null in place of every member that it need not send', async () => {
    const nulls = optional.map(({ method, path }) => ({ method, path, value: null }));
    const ids = ['tools/list', 'tools/call'].map((method) => ({ method, path: ['id'], value: null }));
    expect(await used([...nulls, ...ids])).toEqual(SOUND_USE);
  });

  it('gives the same whatever is in the place of members that it need not send, or beside them', async () => {
    const changes = fc.array(changesOf(optional), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(changes, async (some) => {
        expect(await used(some)).toEqual(SOUND_USE);
      }),
      { numRuns: 30 },
    );
  });

  it('gives what it has, or a reason, whatever its answers are', async () => {
    // An answer with another id is the answer to nothing, and is waited for.
    const members = membersOf(era).filter(({ path }) => path[0] !== 'id');
    const changes = fc.array(changesOf(members), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(changes, async (some) => {
        const one = source({ changes: some }, { callTimeoutMs: 120_000 });
        const { catalog, toolbox, close } = await openToolbox({ sources: [one] });
        const [status] = catalog.sources();
        if (status?.state !== 'ready') expect(status?.reason).toMatch(/^(The (server|list)|Source)\b.{20,}/);
        const result = await toolbox.call('sloppy.echo', { words: 'hello' });
        if (!result.ok) expect([result.code, result.message]).toEqual([expect.any(String), expect.any(String)]);
        await close();
      }),
      { numRuns: 30 },
    );
  });

  it('is started again once for all waiting calls when it says that it does not know its session', async () => {
    const sloppy = source();
    await sloppy.load(never);
    expect((await sloppy.call('lose', {}, context, callOf())).content).toHaveLength(1);
    const words = ['a', 'b', 'c'];
    const answers = await Promise.all(words.map((each) => sloppy.call('echo', { words: each }, context, callOf())));
    expect(answers.map(({ content }) => content)).toEqual(words.map((text) => [{ type: 'text', text }]));
    await sloppy.close();
  });

  it('gets a call once that it answers with words about a session of its tool, and goes on', async () => {
    const error = { code: -32_001, message: 'Browser session closed after the form was submitted' };
    const changes = [
      { method: 'tools/call', path: ['error'], value: error },
      { method: 'tools/call', path: ['result'] },
    ];
    const folder = await mkdtemp(join(tmpdir(), 'sloppy-'));
    const [calls, starts] = [join(folder, 'calls'), join(folder, 'starts')];
    const noting = `
      const { appendFileSync } = require('fs');
      appendFileSync(${JSON.stringify(starts)}, '.');
      require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        if (JSON.parse(line).method === 'tools/call') appendFileSync(${JSON.stringify(calls)}, '.');
      });`;
    const sloppy = source({}, { args: ['-e', noting + sloppyChild({ era, changes })] } as Partial<McpSourceOptions>);
    await sloppy.load(never);
    for (const words of ['pay', 'pay']) {
      await expect(sloppy.call('echo', { words }, context, callOf())).rejects.toMatchObject({ code: 'TOOL_FAILED' });
    }
    await sloppy.close();
    const noted = await Promise.all([calls, starts].map((file) => readFile(file, 'utf8')));
    await rm(folder, { recursive: true });
    expect(noted.map(({ length }) => length)).toEqual([2, 1]);
  });

  it('says to operators what it says', async () => {
    const error = { code: -32_603, message: 'upstream API token expired' };
    const changes = [
      { method: 'tools/list', path: ['error'], value: error },
      { method: 'tools/list', path: ['result'] },
    ];
    const { catalog, close } = await openToolbox({ sources: [source({ changes })] });
    const [status] = catalog.sources();
    await close();
    expect(status).toMatchObject({
      state: 'degraded',
      reason: expect.stringContaining('"upstream API token expired"'),
    });
  });
});
