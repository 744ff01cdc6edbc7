import fc from 'fast-check';
import { fakeTool } from '../../../testing/fakes/fake-tools.js';
import { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import { ToolSet } from '../../../tool/snapshot/tool-set.js';
import { stem } from '../../text/stem.js';
import { ASK_WORDS } from '../../text/stop-words.js';
import { MemoryToolIndex } from '../memory-tool-index.js';

const UNSEEN: readonly string[] = [];

/** The names of the best tools for a query, best first. */
async function ranked(
  given: readonly (readonly [name: string, description: string])[],
  query: string,
  hidden = UNSEEN,
) {
  const tools = given.map(([name, description]) => fakeTool({ name, description }));
  const snapshot = new CatalogSnapshot(
    1,
    tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );
  const index = new MemoryToolIndex();
  await index.apply({ next: snapshot });
  const visible = ToolSet.of(tools.length, (id) => !hidden.includes(snapshot.at(id).name));
  const { hits } = await index.search({ text: query, type: 'bm25', limit: 20, explain: true }, snapshot, visible);
  return hits.map(({ id, parts }) => ({ name: snapshot.at(id).name, parts }));
}
const first = async (...given: Parameters<typeof ranked>) => (await ranked(...given))[0]?.name;

const USERS = [
  ['app.find_user', 'Find a user by email address or id, with the groups and the time of the last visit.'],
  ['app.delete_user', 'Delete a user.'],
  ['app.ban_user', 'Ban a user.'],
] as const;

describe('a verb of a request', () => {
  it.each(['find a user', 'I want to find the user ann@example.com', 'can you help me find my user'])(
    'counts in names alone if it usually introduces requests: %s',
    async (query) => expect(await first(USERS, query)).toBe('app.find_user'),
  );

  it.each([
    ['check the invoice 4711', 'app.check_invoice'],
    ['get the invoice 4711', 'app.get_invoice'],
  ])('comes before its synonyms in the names of other tools: %s', async (query, name) => {
    const tools = ['check', 'get'].map(
      (verb) => [`app.${verb}_invoice`, `Will ${verb} the invoice with this id.`] as const,
    );
    expect(await first(tools, query)).toBe(name);
  });

  it('counts as the verb of a description too', async () => {
    const tools = [
      ['app.person_a', 'Ban a user.'],
      ['app.person_b', 'Check a user.'],
    ] as const;
    expect(await first(tools, 'please check the user')).toBe('app.person_b');
  });

  it('does not count where a word only introduces the request', async () => {
    const tools = [
      ['app.help_user', 'Help a user.'],
      ['app.find_user', 'Find a user.'],
    ] as const;
    expect(await first(tools, 'can you help me find a user')).toBe('app.find_user');
    expect(await first(tools, 'help a user')).toBe('app.help_user');
  });

  it.each([
    ['turn on the light', 'home.turn_on_light'],
    ['turn the light off', 'home.turn_off_light'],
    ['sign me out', 'home.sign_out'],
    ['volume up', 'home.volume_up'],
  ])('is distinguished by the small word beside it: %s', async (query, name) => {
    const names = ['turn_on_light', 'turn_off_light', 'sign_in', 'sign_out', 'volume_up', 'volume_down'];
    expect(
      await first(
        names.map((own) => [`home.${own}`, 'Does it.'] as const),
        query,
      ),
    ).toBe(name);
  });

  it('of another kind than the tool has in its name costs the tool, and the explanation says so', async () => {
    const tools = [
      ['mail.list_topics', 'Shows every topic of the grid.'],
      ['mail.publish_topics', 'Topics.'],
      ['mail.delete_topics', 'Topics.'],
    ] as const;
    const hits = await ranked(tools, 'list all topics');
    expect(hits[0]?.name).toBe('mail.list_topics');
    const other = hits.find(({ name }) => name === 'mail.delete_topics');
    expect(other?.parts?.find(({ field }) => field === 'agreement')?.score).toBeLessThan(0);
    expect(hits[0]?.parts?.some(({ field }) => field === 'agreement')).toBe(false);
  });

  it('is weighed by what the caller sees', async () => {
    const hidden = Array.from({ length: 30 }, (_, n) => [`app.find_${n}`, 'Find something.'] as const);
    const names = hidden.map(([name]) => name);
    expect(await ranked([...USERS, ...hidden], 'find a user', names)).toEqual(await ranked(USERS, 'find a user'));
  });

  it('ranks the tool with this verb before its siblings, for any verb and noun', async () => {
    const letters = fc.string({
      unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz')),
      minLength: 4,
      maxLength: 9,
    });
    const verb = fc.oneof(
      letters,
      fc.constantFrom(...ASK_WORDS, 'get', 'list', 'delete', 'remove', 'create', 'do', 'have'),
    );
    const siblings = fc
      .tuple(letters, fc.uniqueArray(verb, { minLength: 2, maxLength: 5, selector: stem }))
      .filter(([noun, verbs]) => verbs.every((each) => stem(each) !== stem(noun)));
    await fc.assert(
      fc.asyncProperty(siblings, fc.nat(4), async ([noun, verbs], at) => {
        const asked = verbs[at % verbs.length]!;
        const tools = verbs.map((each) => [`app.${each}_${noun}`, `Will ${each} the ${noun} with this id.`] as const);
        expect(await first(tools, `${asked} the ${noun} 4711`)).toBe(`app.${asked}_${noun}`);
      }),
      { numRuns: 500 },
    );
  });
});
