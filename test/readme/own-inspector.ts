// #region inspector
import { ToolSearchModule, type ToolSource } from '@tool-search/core';
import { phraseInspector, type ToolInspector } from '@tool-search/core/source';

/** Your own classifier: a small model, a service, a list of words. */
interface Classifier {
  score(text: string, signal: AbortSignal): Promise<number>;
}

export function classifying(classifier: Classifier): ToolInspector {
  return {
    async inspect(tool, signal) {
      const score = await classifier.score(tool.texts.map(({ text }) => text).join('\n'), signal);
      if (score > 0.9) return { code: 'classifier', reason: `scores ${score.toFixed(2)}` };
      return phraseInspector.inspect(tool, signal);
    },
  };
}

export const toolSearch = (sources: ToolSource[], classifier: Classifier) =>
  ToolSearchModule.forRoot({
    context: (request: { tenantId: string }) => ({ tenantId: request.tenantId }),
    sources,
    inspector: classifying(classifier),
    inspection: 'hold', // 'report' by default
  });
// #endregion inspector
