/**
 * nDCG@5 of the peers by labelled set, measured once with their own code (or an exact port). An engine here that
 * differs by more than {@link TOLERANCE} is not a faithful port.
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

/** Maximum difference between a port's nDCG@5 and the published value. */
export const TOLERANCE = 0.01;
