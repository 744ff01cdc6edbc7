import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// An MCP server over stdio with a tool whose description is the text of a file, and a tool with texts that a page must
// not take for markup. It reports a change when the file has changed.

const [, , file = ''] = process.argv;
const CHECK_MS = 200;

const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> & "quotes"';

let description = read();

function read(): string {
  return readFileSync(file, 'utf8');
}

function tools(): object[] {
  const inputSchema = { type: 'object', properties: { page: { type: 'string', description: HOSTILE } } };
  return [
    { name: 'read_page', description, inputSchema },
    { name: 'markup', title: HOSTILE, description: `${HOSTILE} ${'a long text '.repeat(200)}`, inputSchema },
  ];
}

function write(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line) as { id?: number; method: string };
  if (method === 'initialize') {
    const serverInfo = { name: 'docs', version: '1' };
    write({
      id,
      result: { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } }, serverInfo },
    });
  } else if (method === 'tools/list') write({ id, result: { tools: tools() } });
  else if (method === 'tools/call') write({ id, result: { content: [{ type: 'text', text: HOSTILE }] } });
  else if (method === 'ping') write({ id, result: {} });
  else if (id !== undefined) write({ id, error: { code: -32601, message: 'unknown method' } });
});

setInterval(() => {
  const newest = read();
  if (newest === description) return;
  description = newest;
  write({ method: 'notifications/tools/list_changed' });
}, CHECK_MS).unref();
