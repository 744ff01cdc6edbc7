import { McpSource } from '@tool-search/mcp';
import fc from 'fast-check';
import { type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { type Reader, READERS, ReadingServer } from './support/reading-server.js';
import { ERAS, send, WireCaller } from './support/wire.js';

/*
 * Servers made with the SDK read what their templates fit in different ways. Whatever a client writes, it never receives a
 * listed file that it may not see, or that the application does not expose.
 */

const OPEN = 'file:///docs/open.txt';
const HIDDEN = 'file:///docs/caf%C3%A9%20plan.txt';
const UNEXPOSED = 'file:///keys.txt';
const CLOSED = 'what nobody may read';
const FILES = {
  [OPEN]: 'open',
  [HIDDEN]: `hidden: ${CLOSED}`,
  [UNEXPOSED]: `not exposed: ${CLOSED}`,
  'file:///data/list.txt?v=1': `with a query: ${CLOSED}`,
};
const TEMPLATES = ['file:///{+path}', 'file://{+path}', 'view:///{+path}'];

type Change = (text: string) => string;
const letters = (change: Change) => fc.nat().map((n): Change => (text) => {
  const path = text.indexOf(':///') + 4;
  const at = path + (n % Math.max(1, text.length - path));
  return text.slice(0, at) + change(text.charAt(at)) + text.slice(at + 1);
}); // prettier-ignore
const escaped = (text: string) =>
  text === '%' ? '%25' : [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const replaced = (from: string | RegExp, to: string) =>
  fc.constant<Change>((text) => {
    const at = text.indexOf('://') + 3;
    return text.slice(0, at) + text.slice(at).replace(from, to);
  });
const ended = (...ends: readonly string[]) =>
  fc.constantFrom(...ends).map(
    (end): Change =>
      (text) =>
        text + end,
  );

const changes = fc.oneof(
  letters(escaped),
  letters((char) => escaped(escaped(char))),
  letters((char) => char.toUpperCase()),
  letters((char) => (/[!-~]/.test(char) && char !== '%' ? String.fromCharCode(char.charCodeAt(0) + 0xfee0) : char)),
  ended('?', '?x', '?%', '?%zz=1', '#', '#x', ';p=1', '/', '//', '/.', '.', '%20', '%00', '\\', '?x#y', '%3Fx', '%23'),
  replaced('%C3%A9', 'e%CC%81'),
  replaced('%C3%A9', 'é'),
  replaced('%C3%A9', '%c3%a9'),
  replaced('%20', ' '),
  replaced('%20', '+'),
  replaced('docs/', './docs/'),
  replaced('docs/', 'x/../docs/'),
  replaced('docs/', 'x/%2e%2E/docs/'),
  replaced('docs/', 'docs//'),
  replaced('docs/', 'docs%2F'),
  replaced('docs/', 'docs\\'),
  replaced(/^\//, 'localhost/'),
  replaced(/^\//, 'host/'),
  replaced(/^\//, '/\t'),
  fc.constant<Change>((text) => text.replace('file:///', 'view:///')),
  fc.constant<Change>((text) => text.replace('file:///', 'file:/')),
  fc.constant<Change>((text) => text.replace('file:', 'FILE:')),
  fc.constant<Change>((text) => text.replace(/\?v=\d+$/, '')),
  fc.constant<Change>((text) => text.replace(/\?v=\d+$/, '?v=2')),
);
const spellings = fc
  .tuple(fc.constantFrom(HIDDEN, UNEXPOSED, 'file:///data/list.txt?v=1'), fc.array(changes, { minLength: 1, maxLength: 4 }))
  .map(([uri, made]) => made.reduce((text, change) => change(text), uri as string)); // prettier-ignore

/** Spellings that some of these servers read, whatever the random ones are. */
const EXAMPLES: [string][] = [
  [`${HIDDEN}?x`],
  ['file:///data/list.txt'],
  ['file:///data/list.txt?v=2'],
  ['view:///keys.txt'],
  ['file://host/keys.txt'],
];

describe.each(READERS.flatMap((reader) => ERAS.map((era) => ({ reader, era }))))(
  'a server that reads the $reader of a URI, for clients of the era $era',
  ({ reader, era }) => {
    let files: ReadingServer;
    let world: GatewayApp;
    let caller: WireCaller;

    beforeAll(async () => {
      files = new ReadingServer(reader as Reader, FILES, TEMPLATES);
      const source = new McpSource({
        name: 'files',
        url: await files.start(),
        expose: { resources: ['file:///docs/*', ...TEMPLATES] },
        changes: 'trust',
      });
      world = await startGatewayApp('express', {
        options: { sources: [source], policy: { deny: ['files.resources.*plan*'] } },
      });
      caller = await WireCaller.of(world.url, era);
    });
    afterAll(async () => {
      await world.app.close();
      await files.stop();
    });
    const read = async (uri: string) => {
      const request = caller.request('resources/read', { uri });
      // The header is there to route requests; with it, HTTP itself would refuse most of these.
      const headers = Object.entries(request.headers ?? {}).map(([name, value]) => [
        name,
        name === 'mcp-name' ? `=?base64?${Buffer.from(uri).toString('base64')}?=` : value,
      ]);
      return (await send(world.url, { ...request, headers: Object.fromEntries(headers) })).message;
    };

    it('gives what the caller may see', async () => {
      expect((await read(OPEN)).result.contents[0].text).toBe('open');
      const { error } = await read('file:///docs/other.txt');
      expect(error).toEqual({ code: -32602, message: 'Resource not found.', data: { uri: 'file:///docs/other.txt' } });
    });

    it('gives no other listed file, however it is written, and says the same as of an unknown one', async () => {
      let readable = 0;
      await fc.assert(
        fc.asyncProperty(spellings, async (uri) => {
          if (files.contentOf(uri)?.includes(CLOSED)) readable += 1;
          const { error, ...answer } = await read(uri);
          expect(JSON.stringify(answer)).not.toContain(CLOSED);
          expect(error).toEqual({ code: -32602, message: 'Resource not found.', data: { uri } });
        }),
        { numRuns: 300, examples: EXAMPLES },
      );
      // Without the gateway, the server would have given the content of many of them.
      expect(readable).toBeGreaterThan(2);
    });
  },
);
