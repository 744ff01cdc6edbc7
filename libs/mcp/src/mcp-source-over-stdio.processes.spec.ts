import { createRequire } from 'node:module';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { McpSource } from './index.js';
import type { McpSourceSettings, McpStdioServer } from './mcp-source-options.js';

const context = { tenantId: 'acme' };
const never = new AbortController().signal;
const callOf = () => ({ id: 'call-1', signal: never, deadline: Date.now() + 60_000, progress: () => undefined });

/** The script of an installed package's first `bin` entry. */
async function binOf(name: string): Promise<string> {
  const manifest = createRequire(__filename).resolve(`${name}/package.json`);
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: Record<string, string> };
  return join(dirname(manifest), Object.values(bin)[0]!);
}

let folder: string;
let sources: McpSource[];

beforeEach(async () => {
  sources = [];
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tool-search-mcp-')));
  await writeFile(
    join(folder, 'say-pid.cjs'),
    `require('fs').appendFileSync(${JSON.stringify(join(folder, 'pids'))}, process.pid + '\\n')`,
  );
});

afterEach(async () => {
  await Promise.all(sources.map((source) => source.close()));
  expect((await pids()).filter(isAlive)).toEqual([]);
  await rm(folder, { recursive: true });
});

/** All processes that were started, in order. */
async function pids(): Promise<number[]> {
  const lines = await readFile(join(folder, 'pids'), 'utf8').catch(() => '');
  return lines.split('\n').filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function start(args: readonly string[], more: Partial<McpSourceSettings & McpStdioServer> = {}): McpSource {
  const source = new McpSource({
    name: 'local',
    command: process.execPath,
    args: ['--require', join(folder, 'say-pid.cjs'), ...args],
    ...more,
  });
  sources.push(source);
  return source;
}

describe('the filesystem server over stdio', () => {
  it('lists its tools and reads a file', async () => {
    await writeFile(join(folder, 'note.txt'), 'remember the milk');
    const files = start([await binOf('@modelcontextprotocol/server-filesystem'), folder], {
      name: 'files',
      tags: ['disk'],
    });
    const tools = await files.load(never);
    const reader = tools.find(({ name }) => name === 'read_text_file');
    expect(reader).toMatchObject({ tags: ['disk'], sideEffects: 'external', annotations: { readOnlyHint: true } });
    expect(reader?.inputSchema).toMatchObject({ type: 'object', required: ['path'] });
    const answer = await files.call('read_text_file', { path: join(folder, 'note.txt') }, context, callOf());
    expect(answer.content).toEqual([{ type: 'text', text: 'remember the milk' }]);
    expect(answer.isError).toBeUndefined();
  });

  it('hands over what a tool says when it fails', async () => {
    const files = start([await binOf('@modelcontextprotocol/server-filesystem'), folder]);
    const answer = await files.call('read_text_file', { path: '/etc/passwd' }, context, callOf());
    expect(answer).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('denied') }],
    });
  });
});

describe('the memory server over stdio', () => {
  it('keeps a graph from one process to the next', async () => {
    const args = [await binOf('@modelcontextprotocol/server-memory')];
    const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
    const memory = start(args, { env });
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes engines'] }];
    await memory.call('create_entities', { entities }, context, callOf());
    await memory.close();
    const again = start(args, { env });
    const graph = await again.call('read_graph', {}, context, callOf());
    expect(graph.structured).toMatchObject({ entities });
  });
});

