import { FakeSource, type FakeSourceTool } from '../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox, type ToolboxSetup } from '../testing/open-toolbox.js';
import { type ToolSearchErrorCode, isToolSearchError } from '../tool/tool-search.error.js';
import type { ToolResult } from '../tool/tool-result.js';
import type { Toolbox } from './toolbox.js';

/*
 * Input that a model, a client or an attacker may send, and the answers to it. A refusal has a code, describes the
 * fault and the next step, and never repeats a value. Harmless input is accepted.
 */

const SECRET = 'hunter2-s3cr3t';
const TOOLS: FakeSourceTool[] = [
  {
    name: 'refund',
    description: 'Refund an invoice, fully or in part.',
    aliases: ['billing.pay_back'],
    inputSchema: {
      type: 'object',
      properties: { invoice: { type: 'integer' }, note: { type: 'string' }, detail: { type: 'object' } },
      additionalProperties: false,
    },
  },
  { name: 'name_x', description: 'Column filter: name, near, and, or, not.' },
  { name: 'hidden', description: 'Never to be seen.', aliases: ['billing.secret_alias'] },
  { name: 'leaks', description: 'Throws.', run: () => Promise.reject(new Error(`postgres://admin:${SECRET}@db`)) },
  { name: 'hangs', description: 'Hangs.', timeoutMs: 1, run: () => new Promise(() => undefined) },
];
const setup: ToolboxSetup = {
  policy: { deny: ['billing.hidden'] },
  options: { exposure: 'deferred', search: { types: ['bm25', 'exact', 'regex'] } },
};
const application = (more: ToolboxSetup = {}) =>
  openToolbox({ sources: [new FakeSource('billing', TOOLS)], ...setup, ...more });

/** The outcome of an operation: its answer, or the refusal it threw. */
async function outcomeOf(
  work: () => Promise<unknown>,
): Promise<{ code: ToolSearchErrorCode | 'ok'; message?: string; hint?: string; answer?: unknown }> {
  try {
    const answer = (await work()) as { ok?: boolean } & Record<string, unknown>;
    if (answer?.ok === false) return answer as never;
    return { code: 'ok', answer };
  } catch (error) {
    if (!isToolSearchError(error)) throw error;
    return { code: error.code, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) };
  }
}

type Row = readonly [what: string, input: unknown, code: ToolSearchErrorCode | 'ok'];

function itAnswers(rows: readonly Row[], ask: (toolbox: Toolbox, input: never) => Promise<unknown>): void {
  it.each(rows)('%s', async (_, input, code) => {
    const { toolbox } = await shared;
    const outcome = await outcomeOf(() => ask(toolbox, input as never));
    expect(outcome.code).toBe(code);
    if (code === 'ok') return;
    expectHelpful(outcome);
  });
}

