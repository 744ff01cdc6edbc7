import { type Attack, ATTACKER, OPERATOR } from './attack.js';

const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`;
const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
const call = (input: string) => `{"name":"billing.list_invoices","arguments":${input}}`;
const reserved = ['constructor', 'prototype', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

/** Bodies that take long to parse, copy or validate. */
export const HOSTILE_BODIES: readonly Attack[] = [
  body('40,000 keys', 413, '/toolbox/call', call(keys(40_000))),
  body('170,000 empty objects', 413, '/toolbox/call', call(`{"a":[${'{},'.repeat(170_000)}{}]}`)),
  body('250,000 nested brackets', 413, '/toolbox/call', call(nested('[', ']', 250_000))),
  body('3,000 nested braces in a query', 413, '/toolbox/search', `{"query":${nested('{"a":', '}', 3_000)}}`),
  body('3,000 braces as a query', 200, '/toolbox/search', `{"query":"${'{'.repeat(3_000)}"}`),
  body('reserved keys', 200, '/toolbox/call', call(`{${reserved.map((key) => `"${key}":1`).join(',')}}`)),
  body('as many keys and values as are let in', 200, '/toolbox/call', call(`{"a":[${`${keys(900)},`.repeat(9)}1]}`)),
  body('40,000 keys for operators', 413, '/admin/tools/explain', `{"tool":"x","context":${keys(40_000)}}`, OPERATOR),
];

function body(name: string, promised: number, path: string, text: string, token = ATTACKER): Attack {
  const once: Attack['once'] = async (server) => (await server.requestText(path, token, text)).status;
  return { name, promised: [promised], connections: 6, once };
}
