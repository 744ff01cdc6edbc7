import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Injectable } from '@nestjs/common';
import { Tool, type ToolContext, ToolSearchModule } from '@tool-search/core';
import { ToolGatewayModule } from '@tool-search/gateway';
import { start } from '../start.js';
import { userOf } from '../users.js';
import { startAuthorizationServer } from './authorization-server.js';

@Injectable()
export class BillingTools {
  @Tool({ description: 'Show the balance.', sideEffects: 'read', loading: 'deferred' })
  balance(_input: object, { tenantId, userId }: ToolContext) {
    return `the balance of ${tenantId}, for ${userId}`;
  }
}

/** The public URL of the endpoint: what tokens must be issued for. */
const RESOURCE = 'https://tools.example.com/mcp';

const application = (issuer: string) => ({
  module: class Application {},
  imports: [
    ToolSearchModule.forRoot({ context: userOf }),
    ToolGatewayModule.forRoot({
      path: 'mcp',
      oauth: {
        resource: RESOURCE,
        issuers: [issuer],
        scopes: ['tools'],
        // The claims become `request.user`; `undefined` refuses the caller.
        user: ({ sub, tenant }) =>
          typeof tenant === 'string' && sub ? { tenantId: tenant, userId: sub, roles: [] } : undefined,
      },
    }),
  ],
  providers: [BillingTools],
});

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const server = await startAuthorizationServer();
  const { app, url, as } = await start(application(server.issuer));

  const unknown = await as('').post('mcp');
  say(
    `no token: ${unknown.status}, ${/resource_metadata="([^"]+)"/.exec(unknown.headers.get('www-authenticate')!)?.[1]}`,
  );
  const { body } = await as('').get('.well-known/oauth-protected-resource/mcp');
  say(`the metadata: ${body.resource} needs ${body.scopes_supported.join()}`);

  const claims = { sub: 'ada', tenant: 'acme' };
  const connect = async (token: string) => {
    const client = new Client(
      { name: 'a-client', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('mcp', url), { requestInit }));
    return client;
  };
  const client = await connect(await server.issue(RESOURCE, 'tools', claims));
  say(`a token for it: ${(await client.listTools()).tools.map(({ name }) => name).join(', ')}`);
  const { content } = await client.callTool({ name: 'tool_call', arguments: { name: 'billing.balance' } });
  say(`ada calls: ${content.map((block) => (block.type === 'text' ? block.text : '')).join()}`);
  await client.close();

  const status = async (token: string) => (await as(token).post('mcp')).status;
  say(
    `a token for another resource: ${await status(await server.issue('https://other.example.com', 'tools', claims))}`,
  );
  say(`a token without the scope: ${await status(await server.issue(RESOURCE, 'mail', claims))}`);
  say(`a token without a tenant: ${await status(await server.issue(RESOURCE, 'tools', { sub: 'eve' }))}`);
  await app.close();
  server.stop();
}
