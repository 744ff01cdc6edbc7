import type { ToolDeclaration, ToolSource } from '@tool-search/core';

/** A source that has been asked for its tools once and is closed: what it answered can be loaded, and nothing be called. */
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
