import { type ToolContext, ToolSearchModule } from '@tool-search/core';
import { OpenApiSource } from '@tool-search/openapi';
import { AgentController } from '../agent.controller.js';
import { start } from '../start.js';
import { userOf } from '../users.js';
import { startCrmApi } from './crm-api.js';

/** Each user's own token for the API. Yours come from a vault, or from token exchange. */
const TOKENS = new Map([['ada', 'adas-secret-token']]);

/** Runs at each call. `undefined`, and the tool answers that it has no credentials. */
const tokenOf = async (context?: ToolContext) => TOKENS.get(context?.userId ?? '');

/** @param document the API's description; often `new URL('https://crm.example.com/openapi.json')` */
const application = (document: object) => ({
  module: class Application {},
  imports: [
    ToolSearchModule.forRoot({
      context: userOf,
      sources: [
        new OpenApiSource({
          name: 'crm',
          document,
          include: [{ methods: ['GET'] }],
          auth: { bearerAuth: tokenOf }, // by the names of the document's security schemes
          egress: { allow: ['127.0.0.1'] }, // by default public addresses only
        }),
      ],
    }),
  ],
  controllers: [AgentController],
});

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const crm = await startCrmApi();
  const { app, as } = await start(application(crm.document));
  const [ada, bob] = [as('ada-token'), as('bob-token')];

  say(`ada finds: ${await ada.search('customer')}`);
  say(`ada calls: ${await ada.call('crm.get_customer', { id: '7' })}`);
  say(`ada's model names a token: ${await ada.call('crm.get_customer', { id: '7', authorization: 'Bearer stolen' })}`);
  say(`bob has no token: ${await bob.call('crm.get_customer', { id: '7' })}`);
  await app.close();
  crm.stop();
}
