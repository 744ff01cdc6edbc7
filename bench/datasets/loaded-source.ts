import type { ToolDeclaration, ToolSource } from '@tool-search/core';

/** Loads a source once and closes it. The returned source can be loaded, but its tools cannot be called. */
export async function loadedSource(source: ToolSource): Promise<ToolSource> {
  try {
    const declarations: readonly ToolDeclaration[] = await source.load(AbortSignal.timeout(60_000));
    const { name, owner, loading, limits } = source;
    return {
      name,
      owner,
      loading,
      limits,
      load: () => Promise.resolve(declarations),
      call: () => Promise.reject(new Error(`${name} has been closed`)),
      close: () => Promise.resolve(),
    };
  } finally {
    await source.close();
  }
}
