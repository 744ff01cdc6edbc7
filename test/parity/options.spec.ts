import { Test } from '@nestjs/testing';
import { ToolSearchModule, type ToolSearchModuleOptions } from '@tool-search/core';

/* Limits of options that at least one of the three systems has too; each is named by a row of docs/parity.md. */

const context = () => ({ tenantId: 'acme' });
async function boots(options: object): Promise<boolean> {
  const imports = [ToolSearchModule.forRoot({ context, ...options } as ToolSearchModuleOptions)];
  try {
    const module = await Test.createTestingModule({ imports })
      .setLogger(false as never)
      .compile();
    await (await module.init()).close();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_CONFIGURATION' });
    return false;
  }
}

type Bounds = readonly [option: string, least: number, most: number, of: (value: number) => object];

describe('the bounds of an option', () => {
  it.each<Bounds>([
    ['search.limit', 1, 20, (limit) => ({ search: { limit } })],
    ['search.maxLimit', 1, 100, (maxLimit) => ({ search: { limit: 1, maxLimit } })],
    ['exposure.hints.topK', 1, 20, (topK) => ({ exposure: { hints: { topK } } })],
    ['exposure.directory.maxGroups', 1, 100, (maxGroups) => ({ exposure: { directory: { maxGroups } } })],
    [
      'exposure.directory.maxToolsPerGroup',
      0,
      50,
      (count) => ({ exposure: { directory: { maxToolsPerGroup: count } } }),
    ],
    ['examples.maxPerTool', 1, 10, (maxPerTool) => ({ examples: { maxPerTool } })],
  ])('%s are %d and %d; what is outside refuses to boot', async (_, least, most, of) => {
    expect(await Promise.all([least, most].map((value) => boots(of(value))))).toEqual([true, true]);
    expect(await Promise.all([least - 1, most + 1, Number.NaN].map((value) => boots(of(value))))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('for times: 0 keeps activations for ever, and less than 0 refuses to boot', async () => {
    expect(await boots({ activation: { idleTtlMs: 0 } })).toBe(true);
    expect(await boots({ activation: { idleTtlMs: -1 } })).toBe(false);
  });
});
