import fc from 'fast-check';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import type { ListedTool, PromptParts, Surface } from '../../toolbox/surface/surface.js';
import { cacheEffect, promptPrefix, sentPrefix } from './prompt-prefix.js';

interface Shown {
  readonly name: string;
  readonly description: string;
  readonly deep: number;
}

function listed({ name, description, deep }: Shown, loading: 'always' | 'deferred' = 'deferred'): ListedTool {
  const definition = fakeTool({ name: `a.${name}` });
  const inputSchema = { type: 'object', properties: { deep: { type: 'number', minimum: deep } } } as const;
  return { name: `a.${name}`, description, inputSchema, loading, active: false, definition };
}

function surface(tools: readonly ListedTool[], prompt: PromptParts = {}, mode: Surface['mode'] = 'deferred'): Surface {
  const meta = [{ name: 'tool_search', description: 'Finds.', inputSchema: { type: 'object' as const } }];
  return {
    revision: 1,
    mode,
    reason: { asked: mode, by: 'module', text: '' },
    tools,
    meta,
    wireNames: new Map(),
    prompt,
  };
}

const anyTool = fc.record({
  name: fc.constantFrom('x', 'y', 'z'),
  description: fc.constantFrom('one', 'two'),
  deep: fc.constantFrom(1, 2),
});
const anyParts = fc.record({ guidance: fc.constantFrom('g', 'h') }, { requiredKeys: [] });
const anyStep = fc.record({ tools: fc.array(anyTool, { maxLength: 5 }), parts: anyParts });

/** The bytes that a provider receives: one text for the parts, one per definition. */
function bytes({ tools, parts }: { readonly tools: readonly Shown[]; readonly parts: PromptParts }): string[] {
  return [
    JSON.stringify(parts),
    ...tools.map(({ name, description, deep }) => JSON.stringify([name, description, deep])),
  ];
}

describe('what a change of the list does to the prompt cache', () => {
  it('is kept exactly when what was sent before is a beginning of what is sent now', () => {
    fc.assert(
      fc.property(anyStep, anyStep, fc.boolean(), fc.nat(5), (left, right, grows, cut) => {
        // In half of the cases the new list extends the old one; random lists rarely have a common prefix.
        const after = grows ? { parts: left.parts, tools: [...left.tools.slice(0, cut), ...right.tools] } : right;
        const [sent, next] = [bytes(left), bytes(after)];
        const isPrefix = sent.every((text, index) => text === next[index]);
        const effect = cacheEffect(
          sentPrefix(
            promptPrefix(
              surface(
                left.tools.map((tool) => listed(tool)),
                left.parts,
              ),
            ),
          ),
          promptPrefix(
            surface(
              after.tools.map((tool) => listed(tool)),
              after.parts,
            ),
          ),
        );
        expect(effect).toBe(isPrefix ? 'kept' : 'broken');
      }),
      { numRuns: 500 },
    );
  });

  const X = { name: 'x', description: 'one', deep: 1 };
  const Y = { name: 'y', description: 'one', deep: 1 };

  it('is neither at the first step', () => {
    expect(cacheEffect(undefined, promptPrefix(surface([listed(X)])))).toBe('first');
  });

  it('breaks with a changed prompt part before the list', () => {
    const before = sentPrefix(promptPrefix(surface([listed(X)], { guidance: 'g', hints: 'x may fit' })));
    expect(cacheEffect(before, promptPrefix(surface([listed(X)], { guidance: 'g', hints: 'y may fit' })))).toBe(
      'broken',
    );
    expect(cacheEffect(before, promptPrefix(surface([listed(X)], { guidance: 'g', hints: 'x may fit' })))).toBe('kept');
  });

  it('is not touched by what a provider defers itself', () => {
    const before = sentPrefix(promptPrefix(surface([listed(X, 'always'), listed(Y)], {}, 'native')));
    const after = promptPrefix(surface([listed(X, 'always')], {}, 'native'));
    expect(cacheEffect(before, after)).toBe('kept');
    const both = sentPrefix(promptPrefix(surface([listed(X, 'always'), listed(Y)])));
    expect(cacheEffect(both, promptPrefix(surface([listed(X, 'always')])))).toBe('broken');
  });

  it('is remembered in a few bytes of any list, for thousands of runs', () => {
    const tools = Array.from({ length: 1000 }, (_, index) => listed({ ...X, name: `x${index}` }));
    const prompt = { directory: 'a tool. '.repeat(4000) };
    const remembered = sentPrefix(promptPrefix(surface(tools, prompt)));
    expect(JSON.stringify(remembered).length).toBeLessThan(100);
    expect(cacheEffect(remembered, promptPrefix(surface([...tools, listed(Y)], { ...prompt })))).toBe('kept');
  });
});
