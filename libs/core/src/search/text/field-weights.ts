import type { ToolText } from './tool-text.js';

export interface FieldWeight {
  readonly weight: number;
  /** 0 to 1: how strongly a field of more than the usual length is discounted (`b` of BM25). */
  readonly lengthNormalization: number;
  /** The usual length in words: a constant, so that the weights of a tool depend on the tool alone. */
  readonly usualLength: number;
}

/** BM25F weights by field. The usual lengths are those of published MCP servers and OpenAPI documents. */
export const FIELD_WEIGHTS: Readonly<Record<keyof ToolText, FieldWeight>> = {
  name: { weight: 2, lengthNormalization: 0.5, usualLength: 3 },
  namespace: { weight: 2, lengthNormalization: 0.3, usualLength: 2 },
  title: { weight: 1, lengthNormalization: 0.5, usualLength: 3 },
  description: { weight: 1, lengthNormalization: 0.9, usualLength: 12 },
  tags: { weight: 0.6, lengthNormalization: 0.3, usualLength: 3 },
  parameterNames: { weight: 0.8, lengthNormalization: 0.3, usualLength: 6 },
  parameterDescriptions: { weight: 0.4, lengthNormalization: 0.3, usualLength: 25 },
  enums: { weight: 0.4, lengthNormalization: 0.5, usualLength: 8 },
  exampleQueries: { weight: 0.5, lengthNormalization: 0.75, usualLength: 40 },
  sourceDescription: { weight: 0.3, lengthNormalization: 0.3, usualLength: 20 },
};

/** Saturation (`k1` of BM25): how soon further occurrences stop counting. */
export const SATURATION = 1.2;
