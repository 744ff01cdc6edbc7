import { FakeSource } from '@tool-search/core/testing';
import { type Attack, ATTACKER } from './attack.js';

const TOOLS = 20;

const properties = (of: (i: number) => object) =>
  Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`p${i}`, of(i)]));

/** Tools with schemas under 64 KiB each that take long to compile at the first call. */
export const HOSTILE_SCHEMAS: readonly Attack[] = [
  firstCalls('900 properties with patterns', (tool) => ({
    type: 'object',
    properties: properties((i) => ({ type: 'string', pattern: `^[a-z]{1,9}(x|y${tool}z)*${i}$` })),
  })),
  firstCalls('900 required properties', (tool) => ({
    type: 'object',
    properties: properties(() => ({ type: 'integer', minimum: tool })),
    required: Object.keys(properties(() => ({}))),
  })),
];

function firstCalls(name: string, schemaOf: (tool: number) => object): Attack {
  let next = 0;
  return {
    name: `first calls of tools with ${name}`,
    sources: () => [
      new FakeSource(
        'hostile',
        Array.from({ length: TOOLS }, (_, tool) => ({
          name: `t${tool}`,
          inputSchema: schemaOf(tool) as { type: 'object' },
        })),
      ),
    ],
    promised: [200],
    once: async (server) => {
      const call = { name: `hostile.t${next++ % TOOLS}`, arguments: {} };
      return (await server.request('/toolbox/call', ATTACKER, call)).status;
    },
  };
}
