import fc from 'fast-check';
import { FakeSource, type FakeSourceTool } from '../../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox, type ToolboxSetup } from '../../testing/open-toolbox.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { Completion, CompletionRequest, ListedResources } from '../../tool/tool-source.js';
import { listedReadings } from '../../json/uri-readings.js';

const EXPOSES = { exposes: ['resource', 'resource_template', 'prompt'] } as const;
const resource = (name: string, uri: string): FakeSourceTool => ({ name: `resources.${name}`, kind: 'resource', uri });
const template = (uri: string): FakeSourceTool => ({ name: 'resources.any', kind: 'resource_template', uri });
const PROMPT: FakeSourceTool = {
  name: 'prompts.review',
  kind: 'prompt',
  inputSchema: { type: 'object', properties: { file: { type: 'string' } } },
};
const ANY = 'docs.resources.any';

/** A source with suggestions. */
class Suggesting extends FakeSource {
  answers: unknown = [];
  failure: Error | undefined;
  /** What its server lists; undefined until it is known. */
  known: ListedResources | undefined;
  readonly asked: CompletionRequest[] = [];
  during: () => unknown = () => undefined;

  async complete(_name: string, request: CompletionRequest): Promise<Completion> {
    this.asked.push(request);
    await this.during();
    if (this.failure) throw this.failure;
    return (Array.isArray(this.answers) ? { values: this.answers } : this.answers) as Completion;
  }
}

/** One that says what its server lists. */
class Listing extends Suggesting {
  listed(): ListedResources | undefined {
    return this.known;
  }
}