function expectHelpful({ message, hint }: { readonly message?: string; readonly hint?: string }): void {
  expect(message).toMatch(/^\S.{9,}[.]/);
  expect(hint).toMatch(/^[A-Z].{5,}/);
  expect(`${message} ${hint}`).not.toContain(SECRET);
  expect(`${message} ${hint}`).not.toMatch(/\bat .*[.]ts|Error:|undefined|\[object/);
  expect(`${message} ${hint}`.length).toBeLessThan(600);
}

let shared: Promise<OpenToolbox>;
beforeAll(() => {
  shared = application();
});

const long = (length: number) => SECRET + 'x'.repeat(length - SECRET.length);

describe('a search query', () => {
  itAnswers(
    [
      ['empty', '', 'INVALID_QUERY'],
      ['blank', ' \n\t\u00a0', 'INVALID_QUERY'],
      ['only invisible characters', '\u200b\u{e0041}\ufeff', 'INVALID_QUERY'],
      ['only punctuation', '?! ... --', 'ok'],
      ['an unbalanced quote', '"refund', 'ok'],
      ['operators of a query language', 'AND OR NOT NEAR(refund', 'ok'],
      ['a column filter', 'name:x', 'ok'],
      ['a column set', '{a b}:refund', 'ok'],
      ['an anchor', '^refund', 'ok'],
      ['a star', '*', 'ok'],
      ['5,000 times "a OR"', 'a OR '.repeat(5000), 'QUERY_TOO_LONG'],
      ['4,001 characters', long(4001), 'QUERY_TOO_LONG'],
      ['4,000 characters', 'refund '.repeat(571) + 'abc', 'ok'],
      ['hundreds of different words', Array.from({ length: 500 }, (_, id) => `w${id}`).join(' '), 'ok'],
      ['NUL and control characters', 're\u0000fund\u0007', 'ok'],
      ['half a surrogate pair', 'refund \ud800', 'ok'],
      ['zero-width and tag characters', 're\u200bfu\u{e0041}nd', 'ok'],
      ['a list', ['refund'], 'INVALID_ARGUMENTS'],
      ['an object', { text: SECRET }, 'INVALID_ARGUMENTS'],
      ['a number', 7, 'INVALID_ARGUMENTS'],
      ['null', null, 'INVALID_ARGUMENTS'],
    ],
    (toolbox, query) => toolbox.search({ query }),
  );

  it.each([
    '"refund',
    '^refund',
    'refund*',
    're\u0000fund',
    'refund \ud800',
    're\u200bfu\u{e0041}nd',
    'ｒｅｆｕｎｄ',
    'REFUND) OR (',
  ])('is only text: %j finds the refund', async (query) => {
    const { toolbox } = await shared;
    expect((await toolbox.search({ query })).tools.map(({ name }) => name)).toContain('billing.refund');
  });

  it('of punctuation alone has no hits, and a notice', async () => {
    const { toolbox } = await shared;
    expect(await toolbox.search({ query: '?! ...' })).toMatchObject({ tools: [], verdict: 'none' });
  });
});

describe('a search request', () => {
  itAnswers(
    [
      ['with limit 0', { query: 'refund', limit: 0 }, 'INVALID_ARGUMENTS'],
      ['with limit -1', { query: 'refund', limit: -1 }, 'INVALID_ARGUMENTS'],
      ['with limit 1.5', { query: 'refund', limit: 1.5 }, 'INVALID_ARGUMENTS'],
      ['with limit "5"', { query: 'refund', limit: '5' }, 'INVALID_ARGUMENTS'],
      ['with limit NaN', { query: 'refund', limit: Number.NaN }, 'INVALID_ARGUMENTS'],
      ['with limit null', { query: 'refund', limit: null }, 'INVALID_ARGUMENTS'],
      ['with limit 1e9, which is lowered', { query: 'refund', limit: 1e9 }, 'ok'],
      ['with an unknown type', { query: 'refund', type: SECRET }, 'INVALID_ARGUMENTS'],
      ['with a type from a prototype', { query: 'refund', type: 'constructor' }, 'INVALID_ARGUMENTS'],
      ['with an unknown field', { query: 'refund', search_type: SECRET }, 'INVALID_ARGUMENTS'],
      ['with a namespace that is no text', { query: 'refund', namespace: { a: SECRET } }, 'INVALID_ARGUMENTS'],
      ['with a namespace of 129 characters', { query: 'refund', namespace: long(129) }, 'INVALID_ARGUMENTS'],
      ['with a flag that is a text', { query: 'refund', includeAlwaysLoaded: 'yes' }, 'INVALID_ARGUMENTS'],
      ['with query and queries', { query: 'refund', queries: ['refund'] }, 'INVALID_ARGUMENTS'],
      ['with neither', {}, 'INVALID_ARGUMENTS'],
      ['with no wording', { queries: [] }, 'INVALID_ARGUMENTS'],
      ['with six wordings', { queries: Array(6).fill('refund') }, 'INVALID_ARGUMENTS'],
      ['with a wording that is no text', { queries: ['refund', [SECRET]] }, 'INVALID_ARGUMENTS'],
      ['with queries that are a text', { queries: 'refund' }, 'INVALID_ARGUMENTS'],
      ['with an empty wording', { queries: ['refund', ' '] }, 'INVALID_QUERY'],
      ['with fields and words', { query: 'refund', fields: ['name'] }, 'INVALID_ARGUMENTS'],
      ['with fields and a name', { query: 'refund', type: 'exact', fields: ['name'] }, 'INVALID_ARGUMENTS'],
      ['with fields and a pattern', { query: 'refund', type: 'regex', fields: ['tags', 'name'] }, 'ok'],
      ['with no field', { query: 'refund', type: 'regex', fields: [] }, 'INVALID_ARGUMENTS'],
      ['with four fields', { query: 'refund', type: 'regex', fields: Array(4).fill('name') }, 'INVALID_ARGUMENTS'],
      ['with an unknown field to match', { query: 'x', type: 'regex', fields: [SECRET] }, 'INVALID_ARGUMENTS'],
      ['with fields from a prototype', { query: 'x', type: 'regex', fields: ['constructor'] }, 'INVALID_ARGUMENTS'],
      ['with fields that are a text', { query: 'x', type: 'regex', fields: 'name' }, 'INVALID_ARGUMENTS'],
      ['with fields that are null', { query: 'x', type: 'regex', fields: null }, 'INVALID_ARGUMENTS'],
      ['with explain "yes"', { query: 'refund', explain: 'yes' }, 'INVALID_ARGUMENTS'],
      ['that is a list', ['refund'], 'INVALID_ARGUMENTS'],
      ['that is null', null, 'INVALID_ARGUMENTS'],
      ['that is a text', 'refund', 'INVALID_ARGUMENTS'],
    ],
    async (toolbox, request) => {
      const direct = await outcomeOf(() => toolbox.search(request));
      const fromModel = await outcomeOf(() => toolbox.call('tool_search', request));
      // A program and a model get the same code.
      expect(fromModel.code).toBe(direct.code);
      return direct.code === 'ok' ? direct.answer : { ok: false, ...direct };
    },
  );

  it('says which types there are, and that a limit was lowered', async () => {
    const { toolbox } = await application(); // the shared run is in a search loop by now, so its hint is about the loop
    const { hint } = await outcomeOf(() => toolbox.search({ query: 'x', type: 'semantic' as never }));
    for (const type of ['bm25', 'fts', 'regex', 'exact']) expect(hint).toContain(type);
    const fresh = (await shared).open({ runId: 'run-of-one-search' });
    expect((await fresh.search({ query: 'refund', limit: 1e9 })).notice).toBe('limit was lowered to 20, the maximum');
  });
});

describe('a pattern', () => {
  itAnswers(
    [
      ['that would explode elsewhere', '(a+)+$', 'ok'],
      ['that matches everything', '.*', 'ok'],
      ['empty', '', 'INVALID_QUERY'],
      ['blank', '   ', 'INVALID_QUERY'],
      ['with a costly programme', '(?:a?){500}a{500}$', 'PATTERN_TOO_COSTLY'],
      ['with a huge repetition', 'a{2000}', 'PATTERN_TOO_COSTLY'],
      ['with nested repetitions', '((a{100}){100}){100}', 'PATTERN_TOO_COSTLY'],
      ['with look-ahead', '(?=refund)', 'PATTERN_UNSUPPORTED'],
      ['with look-behind', '(?<!x)refund', 'PATTERN_UNSUPPORTED'],
      ['with a back-reference', '(a)\\1', 'PATTERN_UNSUPPORTED'],
      ['with an open class', `[${SECRET}`, 'INVALID_PATTERN'],
      ['with an open group', '(refund', 'INVALID_PATTERN'],
      ['with nothing to repeat', '*refund', 'INVALID_PATTERN'],
      ['of 99 nested groups', '('.repeat(99) + 'a' + ')'.repeat(99), 'ok'],
      ['of 201 characters', long(201), 'QUERY_TOO_LONG'],
      ['of 2,000 nested groups', '('.repeat(2000) + ')'.repeat(2000), 'QUERY_TOO_LONG'],
    ],
    (toolbox, query) => toolbox.search({ query, type: 'regex' }),
  );

  it('that is wrong says where', async () => {
    const { toolbox } = await shared;
    const { message } = await outcomeOf(() => toolbox.search({ query: 'refund[', type: 'regex' }));
    expect(message).toContain('position 6');
  });

  it('that matches everything is limited and sees no more than words do', async () => {
    const { toolbox } = await shared;
    const { tools } = await toolbox.search({ query: '.*', type: 'regex', limit: 3 });
    expect(tools).toHaveLength(3);
    const all = await toolbox.search({ query: '.*', type: 'regex', limit: 20 });
    expect(all.tools.map(({ name }) => name)).not.toContain('billing.hidden');
  });
});

describe('names to read or load', () => {
  const rows: readonly Row[] = [
    ['none', [], 'INVALID_ARGUMENTS'],
    ['not given', undefined, 'INVALID_ARGUMENTS'],
    ['in one text', 'billing.refund', 'INVALID_ARGUMENTS'],
    ['eleven', Array.from({ length: 11 }, (_, id) => `a.t${id}`), 'TOO_MANY_NAMES'],
    ['repeated', ['billing.refund', 'billing.refund'], 'ok'],
    ['unknown', ['billing.nothing'], 'TOOL_NOT_AVAILABLE'],
    ['denied', ['billing.hidden'], 'TOOL_NOT_AVAILABLE'],
    ['the alias of a denied tool', ['billing.secret_alias'], 'TOOL_NOT_AVAILABLE'],
    ['parts of every object', ['__proto__', 'constructor', 'toString'], 'TOOL_NOT_AVAILABLE'],
    ['in the wrong case', ['Billing.Refund'], 'TOOL_NOT_AVAILABLE'],
    ['with a look-alike letter', ['billing.rеfund'], 'TOOL_NOT_AVAILABLE'],
    ['with a blank at the end', ['billing.refund '], 'TOOL_NOT_AVAILABLE'],
    ['in full width', ['ｂilling.refund'], 'TOOL_NOT_AVAILABLE'],
    ['as the wire writes them', ['billing__refund'], 'TOOL_NOT_AVAILABLE'],
    ['of 10 KB', [long(10_240)], 'INVALID_ARGUMENTS'],
    ['with a wildcard', ['billing.*'], 'INVALID_ARGUMENTS'],
    ['with a question mark', ['billing.refun?'], 'INVALID_ARGUMENTS'],
    ['that are empty', [''], 'INVALID_ARGUMENTS'],
    ['that are numbers', [7], 'INVALID_ARGUMENTS'],
    ['that are objects', [{ name: SECRET }], 'INVALID_ARGUMENTS'],
    ['one good and one null', ['billing.refund', null], 'INVALID_ARGUMENTS'],
  ];
  itAnswers(rows, async (toolbox, names) => {
    const direct = await outcomeOf(() => toolbox.get(names));
    expect((await outcomeOf(() => toolbox.call('tool_get', { names }))).code).toBe(direct.code);
    return direct.code === 'ok' ? direct.answer : { ok: false, ...direct };
  });

  it.each(rows.filter(([, , code]) => code !== 'TOOL_NOT_AVAILABLE'))('to activate: %s', async (_, names, code) => {
    const { toolbox } = await shared;
    expect((await outcomeOf(() => toolbox.activate(names as never))).code).toBe(code);
  });

  it('that are repeated are answered once', async () => {
    const { toolbox } = await shared;
    expect((await toolbox.get(['billing.refund', 'billing.refund', 'billing.pay_back'])).tools).toHaveLength(1);
  });

  it('that are denied, unknown or impossible are answered with the same bytes', async () => {
    const { toolbox } = await shared;
    const asked = [
      'billing.hidden',
      'billing.secret_alias',
      'billing.nothing',
      '__proto__',
      'Billing.Refund',
      'no.such',
    ];
    const answers = await Promise.all(asked.map((name) => outcomeOf(() => toolbox.get([name]))));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const calls = await Promise.all([...asked, SECRET, '', '\u0000', 7 as never].map((name) => toolbox.call(name, {})));
    expect(new Set(calls.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});

describe('a session', () => {
  const bySession = { exposure: 'deferred', activation: { scope: 'session' } } as const;

  it('that is required and not given is asked for: there is no bucket that strangers share', async () => {
    const { toolbox } = await application({ options: bySession });
    for (const work of [
      () => toolbox.list(),
      () => toolbox.activate(['billing.refund']),
      () => toolbox.call('billing.refund', {}),
    ]) {
      const outcome = await outcomeOf(work);
      expect(outcome.code).toBe('SESSION_REQUIRED');
      expectHelpful(outcome);
    }
  });

  it.each([
    ['empty', ''],
    ['blank', '   '],
    ['of 257 characters', long(257)],
    ['with NUL', `${SECRET}\u0000`],
    ['with a line break', `${SECRET}\nadmin`],
    ['that is a number', 7],
    ['that is null', null],
    ['that is an object', { id: SECRET }],
  ])('id %s is refused', async (_, sessionId) => {
    const { open } = await shared;
    for (const field of ['sessionId', 'runId']) {
      const outcome = await outcomeOf(async () => open({ [field]: sessionId as string }));
      expect(outcome.code).toBe('INVALID_SESSION');
      expectHelpful(outcome);
    }
  });

  it('of another user is answered like an unknown one', async () => {
    const { open } = await application({ options: bySession });
    await open({ sessionId: 's', userId: 'ada' }).activate(['billing.refund']);
    const listOf = async (context: object) => JSON.stringify(await open(context).list());
    for (const thief of [{ userId: 'mallory' }, { tenantId: 'globex' }]) {
      expect(await listOf({ sessionId: 's', ...thief })).toBe(await listOf({ sessionId: 'never', ...thief }));
    }
  });

  it.each(['../../etc/passwd', "'; DROP TABLE activations; --", '%00', '__proto__', '["acme","ada"]'])(
    'id %s is a key like any other',
    async (sessionId) => {
      const { open } = await application({ options: bySession });
      await open({ sessionId }).activate(['billing.refund']);
      expect(await open({ sessionId }).list()).toHaveLength(1);
      expect(await open({ sessionId: 'other' }).list()).toEqual([]);
    },
  );

  it('that has expired starts empty', async () => {
    let now = 1_800_000_000_000;
    const { open } = await application({ options: bySession, now: () => now });
    await open({ sessionId: 's' }).activate(['billing.refund']);
    now += 86_400_001;
    expect(await open({ sessionId: 's', runId: 'next' }).list()).toEqual([]);
  });

  it('holds 100 tools; the 101st is refused with what to do', async () => {
    const names = Array.from({ length: 101 }, (_, id) => `t${id}`);
    const { toolbox } = await openToolbox({ sources: [new FakeSource('x', names)] });
    for (const name of names.slice(0, 100)) expect((await toolbox.call(`x.${name}`, {})).ok).toBe(true);
    const outcome = await outcomeOf(() => toolbox.call('x.t100', {}));
    expect(outcome.code).toBe('ACTIVATION_LIMIT');
    expectHelpful(outcome);
    expect((await toolbox.call('x.t0', {})).ok).toBe(true);
  });
});

describe('the arguments of a call', () => {
  /** Arguments parsed from text, as a client sends them. */
  const json = (text: string): unknown => JSON.parse(text);
  const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

  itAnswers(
    [
      ['none', {}, 'ok'],
      ['that fit', { invoice: 5, note: SECRET }, 'ok'],
      ['null', null, 'INVALID_ARGUMENTS'],
      ['a list', [SECRET], 'INVALID_ARGUMENTS'],
      ['a text', SECRET, 'INVALID_ARGUMENTS'],
      ['not given', undefined, 'INVALID_ARGUMENTS'],
      ['__proto__ as a key', json(`{"__proto__": {"admin": "${SECRET}"}}`), 'INVALID_ARGUMENTS'],
      [
        'constructor.prototype as keys',
        json(`{"detail": {"constructor": {"prototype": "${SECRET}"}}}`),
        'INVALID_ARGUMENTS',
      ],
      ['33 levels', { detail: nested(32) }, 'ARGUMENTS_TOO_LARGE'],
      ['32 levels', { detail: nested(31) }, 'ok'],
      ['more than 256 KiB', { note: long(262_145) }, 'ARGUMENTS_TOO_LARGE'],
      ['"5" where a whole number is wanted', { invoice: '5' }, 'INVALID_ARGUMENTS'],
      ['a secret where a whole number is wanted', { invoice: SECRET }, 'INVALID_ARGUMENTS'],
      ['5.5 where a whole number is wanted', { invoice: 5.5 }, 'INVALID_ARGUMENTS'],
      ['a property that is not known', { invoice: 5, extra: SECRET }, 'INVALID_ARGUMENTS'],
      ['1e400', json('{"invoice": 1e400}'), 'INVALID_ARGUMENTS'],
      ['NaN', { invoice: Number.NaN }, 'INVALID_ARGUMENTS'],
      ['-0', json('{"invoice": -0}'), 'ok'],
      ['2^53 + 1', json('{"invoice": 9007199254740993}'), 'INVALID_ARGUMENTS'],
    ],
    (toolbox, input) => toolbox.call('billing.refund', input),
  );

  it('with an unknown property name it, not its value', async () => {
    const { toolbox } = await shared;
    const { message } = await outcomeOf(() => toolbox.call('billing.refund', { extra: SECRET }));
    expect(message).toContain('/extra is not a known property');
  });

  it('leave prototypes as they were', async () => {
    const { toolbox } = await shared;
    const before = Reflect.ownKeys(Object.prototype);
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      await toolbox.call(
        'billing.refund',
        json(`{"${key}": {"polluted": true}, "detail": {"${key}": {"polluted": true}}}`),
      );
    }
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('for a tool that is not active activate it, if it may be had, and else say no more than for an unknown one', async () => {
    const { toolbox } = await application();
    expect(await toolbox.call('billing.refund', {})).toMatchObject({ ok: true, activated: true });
    const denied = await toolbox.call('billing.hidden', {});
    expect(denied).toEqual(await toolbox.call('billing.nothing', {}));
    expect(denied).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expectHelpful(denied as Extract<ToolResult, { ok: false }>);
  });

  it('do not reach a tool that was denied between reading and calling', async () => {
    const { toolbox, policies, eventsOf } = await application();
    await toolbox.get(['billing.refund']);
    policies.setTenant('acme', { deny: ['billing.refund'] });
    expect(await toolbox.call('billing.refund', {})).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect(eventsOf('tool.called')).toEqual([]);
  });

  it('for a tool that takes too long end in a timeout, which may have had an effect', async () => {
    const { toolbox } = await shared;
    const outcome = await outcomeOf(() => toolbox.call('billing.hangs', {}));
    expect(outcome).toMatchObject({ code: 'TOOL_TIMEOUT', message: expect.stringContaining('may have taken effect') });
    expectHelpful(outcome);
  });

  it('for a tool that throws a secret end without it', async () => {
    const { toolbox, faults, happened } = await application();
    const outcome = await outcomeOf(() => toolbox.call('billing.leaks', {}));
    expect(outcome.code).toBe('TOOL_FAILED');
    expectHelpful(outcome);
    expect(JSON.stringify(happened)).not.toContain(SECRET);
    expect(faults).toMatchObject([{ tool: 'billing.leaks' }]);
  });
});
