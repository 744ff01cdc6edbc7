import { exposeControllers, OpenApiSource } from '@tool-search/openapi';
import { exposeControllersOptions } from '../../libs/openapi/src/expose-controllers.js';
import { openApiSourceOptions } from '../../libs/openapi/src/openapi-source-options.js';
import { parseOptions } from '../../libs/core/src/options/parse-options.js';
import { expectRefusals } from './expect-refusals.js';

const right = { name: 'pets', document: new URL('https://example.com/openapi.json') };
const take = (options: object) => new OpenApiSource(options as never);
const check = (options: object) => parseOptions(exposeControllersOptions, options, 'exposeControllers()');

expectRefusals('OpenApiSource', openApiSourceOptions, take, right);
expectRefusals('exposeControllers()', exposeControllersOptions, check, { toolRoutes: [] });

it('are refused by exposeControllers() before it reads the document', async () => {
  await expect(exposeControllers({} as never, {}, { owner: 'acme' } as never)).rejects.toMatchObject({
    code: 'INVALID_CONFIGURATION',
    message: 'exposeControllers() has no option "owner".',
  });
});

it.each([
  [{ document: 'https://example.com' }, /document must be the path of a file, an object, or an address as new URL/],
  [{ document: 'a.json', refreshEveryMs: 5000 }, /refreshEveryMs must be left out unless the document has an address/],
  [{ include: [{}] }, /include\[0\].tags must be given, or another part: a filter has at least one/],
  [{ include: [{ tag: ['pets'] }] }, /include\[0\] has no option "tag"/],
  [{ include: [{ methods: ['FETCH'] }] }, /include\[0\].methods\[0\] must be one of GET, HEAD/],
  [{ egress: { alow: ['10.0.0.0/8'] } }, /"pets": egress has no option "alow"/],
  [{ egress: { allow: ['http://x'] } }, /egress.allow\[0\] must be a host name, an address or a range/],
])('%j is refused in words', (wrong, message) => {
  const refusal = { code: 'INVALID_CONFIGURATION', message: expect.stringMatching(message) };
  expect(() => take({ ...right, ...wrong })).toThrow(expect.objectContaining(refusal));
});