describe('suggestions', () => {
  let world: OpenToolbox;
  let source: Suggesting;
  let clock = 1_000_000_020_000;
  const opened = async (items: readonly FakeSourceTool[], setup: ToolboxSetup = {}, Kind = Suggesting) => {
    source = new Kind('docs', [...items], EXPOSES);
    world = await openToolbox({ now: () => clock, ...setup, sources: [source] });
  };
  const complete = (name: string, argument: string, context?: Record<string, string>, user = 'ada') =>
    world
      .open({ userId: user })
      .items.complete(name, { argument: { name: argument, value: '' }, ...(context && { context }) });
  const valuesOf = async (...given: Parameters<typeof complete>) => (await complete(...given)).values;
  const hiding = (...names: string[]): ToolboxSetup => ({
    policy: { deny: names.map((name) => `docs.resources.${name}`) },
  });
  afterEach(() => world.close());

  describe('name no resource that the caller may not see', () => {
    it('where other variables of the template have no value yet', async () => {
      const items = [
        template('repo://{owner}/{name}{?ref}'),
        resource('a', 'repo://acme/Secret'),
        resource('b', 'repo://globex/open'),
      ];
      await opened(items, hiding('a'));
      source.answers = ['acme', 'ACME', '%61cme', 'globex', 'initech'];
      expect(await valuesOf(ANY, 'owner')).toEqual(['globex', 'initech']);
      source.answers = ['secret', 'SECRET', 'open', 'other'];
      expect(await valuesOf(ANY, 'name')).toEqual(['open', 'other']);
      expect(await valuesOf(ANY, 'name', { owner: 'acme' })).toEqual(['open', 'other']);
      expect(await valuesOf(ANY, 'name', { owner: 'initech' })).toEqual(['secret', 'SECRET', 'open', 'other']);
      source.answers = ['main'];
      expect(await valuesOf(ANY, 'ref', { owner: 'acme', name: 'secret' })).toEqual([]);
      expect(await valuesOf(ANY, 'ref', { owner: 'acme', name: 'other' })).toEqual(['main']);
    });

    it('but what a visible one has too', async () => {
      const items = [
        template('repo://{owner}/{name}'),
        resource('a', 'repo://acme/secret'),
        resource('b', 'repo://acme/open'),
        resource('c', 'repo://hooli/secret'),
      ];
      await opened(items, hiding('a', 'c'));
      source.answers = ['acme', 'hooli'];
      expect(await valuesOf(ANY, 'owner')).toEqual(['acme']);
    });

    it('nor a folder of hidden ones alone, nor one that a hidden, more specific template fits', async () => {
      const items = [
        template('doc:///{+path}'),
        { ...template('doc:///closed/{id}'), name: 'resources.closed' },
        resource('a', 'doc:///private/a'),
        resource('b', 'doc:///shared/b'),
        resource('c', 'doc:///shared/c'),
      ];
      await opened(items, hiding('a', 'c', 'closed'));
      source.answers = [
        'private',
        'Private/',
        'private/other',
        'shared',
        'shared/b',
        'shared/c',
        'closed/1',
        'closed',
        'open',
      ];
      expect(await valuesOf(ANY, 'path')).toEqual(['private/other', 'shared', 'shared/b', 'open']);
    });

    it('where the missing variables cannot lead out of a hidden, more specific template', async () => {
      const items = [template('doc:///{area}/{id}'), { ...template('doc:///closed/{id}'), name: 'resources.closed' }];
      await opened(items, hiding('closed'));
      source.answers = ['closed', 'Closed', 'open'];
      expect(await valuesOf(ANY, 'area')).toEqual(['open']);
    });

    it('in the values of prompts, as a URI, a path or a name', async () => {
      await opened(
        [PROMPT, resource('a', 'file:///docs/Secret.txt'), resource('b', 'file:///docs/open.txt')],
        hiding('a'),
      );
      source.answers = ['secret.txt', 'docs/secret.txt', 'file:///docs/%53ecret.txt', 'open.txt', 'docs', 'py'];
      expect(await valuesOf('docs.prompts.review', 'file')).toEqual(['open.txt', 'docs', 'py']);
    });

    it('that the server lists and the application does not expose, and none until that is known', async () => {
      await opened([template('repo://{owner}/{name}'), PROMPT], {}, Listing);
      source.answers = ['acme', 'globex', 'secret'];
      expect(await valuesOf(ANY, 'owner')).toEqual([]);
      expect(await valuesOf('docs.prompts.review', 'file')).toEqual([]);
      source.known = { readings: listedReadings('repo://acme/secret'), templates: [] };
      expect(await valuesOf(ANY, 'owner')).toEqual(['globex', 'secret']);
      expect(await valuesOf(ANY, 'name')).toEqual(['acme', 'globex']);
      expect(await valuesOf('docs.prompts.review', 'file')).toEqual(['globex']);
    });

    it('for any template, hidden resource and variable', async () => {
      const word = fc.constantFrom('a', 'b', 'A', 'ab');
      const parts = fc.array(fc.tuple(fc.constantFrom('', 'a/', 'b/'), word, fc.boolean()), {
        minLength: 1,
        maxLength: 3,
      });
      await fc.assert(
        fc.asyncProperty(parts, fc.nat(), fc.uniqueArray(fc.nat(2)), async (made, nth, known) => {
          // One expression may have several variables.
          const uri = `x:///${made
            .map(([literal, , isJoined], index) =>
              isJoined && index > 0 ? `,v${index}` : `${index > 0 ? '}/' : ''}${literal}{v${index}`,
            )
            .join('')}}`;
          const values = Object.fromEntries(made.map(([, value], index) => [`v${index}`, value]));
          const hidden = made
            .reduce((text, [, value], index) => text.replace(`v${index}`, value), uri)
            .replaceAll(/[{}]/g, '');
          const name = `v${nth % made.length}`;
          const context = Object.fromEntries(
            known.filter((each) => each < made.length).map((each) => [`v${each}`, values[`v${each}`]!]),
          );
          await opened([template(uri), resource('a', hidden)], hiding('a'));
          source.answers = [values[name], values[name]!.toUpperCase(), 'other'];
          expect(await valuesOf(ANY, name, context)).toEqual(['other']);
          await world.close();
        }),
        { numRuns: 50 },
      );
    });

    it('in the answer to a variable that the template does not have', async () => {
      await opened([template('doc:///{+path}'), resource('a', 'doc:///secret')], hiding('a'));
      source.answers = ['secret'];
      for (const name of ['other', '__proto__', 'constructor']) expect(await valuesOf(ANY, name)).toEqual([]);
    });
  });

  it('are refused like an unknown item where it is hidden, also while the source answers', async () => {
    await opened([template('doc:///{+path}'), PROMPT], hiding('any'));
    const refused = { code: 'TOOL_NOT_AVAILABLE', message: 'This tool is not available.' };
    await expect(complete(ANY, 'path')).rejects.toMatchObject(refused);
    await expect(complete('docs.resources.none', 'path')).rejects.toMatchObject(refused);
    const by = { actor: 'olga', reason: 'a test', tenantId: '' };
    source.answers = ['py'];
    source.during = () => world.killSwitches.engage({ ...by, kind: 'tool', value: 'docs.prompts.review' });
    await expect(complete('docs.prompts.review', 'file')).rejects.toMatchObject(refused);
  });

  it('are none where a rule on arguments may ask for an approval of a read, and stay where rules only refuse', async () => {
    for (const then of ['deny', 'approve'] as const) {
      const when = { required: ['uri'], properties: { uri: { const: 'doc:///closed' } } };
      const rule = { id: 'closed', tools: ['docs.*'], when, then, reason: 'somebody looks at it' };
      await opened([template('doc:///{+path}')], { policy: { arguments: [rule] } });
      source.answers = ['open'];
      expect(await valuesOf(ANY, 'path')).toEqual(then === 'deny' ? ['open'] : []);
      if (then === 'deny') await world.close();
    }
  });

  it('are none where a call policy decides about reads, because it may ask for an approval', async () => {
    for (const tools of [['docs.prompts.*'], ['docs.resources.*']]) {
      const policy = { decide: () => ({ outcome: 'allow' }) as const };
      await opened([template('doc:///{+path}')], { callPolicies: [{ policy, tools }] });
      source.answers = ['open'];
      const isAbout = tools[0] === 'docs.resources.*';
      expect(await valuesOf(ANY, 'path')).toEqual(isAbout ? [] : ['open']);
      if (!isAbout) await world.close();
    }
  });

  it('are at most 100 of 200 that are looked at, and come from a value of at most 1,000 characters', async () => {
    await opened([PROMPT]);
    source.answers = Array.from({ length: 5000 }, (_, index) => (index < 150 ? 7 : `v${index}`));
    const { values, hasMore } = await complete('docs.prompts.review', 'file');
    expect([values.length, values[0], hasMore]).toEqual([50, 'v150', true]);
    const argument = { name: 'file', value: 'x'.repeat(1001) };
    expect(await world.toolbox.items.complete('docs.prompts.review', { argument })).toEqual({ values: [] });
    expect(source.asked).toHaveLength(1);
  });

  describe('have limits', () => {
    const review = (user?: string) => complete('docs.prompts.review', 'file', undefined, user);
    const limited = (code = 'LIMIT_REACHED') => expect.objectContaining({ code });

    it('of their own for each user, which calls do not count in', async () => {
      const rules = [{ id: 'calls', rate: { calls: 2, windowMs: 60_000 } }];
      await opened([PROMPT], { options: { limits: { rules }, tuning: { limits: { completionsPerMinute: 3 } } } });
      const read = async () => (await world.toolbox.items.read('docs.prompts.review', { file: 'a' })).ok;
      expect(await read()).toBe(true);
      for (let n = 0; n < 3; n++) await review();
      await expect(review()).rejects.toMatchObject({
        code: 'LIMIT_REACHED',
        message: 'There are no suggestions for docs.prompts.review now: the limit completions is reached.',
        limit: 'completions',
        retryAfterSeconds: 63,
      });
      await review('bob');
      expect(await read()).toBe(true);
      expect(source.asked).toHaveLength(4);
      expect(world.eventsOf('limit.reached')).toMatchObject([{ limit: 'completions', tool: 'docs.prompts.review' }]);
      clock -= 3_600_000;
      await expect(review()).rejects.toEqual(limited());
      clock += 3_600_000 + 63_000;
      await expect(review('bob')).resolves.toEqual({ values: [], hasMore: false });
    });

    it('of the calls of their item: if these are reached, nothing is suggested, and suggestions do not count in them', async () => {
      const rules = [
        { id: 'reads', match: { tool: 'docs.*' }, per: ['user'], rate: { calls: 1, windowMs: 60_000 } },
      ] as const;
      await opened([PROMPT], { options: { limits: { rules: [...rules] } } });
      for (let n = 0; n < 5; n++) await review();
      expect(await world.toolbox.items.read('docs.prompts.review', {})).toMatchObject({ ok: true });
      await expect(review()).rejects.toMatchObject({ code: 'LIMIT_REACHED', limit: 'reads' });
      expect(source.asked).toHaveLength(5);
    });

    it('that are refused while their counters cannot be read', async () => {
      const rules = [{ id: 'reads', rate: { calls: 1, windowMs: 60_000 } }];
      const limitStore = { peek: () => Promise.reject(new Error('down')) } as never;
      await opened([PROMPT], { options: { limits: { rules } }, limitStore });
      await expect(review()).rejects.toEqual(limited('STORE_UNAVAILABLE'));
    });
  });

  describe('are redacted', () => {
    const redactor = {
      redact: async (texts: readonly { text: string }[]) => {
        if (texts.some(({ text }) => text === 'break')) throw new Error('no');
        return texts.map(({ text }) => text.replaceAll(/s3cret-\d/g, '[secret]'));
      },
    };
    const review = () => complete('docs.prompts.review', 'file');

    it('each once, with the words of a failure', async () => {
      await opened([PROMPT], { options: { redaction: { redactor } } });
      source.answers = ['s3cret-1', 'open', 's3cret-2'];
      expect((await review()).values).toEqual(['[secret]', 'open']);
      source.failure = new ToolSearchError('SOURCE_UNAVAILABLE', 'No s3cret-1.', { hint: 'See s3cret-2.' });
      await expect(review()).rejects.toMatchObject({ message: 'No [secret].', hint: 'See [secret].' });
      source.failure = new Error('s3cret-1');
      await expect(review()).rejects.toMatchObject({ message: 'There are no suggestions now.' });
    });

    it('or withheld where the redactor fails, and as they are where redaction does not cover their item', async () => {
      await opened([PROMPT], { options: { redaction: { redactor } } });
      source.answers = ['break'];
      await expect(review()).rejects.toMatchObject({ code: 'REDACTION_FAILED' });
      await world.close();
      await opened([PROMPT], { options: { redaction: { redactor, except: ['docs.*'] } } });
      source.answers = ['break', 's3cret-1'];
      expect((await review()).values).toEqual(['break', 's3cret-1']);
    });
  });

  describe('are recorded', () => {
    const of = (kind: 'completed') => world.records.list({ kind }, { limit: 100, oldestFirst: true });

    it('as one row a minute for each user and item, with how often they were asked for', async () => {
      await opened([PROMPT, template('doc:///{+path}')], {
        options: { tuning: { limits: { completionsPerMinute: 40 } } },
      });
      const press = async (times: number, name: string, user: string) => {
        for (let n = 0; n < times; n++) await complete(name, 'path', undefined, user).catch(() => undefined);
      };
      await press(30, ANY, 'ada');
      await press(20, 'docs.prompts.review', 'ada');
      await press(5, ANY, 'bob');
      expect(await of('completed')).toMatchObject([
        { tenantId: 'acme', userId: 'ada', tool: ANY, toolCount: 30, outcome: 'ok', decision: 'allow' },
        {
          userId: 'ada',
          tool: 'docs.prompts.review',
          toolCount: 20,
          outcome: 'LIMIT_REACHED',
          layer: 'limit',
          rule: 'completions',
          reason: '10 of 20 refused: it is reached',
        },
        { userId: 'bob', tool: ANY, toolCount: 5, outcome: 'ok' },
      ]);
      clock += 120_000;
      await press(2, ANY, 'ada');
      expect((await of('completed')).map(({ toolCount }) => toolCount)).toEqual([30, 20, 5, 2]);
      expect(await world.records.sums({})).toEqual([]);
    });

    it('refused ones of a hidden item too, and none of a user who is erased', async () => {
      await opened([PROMPT], { policy: { deny: ['docs.*'] } });
      await expect(complete('docs.prompts.review', 'file')).rejects.toThrow('not available');
      expect(await of('completed')).toMatchObject([{ toolCount: 1, outcome: 'TOOL_NOT_AVAILABLE', layer: 'policy' }]);
      await expect(complete('docs.prompts.review', 'file')).rejects.toThrow('not available');
      expect(await world.records.erase({ tenantId: 'acme', userId: 'ada' })).toBe(1);
      expect(await of('completed')).toEqual([]);
    });
  });
});
