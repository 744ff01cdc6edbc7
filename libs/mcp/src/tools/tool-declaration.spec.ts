import fc from 'fast-check';
import { foldName, isLeftOut, toolReader } from './tool-declaration.js';

const read = (raw: unknown, settings = {}) => {
  const tool = toolReader({ name: 'notes', ...settings })(raw);
  return tool && !isLeftOut(tool) ? tool.declaration : undefined;
};

describe('the name of a tool', () => {
  it('stays as it is when it is legal and short enough', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_.-]{1,100}$/), (name) => {
        expect(foldName(name, 100)).toBe(name);
      }),
    );
  });

  it('becomes legal otherwise, always in the same way, and never that of another tool', () => {
    const illegal = fc
      .string({ minLength: 1, maxLength: 200, unit: 'binary' })
      .filter((name) => foldName(name, 64) !== name);
    fc.assert(
      fc.property(illegal, illegal, (one, other) => {
        expect(foldName(one, 64)).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
        expect(foldName(one, 64) === foldName(other, 64)).toBe(one === other);
      }),
    );
  });

  it('stays readable', () => {
    expect(foldName('créer une note', 64)).toMatch(/^creer_une_note_[0-9a-f]{8}$/);
    expect(foldName('a/b', 64)).not.toBe(foldName('a b', 64));
  });

  it('leaves room for the namespace', () => {
    const name = read({ name: 'x'.repeat(128) }, { namespace: 'n'.repeat(64) })?.name;
    expect(`${'n'.repeat(64)}.${name}`).toHaveLength(128);
    expect(toolReader({ name: 'notes' })({ name: 'a b' })).toMatchObject({
      rawName: 'a b',
      declaration: { name: expect.stringMatching(/^a_b_/) },
    });
  });
});

describe('a tool as the catalog gets it', () => {
  it('has what the server declares and what the options add', () => {
    const raw = {
      name: 'search',
      title: 'Search',
      description: 'Finds notes.',
      inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      icons: ['ignored'],
    };
    expect(read(raw, { namespace: 'n', tags: ['text'] })).toEqual({
      origin: { tool: raw },
      name: 'search',
      namespace: 'n',
      title: 'Search',
      description: 'Finds notes.',
      tags: ['text'],
      sideEffects: 'external',
      inputSchema: raw.inputSchema,
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    });
  });

  it.each([
    [{ name: 'a', title: 'Add' }, 'Add'],
    [{ name: 'a', annotations: { title: 'Add' } }, 'Add'],
    [{ name: 'a', description: ' ' }, 'The tool a of notes, without a description.'],
    [{ name: 'a', description: 7 }, 'The tool a of notes, without a description.'],
  ])('always has a description: %j', (raw, description) => {
    expect(read(raw)?.description).toBe(description);
  });

  it('is taken or left by the name the server gave it, and leaving out wins', () => {
    const settings = { include: ['get *', 'list'], exclude: ['get secret'] };
    const taken = ['get note', 'get secret', 'list', 'drop'].filter((name) => read({ name }, settings));
    expect(taken).toEqual(['get note', 'list']);
  });

  it('has the side effects of the first glob that matches', () => {
    const settings = { sideEffects: { get_all: 'stateful', 'get_*': 'read' } };
    expect(['get_all', 'get_one', 'drop'].map((name) => read({ name }, settings)?.sideEffects)).toEqual([
      'stateful',
      'read',
      'external',
    ]);
  });

  it('is always loaded, and has the examples, where a glob of the application says so', () => {
    const settings = {
      alwaysLoaded: ['get_*'],
      examples: { get_one: [{ args: { id: 1 }, tags: ['minimal'] }], '*': [{ args: {} }] },
    };
    expect(read({ name: 'get_one' }, settings)).toMatchObject({
      loading: 'always',
      examples: [{ args: { id: 1 }, tags: ['minimal'] }],
    });
    const drop = read({ name: 'drop' }, settings);
    expect(drop).toMatchObject({ examples: [{ args: {} }] });
    expect(drop?.loading).toBeUndefined();
  });

  it.each([[null], ['tool'], [[]], [{}], [{ name: 5 }]])(
    'has no name when %j has none, so that the catalog refuses it',
    (raw) => {
      expect(read(raw)?.name).toBe('');
    },
  );
});

describe('what a tool answers with', () => {
  const listed = { name: 'a', inputSchema: { type: 'object' }, outputSchema: { type: 'object', required: ['b'] } };
  const fits = (settings: object, structured: unknown) =>
    (toolReader({ name: 'notes', ...settings })(listed) as { fits: (structured: unknown) => boolean }).fits(structured);

  it('has to fit its output schema, unless the application asks for no check', () => {
    expect([fits({}, { b: 1 }), fits({}, {}), fits({}, undefined), fits({}, null)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([fits({ validateOutput: false }, {}), fits({ validateOutput: false }, undefined)]).toEqual([true, true]);
  });
});
