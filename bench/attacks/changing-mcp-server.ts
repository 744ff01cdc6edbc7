import { createInterface } from 'node:readline';

// An MCP server over stdio with 600 tools of 8 KB each, all replaced every 5 s. The argument selects the field with the
// bytes.

const TOOLS = 600;
const TOOL_CHARS = 8_000;
const EVERY_MS = 5_000;
const WORDS = 'list create read update delete invoice order customer report payment the of by with and for'.split(' ');

const inDescriptions = process.argv[2] === 'descriptions';
let version = 0;

function text(chars: number, seed: number): string {
  let words = `Version ${version} of tool ${seed}:`;
  for (let i = 0; words.length < chars; i += 1) words += ` ${WORDS[(i * 7 + seed * 3 + version) % WORDS.length]}`;
  return words.slice(0, chars);
}

function tool(seed: number): object {
  const name = `tool_${seed}`;
  if (inDescriptions) return { name, description: text(TOOL_CHARS, seed), inputSchema: { type: 'object' } };
  const properties = Object.fromEntries(
    Array.from({ length: 80 }, (_, i) => [`field_${i}`, { type: 'string', description: text(50, seed + i) }]),
  );
  return { name, description: text(100, seed), inputSchema: { type: 'object', properties } };
}

const tools = () => JSON.stringify(Array.from({ length: TOOLS }, (_, seed) => tool(seed)));
let listed = tools();

function write(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line) as { id?: number; method: string };
  if (method === 'initialize') {
    const serverInfo = { name: 'hostile', version: '1' };
    const capabilities = { tools: { listChanged: true } };
    write({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo } });
  } else if (method === 'tools/list') {
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":${listed}}}\n`);
  } else if (id !== undefined) write({ id, error: { code: -32601, message: 'unknown method' } });
});

setInterval(() => {
  version += 1;
  listed = tools();
  write({ method: 'notifications/tools/list_changed' });
}, EVERY_MS).unref();
