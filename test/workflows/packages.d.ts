/** The used parts of packages that are installed only where `check:compat` runs these tests. */
declare module '@ai-sdk/workflow' {
  import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
  export class WorkflowAgent {
    constructor(options: {
      model: LanguageModel;
      tools: ToolSet;
      prepareStep: () => Promise<{ system: string; activeTools: string[] }>;
    });
    stream(options: {
      messages: ModelMessage[];
      writable: WritableStream;
    }): Promise<{ steps: readonly { toolResults: readonly { output: unknown }[] }[] }>;
  }
}
declare module 'workflow' {
  export function getWritable(): WritableStream;
}
declare module 'workflow/api' {
  export function start<Given extends unknown[], Result>(
    workflow: (...given: Given) => Promise<Result>,
    given: Given,
  ): Promise<{ returnValue: Promise<Result> }>;
}
