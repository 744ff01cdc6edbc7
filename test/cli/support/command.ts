import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUILT = join(__dirname, '../../../dist/libs/cli/src/index.js');
/** What libs/cli/bin/tool-search.js does, with the build of the workspace. */
export const RUN = `void require(${JSON.stringify(BUILT)}).runCommand(process.argv.slice(1)).then((code) =>
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code))));`;

/** A process that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * An MCP server with one tool, which writes its process id to `pid`, the parcel of its last call
 * to `called`, and what its client is able to do to `capabilities`. The tool's description is the text in `words`, read
 * at each start.
 */
const SERVER = `
const { readFileSync, writeFileSync } = require('node:fs');
writeFileSync('pid', String(process.pid));
const inputSchema = { type: 'object', properties: { parcel: { type: 'string' } } };
const tools = [{ name: 'track', description: readFileSync('words', 'utf8'), inputSchema }];
const RESULTS = {
  initialize: ({ protocolVersion, capabilities }) => {
    writeFileSync('capabilities', JSON.stringify(capabilities));
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'parcels', version: '1' } };
  },
  'tools/list': () => ({ tools }),
  'tools/call': ({ arguments: { parcel } }) => {
    writeFileSync('called', parcel);
    return { content: [{ type: 'text', text: parcel + ' is on its way, says ' + process.env.OFFICE }] };
  },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = RESULTS[method];
  const answer = result ? { result: result(params) } : { error: { code: -32601, message: 'Method not found' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;

/** A folder with an mcp.json, and the command in it. */
export class CommandFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'tool-search-cli-')));
  readonly #running = new Set<ChildProcessWithoutNullStreams>();

  constructor(content: object) {
    this.write('mcp.json', JSON.stringify(content));
    this.write('parcels.js', SERVER);
    this.write('words', 'Finds out where a parcel is.');
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  /** What starts a process with the command; its state is in the folder. */
  start(...args: readonly string[]) {
    const [command = '', ...rest] = args;
    return {
      command: process.execPath,
      args: ['-e', RUN, command, 'mcp.json', '--state', 'state.sqlite', ...rest],
      cwd: this.path,
      env: { ...process.env, OFFICE: 'the office', TOOL_SEARCH_TOKEN: '', NO_COLOR: '1' } as Record<string, string>,
    };
  }

  spawn(...args: readonly string[]): ChildProcessWithoutNullStreams {
    const { command, args: all, cwd, env } = this.start(...args);
    const child = spawn(command, all, { cwd, env });
    this.#running.add(child);
    child.once('exit', () => this.#running.delete(child));
    return child;
  }

  /** Runs the command to its end, with nothing on its standard input. */
  async run(...args: readonly string[]): Promise<Ended> {
    const child = this.spawn(...args);
    child.stdin.end();
    return ended(child);
  }

  /** Shows what is held back and approves it, as it was shown. */
  async approve(...names: readonly string[]): Promise<Ended> {
    const { stdout } = await this.run('approve');
    const shown = [...stdout.matchAll(/^(\S+)@[0-9a-f]{32}$/gm)].filter(([, name = '']) => names.includes(name));
    return this.run('approve', ...shown.map(([version]) => version));
  }

  remove(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.path, { recursive: true, maxRetries: 5 });
  }
}

/** Collects what a process writes until it ends. */
export function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}
