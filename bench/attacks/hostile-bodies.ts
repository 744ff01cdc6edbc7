import { type Attack, ATTACKER, OPERATOR } from './attack.js';

const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`;
const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
const call = (input: string) => `{"name":"billing.list_invoices","arguments":${input}}`;
const reserved = ['constructor', 'prototype', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

/** Bodies that take long to parse, copy or validate. */
export const HOSTILE_BODIES: readonly Attack[] = [
  body('40,000 keys', '/toolbox/call', call(keys(40_000))),
  body('170,000 empty objects', '/toolbox/call', call(`{"a":[${'{},'.repeat(170_000)}{}]}`)),
  body('250,000 nested brackets', '/toolbox/call', call(nested('[', ']', 250_000))),
  body('3,000 nested braces in a query', '/toolbox/search', `{"query":${nested('{"a":', '}', 3_000)}}`),
  body('3,000 braces as a query', '/toolbox/search', `{"query":"${'{'.repeat(3_000)}"}`),
  body('reserved keys', '/toolbox/call', call(`{${reserved.map((key) => `"${key}":1`).join(',')}}`)),
  body('as many keys and values as are let in', '/toolbox/call', call(`{"a":[${`${keys(900)},`.repeat(9)}1]}`)),
  body('40,000 keys for operators', '/admin/tools/explain', `{"tool":"x","context":${keys(40_000)}}`, OPERATOR),
];

function body(name: string, path: string, text: string, token = ATTACKER): Attack {
  return { name, connections: 6, once: async (server) => (await server.requestText(path, token, text)).status };
}
