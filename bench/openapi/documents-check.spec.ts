import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentsCheck } from './documents-check.js';

const operation = (operationId: string, schema: object) => ({
  get: {
    operationId,
    parameters: [{ name: 'size', in: 'query', required: true, schema }],
    responses: { '200': { description: 'ok' } },
  },
});
const info = { title: 'Shop', version: '1.0.0' };

describe('documentsCheck', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'documents-'));
    await mkdir(join(folder, 'below'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('loads the documents below a folder, and names the tools that no arguments fit', async () => {
    const paths = {
      '/a': operation('fits', { type: 'integer', minimum: 3 }),
      '/b': operation('contradicts', { oneOf: [{ type: 'integer' }, { type: 'integer' }] }),
      '/c?d': operation('refused', { type: 'integer' }),
    };
    await writeFile(join(folder, 'shop.json'), JSON.stringify({ openapi: '3.1.0', info, paths }));
    await writeFile(
      join(folder, 'below', 'old.yaml'),
      'swagger: "2.0"\ninfo: {title: Old, version: "1"}\nhost: api.example.com\npaths:\n  /a: {get: {operationId: list_a, responses: {"200": {description: ok}}}}\n',
    );
    await writeFile(join(folder, 'below', 'broken.json'), JSON.stringify({ openapi: '3.1.0', info, paths: 7 }));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shop' }));
    const check = await documentsCheck(folder);
    expect(check).toMatchObject({
      documents: 3,
      loaded: 2,
      notLoaded: [{ document: join('below', 'broken.json'), reason: expect.any(String) }],
      tools: 3,
      refused: [{ reason: expect.stringContaining('path'), count: 1 }],
      unusable: [
        { document: 'shop.json', tool: 'api.contradicts', reason: '/size: every branch of oneOf is there twice' },
      ],
      undecided: [],
    });
  });

  it('refuses a folder without documents', async () => {
    await expect(documentsCheck(folder)).rejects.toThrow('no OpenAPI');
  });
});
