import { readFile } from 'node:fs/promises';
import { OPERATOR_PATH, operatorDocument } from './operator-document.js';
import { ROUTE_TYPES_FILE, routeTypes } from './route-types.js';

const document = (schemas: object, paths: object = {}) =>
  ({ openapi: '3.0.0', info: { title: 'x', version: '1' }, paths, components: { schemas } }) as Parameters<
    typeof routeTypes
  >[0];

it("the console's types are those of the published document; if not, run npm run console:types", async () => {
  expect(await readFile(ROUTE_TYPES_FILE, 'utf8')).toBe(routeTypes(await operatorDocument(), OPERATOR_PATH));
});

it('writes a type for each schema', () => {
  const written = routeTypes(
    document({
      Size: { type: 'string', enum: ['small', "it's"] },
      Box: {
        type: 'object',
        required: ['size', 'tags'],
        properties: {
          size: { allOf: [{ $ref: '#/components/schemas/Size' }], description: 'How large.' },
          tags: { type: 'array', items: { type: 'string' } },
          of: { oneOf: [{ type: 'string' }, { type: 'array', items: {} }], nullable: true },
          counts: { type: 'object', additionalProperties: { type: 'integer' } },
          more: { type: 'object', additionalProperties: true },
          ends: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        },
      },
    }),
    'base',
  );
  expect(written).toContain(`export interface Box {
  readonly size: Size;
  readonly tags: readonly string[];
  readonly of?: string | readonly unknown[] | null;
  readonly counts?: Readonly<Record<string, number>>;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly ends?: readonly ('a' | 'b')[];
}

export type Size = 'small' | 'it\\'s';
`);
});

it('writes what each route takes and answers, and leaves out routes that do not answer JSON', () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const limit = { name: 'limit', in: 'query', schema: { type: 'number' } };
  const ok = { 200: json({ type: 'number' }) };
  const written = routeTypes(
    document(
      {},
      {
        '/base/boxes/{id}': {
          get: { parameters: [id, limit], responses: ok },
          put: { parameters: [id], requestBody: json({ type: 'string' }), responses: ok },
        },
        '/base/boxes/export': { get: { responses: { 200: { content: { 'text/csv': { schema: {} } } } } } },
      },
    ),
    'base',
  );
  expect(written).toContain(`export interface Routes {
  readonly 'GET boxes/{id}': {
    readonly path: { readonly id: string };
    readonly query?: { readonly limit?: number };
    readonly answer: number;
  };
  readonly 'PUT boxes/{id}': {
    readonly path: { readonly id: string };
    readonly body: string;
    readonly answer: number;
  };
}
`);
});

it.each([
  [{}, 'Box.of has no type'],
  [{ type: 'object' }, 'The members of Box.of have no types'],
  [{ type: 'array' }, 'The items of Box.of have no type'],
])('refuses %j, which says nothing of its values', (of, message) => {
  expect(() => routeTypes(document({ Box: { type: 'object', properties: { of } } }), 'base')).toThrow(message);
});
