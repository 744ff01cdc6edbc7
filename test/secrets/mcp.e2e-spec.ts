import { ERAS } from '../gateway/support/wire.js';
import { byTurns, isFull } from '../support/tier.cjs';
import { type AccountsApp, startAccountsApp } from '../user-credentials/support/accounts-app.js';
import { ANSWERS, type CallersMethod } from './support/answers.js';
import { EchoingHttpServer, LISTED_PLACES, OFFERED } from './support/echoing-server.js';
import { ALL_ENCODINGS, PLAIN } from './support/encodings.js';
import { labelOf, type Place } from './support/places.js';
import { Tour } from './support/tour.js';
import { Transcript } from './support/transcript.js';
import { WISHES } from './support/wishes.js';

const SOUGHT = 'Marker4711';
const SECRET = `sk-Zq7/Nine+${SOUGHT}"=x&y`;
const CREDENTIAL_REMOVED = "names a credential of the source's connection, which was removed";
/** Members of a schema that change nothing of what it accepts. */
const ANNOTATIONS = new Set(['title', 'description', '$comment', 'default', 'examples', 'x-note']);
/** Where a secret of another connection is read: the server sends it there, and the tour looks there. */
const FOUND_OTHERWISE = [
  ...ERAS.flatMap((era) => [
    `${era} tools/list`,
    `${era} resources/list`,
    `${era} prompts/list`,
    `${era} tool_search city`,
  ]),
  ...ERAS.flatMap((era) => [`${era} resources/templates/list`, `${era} tool_get from 0`]),
  'tools/call, structured content, as it is',
  'tools/call, content, as it is',
  'tools/call, a failure of the tool, as it is',
  'tools/call, a page, as it is',
  'tools/call, a question to the model, as it is',
  'tools/call, a log entry, as it is',
  'tools/call, progress, as it is',
  'resources/read, contents, as it is',
  'prompts/get, messages, as it is',
  'completion/complete, values, as it is',
  'admin sources',
  'admin catalog',
  'admin calls',
  'admin previews/search',
];
const METHODS = Object.keys(ANSWERS) as readonly CallersMethod[];

describe.each(ERAS.map((era, turn) => [era, turn] as const))('the credential of an MCP server, %s', (era, turn) => {
  let server: EchoingHttpServer;
  let app: AccountsApp;
  let seen: Transcript;
  let tour: Tour;

  const boot = async (says: Partial<EchoingHttpServer> = {}) => {
    server = Object.assign(new EchoingHttpServer(era), says);
    const headers = { authorization: `Bearer ${SECRET}` };
    app = await startAccountsApp({ ...OFFERED, auth: undefined, url: await server.start(), headers } as never);
    seen = new Transcript(SOUGHT);
    tour = new Tour(app, seen);
  };
  afterEach(async () => {
    await app.app.close();
    await server.stop();
  });

  it.each<number>(isFull ? Array.from(ALL_ENCODINGS.keys()) : [turn])(
    'is nowhere in lists, definitions and what operators see (encodings from number %i)',
    async (firstEncoding) => {
      await boot({ firstEncoding });
      await tour.definitions();
      await tour.operators();
      const held = await tour.openedByOperators();
      tour.written();
      expect(seen.leaks).toEqual([]);
      expect(seen.removals).toBeGreaterThan(50);
      // A tool is usable exactly if its server accepts what its schema says.
      for (const [index, place] of LISTED_PLACES['tools/list'].entries()) {
        const name = `mail.say${index}`;
        const isUsable = held.has(name) && held.get(name) === undefined;
        expect([labelOf(place), isUsable]).toEqual([labelOf(place), saysOnly(place)]);
        if (!isUsable && held.has(name)) expect(held.get(name)).toMatch(CREDENTIAL_REMOVED);
      }
    },
  );

  it('is nowhere in answers, the record and the log', async () => {
    await boot();
    for (const method of METHODS) {
      const wanted = new Set(byTurns(WISHES[method], turn));
      const codes = await tour.answers(method, (wish) => wanted.has(wish));
      expect(codes.get('ok')).toBeGreaterThan(0);
      expect(codes.has('TOOL_TIMEOUT')).toBe(false);
    }
    await tour.operators();
    tour.written();
    expect(seen.leaks).toEqual([]);
    expect(seen.removals).toBeGreaterThan(50);
  });

  it('would be found in each of these places if it were not its credential', async () => {
    await boot({ instead: `another-${SOUGHT}` });
    await tour.definitions();
    for (const method of METHODS) {
      await tour.answers(method, ({ place, encoding }) => place === undefined && encoding === PLAIN);
    }
    await tour.operators();
    tour.written();
    expect(FOUND_OTHERWISE.filter((label) => !seen.leaks.includes(label))).toEqual([]);
  });
});

/** Whether a credential in this place changes nothing of what a tool is called by and with. */
function saysOnly({ path, at }: Place): boolean {
  const [first] = path;
  const last = path.at(-1);
  if (first !== 'inputSchema' && first !== 'outputSchema') return !(first === 'name');
  // A member by another name, whose value nobody reads.
  if (path.length === 1) return at === 'name';
  const isAnnotation = path.some((name, depth) => ANNOTATIONS.has(String(name)) && path[depth - 1] !== 'properties');
  return isAnnotation && (at !== 'name' || !ANNOTATIONS.has(String(last)));
}
