import { operationSites } from './document.js';
import { atOnce } from '@tool-search/core/internal';
import { OpenApiSource } from '../openapi.source.js';
import { checkedDocument, parsedDocument } from './document-reader.js';

const { signal } = new AbortController();
const swagger = (more: object = {}): object => ({
  swagger: '2.0',
  info: { title: 'Pets', version: '1' },
  host: 'api.example.com',
  basePath: '/v1',
  schemes: ['http', 'https'],
  ...more,
});
const modern = (operation: object, more: object = {}, item: object = {}) => {
  const document = checkedDocument(swagger({ paths: { '/pets/{id}': { ...item, post: operation } }, ...more }));
  const refused: string[] = [];
  const [site] = atOnce(operationSites(document, (_, reason) => refused.push(reason)));
  return { document, site, refused };
};
const toolOf = async (operation: object, more: object = {}, item: object = {}) => {
  const document = swagger({ paths: { '/pets/{id}': { ...item, post: operation } }, ...more });
  const [tool] = await new OpenApiSource({ name: 'pets', document }).load(signal);
  return tool;
};
const id = { name: 'id', in: 'path', required: true, type: 'integer' };

describe('Swagger 2.0', () => {
  it.each<[string, object, unknown]>([
    ['https before http', {}, [{ url: 'https://api.example.com/v1' }]],
    ['http alone', { schemes: ['http'] }, [{ url: 'http://api.example.com/v1' }]],
    ['no scheme', { schemes: undefined }, [{ url: 'https://api.example.com/v1' }]],
    ['a scheme nobody speaks', { schemes: ['ws'] }, [{ url: 'https://api.example.com/v1' }]],
    ['no base path', { basePath: '/' }, [{ url: 'https://api.example.com' }]],
    ['no host', { host: undefined }, [{ url: '/v1' }]],
    ['nothing', { host: undefined, basePath: undefined }, []],
  ])('says where calls go: %s', (_, more, servers) => {
    expect(checkedDocument(swagger({ paths: {}, ...more }))).toMatchObject({ servers });
  });

  it('is read from YAML, where the version is a number', async () => {
    const bounds = { maxYamlBytes: 1_000, maxChars: 1_000 };
    const document = await parsedDocument(
      [Buffer.from('swagger: 2.0\nhost: api.example.com\npaths: {}\n')],
      bounds,
      signal,
    );
    expect(document['servers']).toEqual([{ url: 'https://api.example.com' }]);
  });

  it('has its security schemes in the words of OpenAPI 3', () => {
    const securityDefinitions = {
      basic: { type: 'basic' },
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
      oauth: { type: 'oauth2', flow: 'implicit' },
    };
    expect(modern({}, { securityDefinitions }).document).toMatchObject({
      components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' }, key: {}, oauth: { type: 'oauth2' } } },
    });
  });

  it('has parameters of path and operation, by references too, and their schemas', async () => {
    const tool = await toolOf(
      {
        operationId: 'move',
        parameters: [
          { $ref: '#/parameters/Page' },
          { name: 'sort', in: 'query', type: 'string', enum: ['a', 'b'], description: 'By what.' },
          { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
        ],
      },
      {
        parameters: { Page: { name: 'page', in: 'query', type: 'integer', minimum: 1, default: 1 } },
        definitions: {
          Pet: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, nick: { type: 'string', 'x-nullable': true } },
          },
        },
      },
      { parameters: [id] },
    );
    expect(tool?.inputSchema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        page: { type: 'integer', minimum: 1, default: 1 },
        sort: { type: 'string', enum: ['a', 'b'], description: 'By what.' },
        name: { type: 'string' },
        nick: { type: ['string', 'null'] },
      },
      required: ['id', 'name'],
      additionalProperties: false,
    });
  });

  it.each<[string | undefined, object]>([
    [undefined, { style: 'form', explode: false }],
    ['csv', { style: 'form', explode: false }],
    ['multi', { style: 'form', explode: true }],
    ['ssv', { style: 'spaceDelimited', explode: false }],
    ['pipes', { style: 'pipeDelimited', explode: false }],
    ['tsv', { style: 'tabDelimited', explode: false }],
  ])('writes a list in a query as collectionFormat %s says', (collectionFormat, expected) => {
    const list = { name: 'tags', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat };
    expect(modern({ parameters: [list] }).site?.operation['parameters']).toEqual([expect.objectContaining(expected)]);
  });

  it.each([
    ['an unknown format', { name: 'tags', in: 'query', type: 'array', collectionFormat: 'dots' }, 'collectionFormat'],
    ['a repeated header', { name: 'tags', in: 'header', type: 'array', collectionFormat: 'multi' }, 'collectionFormat'],
    ['nothing but a file', { name: 'photo', in: 'formData', type: 'file' }, 'file upload'],
    ['a parameter that is none', 'x', 'malformed'],
    ['a reference to elsewhere', { $ref: 'http://evil.example/p.json' }, 'outside the document'],
  ])('refuses %s, and that operation only', (_, parameter, reason) => {
    const { site, refused } = modern({ parameters: [parameter] });
    expect(site).toBeUndefined();
    expect(refused).toEqual([expect.stringContaining(reason)]);
  });

  it('sends forms, and one text where the API splits it itself', async () => {
    const fields = [
      { name: 'name', in: 'formData', type: 'string', required: true },
      { name: 'tags', in: 'formData', type: 'array', items: { type: 'string' }, description: 'Labels.' },
      { name: 'ids', in: 'formData', type: 'array', items: { type: 'integer' }, collectionFormat: 'multi' },
    ];
    const consumes = ['multipart/form-data', 'application/x-www-form-urlencoded'];
    const tool = await toolOf({ parameters: [id, ...fields], consumes });
    expect(tool?.inputSchema).toMatchObject({
      properties: {
        name: { type: 'string' },
        tags: { type: 'string', description: 'Labels. Values separated by commas.' },
        ids: { type: 'array', items: { type: 'integer' } },
      },
      required: ['id', 'name'],
    });
    expect(modern({ parameters: fields, consumes: ['text/csv'] }).refused).toEqual([
      expect.stringContaining('multipart/form-data'),
    ]);
  });

  it('sends the text fields of a multipart form', async () => {
    const fields = [
      { name: 'name', in: 'formData', type: 'string', required: true },
      { name: 'photo', in: 'formData', type: 'file' },
    ];
    const tool = await toolOf({ parameters: [id, ...fields], consumes: ['multipart/form-data'] });
    expect(Object.keys(tool?.inputSchema?.['properties'] as object)).toEqual(['id', 'name']);
    const required = [fields[0] as object, { ...fields[1], required: true }];
    expect(await toolOf({ parameters: [id, ...required], consumes: ['multipart/form-data'] })).toBeUndefined();
  });

  it.each<[string, object, object, string]>([
    ['its own consumes', { consumes: ['application/merge-patch+json'] }, {}, 'application/merge-patch+json'],
    ["the document's consumes", {}, { consumes: ['text/plain'] }, 'text/plain'],
    ['JSON where nothing is said', {}, {}, 'application/json'],
  ])('sends a body as %s', (_, operation, more, type) => {
    const body = { name: 'pet', in: 'body', schema: { type: 'object' } };
    expect(modern({ parameters: [body], ...operation }, more).site?.operation['requestBody']).toEqual({
      required: false,
      content: { [type]: { schema: { type: 'object' } } },
    });
  });

  it('calls an operation by the schemes of its own', () => {
    expect(modern({ schemes: ['http'] }).site?.operation['servers']).toEqual([{ url: 'http://api.example.com/v1' }]);
  });
});
