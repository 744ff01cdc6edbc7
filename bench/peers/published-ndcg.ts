/**
 * nDCG@5 of the peers as measured once with their own code (or its exact port) before this project began, by labelled set.
 * An engine here that does not come within {@link TOLERANCE} of them is not the peer it claims to be.
 */
export const PUBLISHED_NDCG5: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  penguiflow: {
    metatool: 0.453,
    toolbench: 0.542,
    apibank: 0.65,
    toolalpaca: 0.704,
    restbench: 0.424,
    sealtools: 0.641,
  },
  praisonai: {
    metatool: 0.394,
    toolbench: 0.468,
    apibank: 0.548,
    toolalpaca: 0.691,
    restbench: 0.376,
    sealtools: 0.663,
  },
  mastra: { metatool: 0.425, toolbench: 0.501, apibank: 0.648, toolalpaca: 0.717, restbench: 0.391, sealtools: 0.685 },
  minisearch: {
    metatool: 0.315,
    toolbench: 0.172,
    apibank: 0.567,
    toolalpaca: 0.593,
    restbench: 0.348,
    sealtools: 0.552,
  },
  orama: { metatool: 0.225, toolbench: 0.183, apibank: 0.528, toolalpaca: 0.429, restbench: 0.305, sealtools: 0.19 },
};

/** How far a re-implementation may be from its published nDCG@5. */
export const TOLERANCE = 0.01;
