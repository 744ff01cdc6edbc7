import { dirname, join } from 'node:path';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { clientOf } from '../gateway/support/stream-client.js';
import { build } from '../support/built-server.js';
import { CommandFolder } from './support/command.js';

const EVERYTHING = join(
  dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);
const PARCELS = { command: process.execPath, args: ['parcels.js'] };

beforeAll(build, 300_000);

describe('options of tool-search serve', () => {
  let folder: CommandFolder | undefined;
  let client: Client | undefined;
  afterEach(async () => {
    await client?.close();
    folder?.remove();
  });

  async function serve(mcpServers: object, toolSearch: object): Promise<Client> {
    folder = new CommandFolder({ mcpServers, toolSearch: { exposure: 'all', ...toolSearch } });
    client = clientOf('modern');
    await client.connect(new StdioClientTransport({ ...folder.start('serve'), stderr: 'ignore' }));
    return client;
  }

  it.each<[string, object, readonly [boolean, boolean]]>([
    ['shows neither resources nor prompts where a server does not expose them', {}, [false, false]],
    ['shows the resources of a server that exposes them', { resources: true }, [true, false]],
    ['shows the prompts of a server that exposes them', { prompts: ['simple*'] }, [false, true]],
  ])('%s', async (_, expose, [resources, prompts]) => {
    const everything = { command: process.execPath, args: [EVERYTHING] };
    const connected = await serve({ everything }, { servers: { everything: { expose } } });
    const capabilities = connected.getServerCapabilities();
    expect([capabilities?.resources !== undefined, capabilities?.prompts !== undefined]).toEqual([resources, prompts]);
    if (resources) {
      const list = async () => (await connected.listResources(undefined, { cacheMode: 'refresh' })).resources;
      while ((await list()).length === 0) await setTimeout(50);
      const [first] = await list();
      expect((await connected.readResource({ uri: first!.uri })).contents).toHaveLength(1);
    }
    if (prompts) {
      const list = async () => (await connected.listPrompts(undefined, { cacheMode: 'refresh' })).prompts;
      // The command answers before its servers have started.
      while ((await list()).length === 0) await setTimeout(50);
      expect((await list()).map(({ name }) => name)).toEqual([expect.stringContaining('simple')]);
    }
  });

  it.each<[object, object]>([
    [{}, { elicitation: expect.any(Object) }],
    [{ input: { elicitation: false, roots: true } }, { roots: expect.any(Object) }],
    [{ input: { elicitation: false } }, {}],
  ])('declares to a server which requests it may send: %j', async (options, capabilities) => {
    const connected = await serve({ parcels: PARCELS }, { servers: { parcels: options } });
    await connected.listTools();
    const written = join(folder!.path, 'capabilities');
    while (!existsSync(written)) await setTimeout(50);
    expect(JSON.parse(readFileSync(written, 'utf8'))).toEqual(capabilities);
  });

  it.each<[string, object, string]>([
    ['removes nothing by default', {}, 'ada@example.com at 192.0.2.7 is on its way'],
    ['removes personal data from results', { redaction: {} }, '[email] at 192.0.2.7 is on its way'],
    ['removes only these kinds', { redaction: { kinds: ['secret'] } }, 'ada@example.com at 192.0.2.7 is on its way'],
    ['leaves tools out', { redaction: { except: ['parcels.*'] } }, 'ada@example.com at 192.0.2.7 is on its way'],
  ])('%s', async (_, options, text) => {
    const connected = await serve({ parcels: PARCELS }, options);
    const parcel = 'ada@example.com at 192.0.2.7';
    const { content } = await connected.callTool({ name: 'parcels__track', arguments: { parcel } });
    expect(content).toMatchObject([{ text: expect.stringContaining(text) }]);
  });
});
