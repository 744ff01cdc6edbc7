import { atOnce } from '@tool-search/core/internal';
import fc from 'fast-check';
import type { OperationSite } from '../document/document.js';
import { operationNames, snakeCase } from './operation-name.js';

const site = (method: string, path: string, operationId?: unknown): OperationSite => ({
  method,
  path,
  pathItem: {},
  operation: { operationId },
});

describe('snakeCase', () => {
  it.each([
    ['repos/list-for-org', 'repos_list_for_org'],
    ['listPetsById', 'list_pets_by_id'],
    ['getHTTPServer', 'get_http_server'],
    ['APIKey_List', 'api_key_list'],
    ['v2Pets.Find', 'v2_pets_find'],
    ['créerÉlément', 'creer_element'],
    ['__a--b__', 'a_b'],
    ['日本語', ''],
    [undefined, ''],
    [42, ''],
  ])('folds %s to "%s"', (text, expected) => {
    expect(snakeCase(text)).toBe(expected);
  });
});

const namesOf = (sites: readonly OperationSite[], maxLength: number) => atOnce(operationNames(sites, maxLength));

describe('operationNames', () => {
  it('names an operation by its id, and by method and path where it has none', () => {
    const sites = [site('GET', '/pets', 'listPets'), site('GET', '/pets/{petId}'), site('POST', '/', '日本語')];
    expect(namesOf(sites, 64)).toEqual(['list_pets', 'get_pets_pet_id', 'post']);
  });

  it('names an operation without an id of its own by its controller and handler', () => {
    const ids = [
      'OrdersController_all',
      'OrdersController_all_v1',
      'HTTPLogController_get',
      'Controller_a',
      'getController_',
    ];
    const sites = ids.map((id, index) => site('GET', `/${index}`, id));
    expect(namesOf(sites, 64)).toEqual([
      'orders_all',
      'orders_all_v1',
      'http_log_get',
      'controller_a',
      'get_controller',
    ]);
  });

  it('gives all operations that share an id their method and path', () => {
    const sites = [site('GET', '/a', 'list'), site('GET', '/b', 'List'), site('GET', '/c', 'other')];
    expect(namesOf(sites, 64)).toEqual(['get_a', 'get_b', 'other']);
  });

  it('distinguishes paths that fold to the same words, in any order', () => {
    const sites = [site('GET', '/a/{b}'), site('GET', '/a/b'), site('GET', '/x', 'get_a_b')];
    const names = namesOf(sites, 64);
    expect(names.slice(0, 2)).toEqual([
      expect.stringMatching(/^get_a_b_[0-9a-f]{8}$/),
      expect.stringMatching(/^get_a_b_[0-9a-f]{8}$/),
    ]);
    expect(names[2]).toBe('get_x');
    expect(namesOf([...sites].reverse(), 64)).toEqual([...names].reverse());
  });

  it('cuts a long name and keeps it unique', () => {
    const long = 'a'.repeat(100);
    const names = namesOf([site('GET', '/a', `${long}1`), site('GET', '/b', `${long}2`)], 40);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^[a-z0-9_]{40}$/);
  });

  it('makes legal, unique names of any ids and paths, independent of their order', () => {
    const word = fc.oneof(
      fc.constantFrom('a', 'A', 'get_a', 'get a', 'listA', 'list-a', ''),
      fc.string({ unit: 'binary' }),
    );
    const sites = fc
      .uniqueArray(
        fc.record({
          method: fc.constantFrom('GET', 'POST'),
          path: word.map((text) => `/${text}`),
          id: fc.option(word),
        }),
        {
          selector: ({ method, path }) => `${method} ${path}`,
        },
      )
      .map((all) => all.map(({ method, path, id }) => site(method, path, id)));
    fc.assert(
      fc.property(sites, (all) => {
        const names = namesOf(all, 40);
        expect(new Set(names).size).toBe(all.length);
        for (const name of names) expect(name).toMatch(/^[a-z0-9_]{1,40}$/);
        expect(namesOf([...all].reverse(), 40)).toEqual([...names].reverse());
      }),
    );
  });
});