describe('the everything server over stdio', () => {
  let args: string[];
  beforeEach(async () => {
    args = [await binOf('@modelcontextprotocol/server-everything'), 'stdio'];
  });

  it('gives the child its own environment and nothing of ours', async () => {
    process.env['TOOL_SEARCH_TEST_SECRET'] = 'hunter2';
    const everything = start(args, { env: { GREETING: 'hello' } });
    const { content } = await everything.call('get-env', {}, context, callOf());
    delete process.env['TOOL_SEARCH_TEST_SECRET'];
    expect(JSON.stringify(content)).toContain('GREETING');
    expect(JSON.stringify(content)).not.toContain('hunter2');
  });

  it('takes text, images, resources and links', async () => {
    const everything = start(args);
    await everything.load(never);
    expect((await everything.call('echo', { message: 'hi' }, context, callOf())).content).toEqual([
      { type: 'text', text: 'Echo: hi' },
    ]);
    const image = await everything.call('get-tiny-image', {}, context, callOf());
    expect(image.content).toContainEqual({
      type: 'image',
      mimeType: 'image/png',
      data: expect.stringMatching(/^iVBOR/),
    });
    const links = await everything.call('get-resource-links', { count: 1 }, context, callOf());
    expect(links.content).toContainEqual(
      expect.objectContaining({ type: 'resource_link', uri: expect.stringContaining('://') }),
    );
    const input = { resourceType: 'Text', resourceId: 1 };
    const resource = await everything.call('get-resource-reference', input, context, callOf());
    expect(resource.content).toContainEqual({
      type: 'resource',
      resource: { uri: expect.any(String), mimeType: 'text/plain', text: expect.any(String) },
    });
    const weather = await everything.call('get-structured-content', { location: 'Chicago' }, context, callOf());
    expect(weather.structured).toMatchObject({ temperature: expect.any(Number) });
  });

  it('starts one process for many first calls at once', async () => {
    const everything = start(args);
    const calls = Array.from({ length: 20 }, (_, n) =>
      everything.call('echo', { message: String(n) }, context, callOf()),
    );
    expect((await Promise.all(calls)).map(({ content }) => content)).toEqual(
      calls.map((_, n) => [{ type: 'text', text: `Echo: ${n}` }]),
    );
    expect(await pids()).toHaveLength(1);
  });

  it('rejects what runs when the child crashes, says so, and starts another for the next call', async () => {
    const everything = start(args);
    await everything.load(never);
    const changed = new Promise<void>((resolve) => void everything.watch(resolve));
    const [pid] = await pids();
    const running = { ...callOf(), progress: () => process.kill(pid!, 'SIGKILL') };
    const call = everything.call('trigger-long-running-operation', { duration: 60, steps: 600 }, context, running);
    await expect(call).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    await changed;
    expect(await everything.call('echo', { message: 'again' }, context, callOf())).toMatchObject({
      content: [{ text: 'Echo: again' }],
    });
    expect(await pids()).toHaveLength(2);
  });

  it('ends the child when it is closed, as often as one likes', async () => {
    const everything = start(args);
    await everything.load(never);
    const [pid] = await pids();
    expect(isAlive(pid!)).toBe(true);
    await Promise.all([everything.close(), everything.close()]);
    expect(isAlive(pid!)).toBe(false);
  });
});

describe('a child that misbehaves', () => {
  /** A minimal server of the 2025-11-25 revision; `asked` runs first when a client probes for the newer one. */
  const script = (asked: string, before = '') => `
    ${before}
    const send = (id, answer) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
    const greeting = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } };
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (method === 'server/discover') ${asked}
      if (method === 'initialize') return send(id, { result: greeting });
      if (method === 'tools/list') return send(id, { result: { tools: [{ name: 'one', inputSchema: { type: 'object' } }] } });
    });`;
  const refuse = `return send(id, { error: { code: -32601, message: 'unknown method' } });`;

  it('works although it ends when it is asked for the newer protocol', async () => {
    const odd = start(['-e', script('process.exit(1);')]);
    expect((await odd.load(never)).map(({ name }) => name)).toEqual(['one']);
    expect(await pids()).toHaveLength(2);
  });

  it('works although it keeps silent when it is asked for the newer protocol', async () => {
    const odd = start(['-e', script('return;')], { loadTimeoutMs: 6_000 });
    expect(await odd.load(never)).toHaveLength(1);
    expect(await pids()).toHaveLength(1);
  });

  it('works although it talks on its output and its error output', async () => {
    const odd = start(['-e', script(refuse, `console.log('Hello!'); console.error('Oops!'.repeat(50000));`)]);
    expect(await odd.load(never)).toHaveLength(1);
  });

  it('is unavailable when it ends at once, and operators read its last words, but no caller', async () => {
    const odd = start(['-e', `console.error('no license'); process.exit(3)`]);
    const failed: unknown = await odd.load(never).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'SOURCE_UNAVAILABLE', message: expect.stringContaining('wrote: no license') });
    const called: unknown = await odd.call('any', {}, context, callOf()).catch((error: unknown) => error);
    expect(called).toMatchObject({ code: 'SOURCE_UNAVAILABLE', message: expect.not.stringContaining('license') });
    expect((called as { hint: string }).hint).not.toContain('license');
  });

  it('is unavailable when there is no such program', async () => {
    const odd = start([], { command: join(folder, 'nothing') });
    await expect(odd.load(never)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  });

  it('is given up, and its process ended, when it never answers at all', async () => {
    const odd = start(['-e', 'process.stdin.resume()'], { loadTimeoutMs: 1_500 });
    await expect(odd.load(never)).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    await odd.close();
  });

  it('is ended by force when it does not end by itself', async () => {
    const odd = start(['-e', script(refuse, `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`)]);
    await odd.load(never);
    await odd.close();
    expect((await pids()).filter(isAlive)).toEqual([]);
  });

  it('leaves no process behind when it is closed while it starts', async () => {
    const odd = start(['-e', 'process.stdin.resume()']);
    const load = odd.load(never);
    await Promise.all([odd.close(), expect(load).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })]);
  });
});
