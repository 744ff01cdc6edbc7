/** Ways in which a child process that speaks MCP can misbehave. */
export type ChildMischief =
  | 'garbage'
  | 'stderr-flood'
  | 'ignores-sigterm'
  | 'dies-in-a-call'
  | 'endless-line'
  | 'answers-nothing'
  | 'answers-a-batch'
  | 'requests-flood'
  | 'dies-at-start';

/**
 * Source code of a small server of the older protocol revision, for `node -e`, with a tool `echo`. It misbehaves while
 * the file `flag` exists, and appends its process id to the file `pids`.
 */
export function misbehavingChild(mischief: ChildMischief, flag: string, pids: string): string {
  return `
    const fs = require('fs');
    const isBad = (what) => what === ${JSON.stringify(mischief)} && fs.existsSync(${JSON.stringify(flag)});
    fs.appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n');
    const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    if (isBad('dies-at-start')) { console.error('No account\\u001b[1m for sk-live-hunter2-hunter2-hunter2'); process.exit(3); }
    if (isBad('garbage')) process.stdout.write('Welcome!\\n\\x00\\xff{"jsonrpc":\\n[]\\nnull\\n"text"\\n{"id":1}\\n');
    if (isBad('stderr-flood')) process.stderr.write(Buffer.alloc(20 * 1024 * 1024, 120));
    if (isBad('ignores-sigterm')) { process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); }
    const tool = { name: 'echo', description: 'Says the words back.', inputSchema: { type: 'object' } };
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize') return write({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } } });
      if (method === 'tools/list') return write({ id, result: { tools: [tool] } });
      if (method !== 'tools/call') return id === undefined ? undefined : write({ id, error: { code: -32601, message: 'unknown method' } });
      const result = { content: [{ type: 'text', text: String(params.arguments.words) }] };
      if (isBad('dies-in-a-call')) process.exit(7);
      if (isBad('answers-nothing')) return;
      if (isBad('answers-a-batch')) return process.stdout.write(JSON.stringify([{ jsonrpc: '2.0', id, result }]) + '\\n');
      if (isBad('endless-line')) { const more = () => process.stdout.write(Buffer.alloc(65536, 120), more); return more(); }
      if (isBad('requests-flood')) for (let n = 0; n < 2000; n++) write({ id: 'p' + n, method: n % 2 ? 'ping' : 'sampling/createMessage', params: {} });
      write({ id, result });
    });`;
}
