import { ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { Test } from '@nestjs/testing';
import { checkedEnvironment } from './environment.js';
import { moduleOptions } from './settings.js';

const optionsOf = (env: Record<string, string>) => moduleOptions(checkedEnvironment(env));
const booted = async (env: Record<string, string>) => {
  const module = await Test.createTestingModule({
    imports: [ToolSearchModule.forRoot({ ...optionsOf(env), context: () => ({ tenantId: 'acme' }) })],
  })
    .setLogger(false as never)
    .compile();
  try {
    await module.init();
    const surface = await module.get(ToolSearchService).open({ tenantId: 'acme' }).surface();
    return [surface.mode, surface.meta.map(({ name }) => name)];
  } finally {
    await module.close();
  }
};

describe('the module options of the environment', () => {
  it.each<[Record<string, string>, object]>([
    [{ TOOL_SEARCH_PRESET: 'mastra' }, { preset: 'mastra' }],
    [{ TOOL_SEARCH_EXPOSURE: 'on', TOOL_SEARCH_DEFERRAL: 'bridge' }, { exposure: { mode: 'on', deferral: 'bridge' } }],
    [
      { TOOL_SEARCH_META_TOOLS_SEARCH: 'find', TOOL_SEARCH_META_TOOLS_CALL: 'use' },
      { exposure: { metaTools: { search: 'find', call: 'use' } } },
    ],
    [{ TOOL_SEARCH_OFFER_TOKENS: '0', TOOL_SEARCH_MIN_SCORE: '0.25' }, { search: { offerTokens: 0, minScore: 0.25 } }],
    [
      { TOOL_SEARCH_GAPS_KEEP_QUERIES: 'true', TOOL_SEARCH_GAPS_TTL_MS: '0' },
      { search: { gaps: { keepQueries: true, ttlMs: 0 } } },
    ],
    [
      { TOOL_SEARCH_LEDGER_COUNT_ALL: 'true', TOOL_SEARCH_LEDGER_FLUSH_EVERY_MS: '10' },
      { ledger: { countAll: true, flushEveryMs: 10 } },
    ],
    [
      { TOOL_SEARCH_LEDGER: 'true', TOOL_SEARCH_TOKENIZER: 'estimate' },
      { ledger: {}, tokenizer: 'estimate' },
    ],
    [{ TOOL_SEARCH_LEDGER: 'false' }, { ledger: false }],
  ])('reads %j', (env, options) => {
    expect(optionsOf(env)).toMatchObject(options);
  });

  it.each([
    ['TOOL_SEARCH_PRESET', 'langchain'],
    ['TOOL_SEARCH_DEFERRAL', 'all'],
    ['TOOL_SEARCH_META_TOOLS_SEARCH', 'tool.search'],
    ['TOOL_SEARCH_META_TOOLS_GET', 'x'.repeat(65)],
    ['TOOL_SEARCH_MIN_SCORE', '1.1'],
    ['TOOL_SEARCH_MIN_SCORE', 'NaN'],
    ['TOOL_SEARCH_OFFER_TOKENS', '-1'],
    ['TOOL_SEARCH_TOKENIZER', 'cl100k_base'],
    ['TOOL_SEARCH_LEDGER', 'off'],
    ['TOOL_SEARCH_GAPS_IDLE_MS', '0'],
    ['TOOL_SEARCH_GAPS_KEEP_QUERY', 'true'],
  ])('refuses %s=%s by its name', (key, value) => {
    expect(() => checkedEnvironment({ [key]: value })).toThrow(key);
  });

  it.each<[Record<string, string>, string, string[]]>([
    [{}, 'all', []],
    [{ TOOL_SEARCH_EXPOSURE: 'all' }, 'all', []],
    [{ TOOL_SEARCH_EXPOSURE: 'off' }, 'all', []],
    [{ TOOL_SEARCH_EXPOSURE: 'false' }, 'all', []],
    [{ TOOL_SEARCH_EXPOSURE: 'true' }, 'all', []],
    [{ TOOL_SEARCH_EXPOSURE: 'on' }, 'deferred', ['tool_search', 'tool_get']],
    [{ TOOL_SEARCH_EXPOSURE: 'native' }, 'deferred', ['tool_search', 'tool_get']],
    [{ TOOL_SEARCH_EXPOSURE: 'bridge' }, 'bridge', ['tool_search', 'tool_get', 'tool_call']],
    [
      { TOOL_SEARCH_EXPOSURE: 'on', TOOL_SEARCH_DEFERRAL: 'bridge', TOOL_SEARCH_META_TOOLS_CALL: 'use' },
      'bridge',
      ['tool_search', 'tool_get', 'use'],
    ],
    [{ TOOL_SEARCH_EXPOSURE: 'on', TOOL_SEARCH_PRESET: 'mastra' }, 'deferred', ['search_tools', 'load_tool']],
  ])('shows tools as %j says', async (env, mode, meta) => {
    expect(await booted(env)).toEqual([mode, meta]);
  });

  it('refuses two meta tools of one name', async () => {
    const same = { TOOL_SEARCH_META_TOOLS_GET: 'find', TOOL_SEARCH_META_TOOLS_SEARCH: 'find' };
    await expect(booted(same)).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
  });
});
