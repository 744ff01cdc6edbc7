/** The used part of `@ai-sdk/code-mode`, which is installed only where `check:compat` runs these tests. */
declare module '@ai-sdk/code-mode' {
  import type { RunProgram } from '@tool-search/agents/ai-sdk';
  export const experimental_runCodeMode: RunProgram;
}
