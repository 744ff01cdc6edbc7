import { OpenApiSource } from '@tool-search/openapi';
import type { Attack } from './attack.js';
import { LOOK_ON, WITHOUT_BUDGET } from './costly-sources.js';

/** Long OpenAPI documents that differ at each request. */
export const HOSTILE_DOCUMENTS: readonly Attack[] = [
  hosted('a YAML document of 200,000 keys', () => {
    const keys = Array.from({ length: 200_000 }, (_, i) => `  k${i}: 1\n`).join('');
    return ['openapi: 3.1.0\ninfo:\n  title: Hostile\n  version: v', `\npaths: {}\nx-keys:\n${keys}`];
  }),
  hosted('a JSON document of 26 MB with 4,500 operations', () => {
    const paths = Object.fromEntries(Array.from({ length: 4_500 }, (_, i) => [`/things/${i}`, { post: operation(i) }]));
    return ['{"openapi":"3.1.0","info":{"title":"Hostile","version":"v', `"},"paths":${JSON.stringify(paths)}}`];
  }),
];

function operation(seed: number): object {
  const properties = Object.fromEntries(
    Array.from({ length: 66 }, (_, i) => [
      `field_${i}`,
      { type: 'string', description: `Field ${i} of thing ${seed}, as it is stored.` },
    ]),
  );
  return {
    operationId: `change_thing_${seed}`,
    summary: `Change thing ${seed}.`,
    requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
    responses: { 200: { description: 'Changed.' } },
  };
}

/** @param parts the text of the document before and after its version */
function hosted(name: string, parts: () => readonly [before: string, after: string]): Attack {
  return {
    name: `loads of ${name}`,
    host: () => {
      const [before, after] = parts().map((part) => Buffer.from(part));
      let version = 0;
      return (_, response) => {
        response.write(Buffer.concat([before ?? Buffer.of(), Buffer.from(String(version++))]));
        response.end(after);
      };
    },
    sources: (host) => [
      new OpenApiSource({
        name: 'hostile',
        document: new URL(host),
        baseUrl: host,
        egress: { allow: ['127.0.0.1'] },
        changes: 'trust',
        refreshEveryMs: 1_000,
        loadTimeoutMs: 120_000,
      }),
    ],
    env: WITHOUT_BUDGET,
    forMs: 16_000,
    promised: [200],
    once: LOOK_ON,
  };
}
