import type { Embedder } from '@tool-search/core';

/** Caches an embedder's vectors by text, because every contender embeds the same texts. */
export function remembered(embedder: Embedder): Embedder {
  const known = new Map<string, readonly number[] | Float32Array>();
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    embed: async (texts, kind, signal) => {
      const fresh = texts.filter((text) => !known.has(kind + text));
      if (fresh.length > 0) {
        const vectors = await embedder.embed(fresh, kind, signal);
        fresh.forEach((text, i) => known.set(kind + text, vectors[i] ?? []));
      }
      return texts.map((text) => known.get(kind + text) ?? []);
    },
  };
}
