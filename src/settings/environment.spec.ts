import { ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { Test } from '@nestjs/testing';
import { eachOption, moduleOptions } from '@tool-search/core/internal';
import { checkedEnvironment, VARIABLE_NAMES } from './environment.js';

const optionsOf = (env: Record<string, string>) => checkedEnvironment(env).options;
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
      { TOOL_SEARCH_LEDGER_COUNT_ALL: 'true', TOOL_SEARCH_TUNING_LEDGER_FLUSH_EVERY_MS: '10' },
      { ledger: { countAll: true }, tuning: { ledger: { flushEveryMs: 10 } } },
    ],
    [
      { TOOL_SEARCH_LEDGER: 'true', TOOL_SEARCH_TOKENIZER: 'estimate' },
      { ledger: {}, tokenizer: 'estimate' },
    ],
    [{ TOOL_SEARCH_LEDGER: 'false' }, { ledger: false }],
    [
      { TOOL_SEARCH_LEARNING_FROM: 'tenant', TOOL_SEARCH_TUNING_SEARCH_CACHE: 'false' },
      { search: { learning: { from: 'tenant' } }, tuning: { search: { cache: false } } },
    ],
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
    ['TOOL_SEARCH_LANGUAGE', 'no language'],
    ['TOOL_SEARCH_OFFER_TOKENS', '-1'],
    ['TOOL_SEARCH_TOKENIZER', 'cl100k_base'],
    ['TOOL_SEARCH_LEDGER', 'off'],
    ['TOOL_SEARCH_TUNING_SEARCH_GAPS_IDLE_MS', '0'],
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

  it.each([
    ['TOOL_SEARCH_LIMIT', '50', 'TOOL_SEARCH_LIMIT must be a whole number from 1 to 20, not 50.'],
    ['TOOL_SEARCH_LIMIT', 'five', 'TOOL_SEARCH_LIMIT must be a whole number from 1 to 20, not this text.'],
    ['TOOL_SEARCH_LEDGER', 'off', 'TOOL_SEARCH_LEDGER must be true or false, not this text.'],
    ['TOOL_SEARCH_DIRECTORY_GROUPS', '{broken', 'TOOL_SEARCH_DIRECTORY_GROUPS must be a list in JSON.'],
    ['DATABASE_URL', 'mysql://u:pw@h/d', 'DATABASE_URL must be a URL that starts with postgres://, not this text.'],
  ])('says what %s may be instead of %s, without the text', (key, value, message) => {
    expect(() => checkedEnvironment({ [key]: value })).toThrow(`The environment is not usable:\n- ${message}`);
  });

  it.each([
    ['TOOL_SEARCH_CONTROL_POLL_MS', 'TOOL_SEARCH_TUNING_CONTROL_POLL_MS'],
    ['TOOL_SEARCH_GAPS_IDLE_MS', 'TOOL_SEARCH_TUNING_SEARCH_GAPS_IDLE_MS'],
    ['TOOL_SEARCH_RETRY_MIN_MS', 'TOOL_SEARCH_TUNING_CATALOG_RETRY_MIN_MS'],
  ])('refuses %s, which is now %s, with that name', (former, name) => {
    expect(() => checkedEnvironment({ [former]: '1000' })).toThrow(`- ${former} is now ${name}.`);
    expect(VARIABLE_NAMES).toContain(name);
  });

  it('counts no tokens where the ledger is switched off, with its other options set too', () => {
    expect(optionsOf({ TOOL_SEARCH_LEDGER: 'false', TOOL_SEARCH_LEDGER_COUNT_ALL: 'true' })).toEqual({ ledger: false });
  });

  it('has a variable for every option, except those that need code of the application', () => {
    const snake = (path: readonly (string | number)[]) =>
      `TOOL_SEARCH_${path.join('_').replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
    const leaves = eachOption(moduleOptions).filter(({ path, schema }) => {
      return !path.includes(0) && eachOption(schema).every(({ path: inner }) => inner[0] === 0);
    });
    // The name of the group is left out where it would only be repeated.
    const without = leaves
      .filter(({ path }) => ![path, path.slice(1)].some((each) => VARIABLE_NAMES.includes(snake(each))))
      .map(({ path }) => path.join('.'));
    expect(leaves.length).toBeGreaterThan(60);
    const needsCode =
      /^((context|sources|index|inspector|countTokens)\.|exposure\.forContext|visibility\.required|results\.perTool|calls\.perSource|tenantSources\.|redaction\.|search\.(embedder|dense|exampleQueries)\.|limits\.cost)/;
    expect(without.filter((option) => !needsCode.test(`${option}.`) && option !== 'exposure.mode')).toEqual([]);
  });

  it('takes receipts only with the secret that signs them', () => {
    const messages = { TOOL_SEARCH_ACTIVATION_STORAGE: 'messages' };
    expect(() => checkedEnvironment(messages)).toThrow(/needs TOOL_SEARCH_ACTIVATION_RECEIPT_SECRET/);
    const secret = { TOOL_SEARCH_ACTIVATION_RECEIPT_SECRET: 'sixteen letters!' };
    expect(optionsOf({ ...messages, ...secret })).toEqual({
      activation: { storage: 'messages', receiptSecret: 'sixteen letters!' },
    });
  });

  it('reads the limits of operators', () => {
    expect(checkedEnvironment({ TOOL_SEARCH_ADMIN_READS_PER_MINUTE: '7' }).admin).toEqual({ readsPerMinute: 7 });
  });

  it('gives each option a name of its own', () => {
    expect(new Set(VARIABLE_NAMES).size).toBe(VARIABLE_NAMES.length);
  });

  it('refuses two meta tools of one name', async () => {
    const same = { TOOL_SEARCH_META_TOOLS_GET: 'find', TOOL_SEARCH_META_TOOLS_SEARCH: 'find' };
    await expect(booted(same)).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
  });
});
