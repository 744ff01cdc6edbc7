import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  Client,
  isJSONRPCRequest,
  type JSONRPCMessage,
  SdkErrorCode,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioTransport } from './transport/stdio-transport.js';

const { version } = JSON.parse(
  readFileSync(join(dirname(require.resolve('@modelcontextprotocol/client')), '../package.json'), 'utf8'),
) as { version: string };

const TOOL = { name: 'refund', inputSchema: { type: 'object' } };
const ANSWERS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools: [TOOL] },
};

/**
 * A server of the 2025-11-25 revision that does not answer unknown methods, such as the probe for the newer revision.
 */
class Silent implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  readonly asked: string[] = [];
  async start() {}

  async send(message: JSONRPCMessage) {
    if (!isJSONRPCRequest(message)) return;
    this.asked.push(message.method);
    const result = ANSWERS[message.method];
    if (result) queueMicrotask(() => this.onmessage?.({ jsonrpc: '2.0', id: message.id, result: { ...result } }));
  }

  async close() {
    this.onclose?.();
  }
}

class SilentProcess extends Silent {
  readonly pid = 1;
  readonly stderr = null;
}

const clientOf = () =>
  new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto', probe: { timeoutMs: 10 } } });

/** Each test covers undocumented behaviour of the client. A version that changes it fails here. */
describe(`what is used of @modelcontextprotocol/client ${version} beyond its documentation (known: 2.4)`, () => {
  it('is that pid and stderr make a transport one of a child process, whose silence means the older protocol', async () => {
    const client = clientOf();
    const process = new SilentProcess();
    await client.connect(process);
    expect(client.getProtocolEra()).toBe('legacy');
    expect(process.asked).toEqual(['server/discover', 'initialize']);
    await client.close();
    await expect(clientOf().connect(new Silent())).rejects.toMatchObject({ code: SdkErrorCode.RequestTimeout });
    const own = new StdioTransport({ command: 'none', args: [], env: {} } as never, 1);
    expect('pid' in own && 'stderr' in own).toBe(true);
  });

  it('is that onmessage, set before connecting, gets the very message that the client reads after it', async () => {
    const client = clientOf();
    const transport = new SilentProcess();
    const seen: string[] = [];
    transport.onmessage = (message) => {
      if (!('result' in message)) return;
      seen.push(Object.keys(message.result).join());
      if ('tools' in message.result) message.result['_meta'] = { aside: message.result['tools'] };
      if ('tools' in message.result) message.result['tools'] = [];
    };
    await client.connect(transport);
    const { tools, _meta } = await client.request({ method: 'tools/list' });
    expect({ tools, _meta }).toMatchObject({ tools: [], _meta: { aside: [TOOL] } });
    expect(seen).toContain('tools');
    await client.close();
  });
});
