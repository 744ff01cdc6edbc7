// The parts of Mastra's types that are used here. Its own declarations do not compile with `skipLibCheck: false`, which
// an application may have set; the tests pass real agents and tools.

/** A message of a Mastra agent's conversation. */
export interface MastraMessage {
  readonly role: string;
  readonly content: { readonly parts: readonly object[] };
}

/** The arguments of `processInputStep` that are used here. */
export interface MastraStepArgs<SYSTEM> {
  readonly messages: readonly MastraMessage[];
  readonly systemMessages: readonly SYSTEM[];
  readonly tools?: Readonly<Record<string, unknown>>;
  readonly activeTools?: readonly string[];
  /** Kept by Mastra for one run. */
  readonly state: Record<string, unknown>;
}

/** The result of `processInputStep`. */
export interface MastraStepResult<SYSTEM> {
  tools: Record<string, unknown>;
  systemMessages: SYSTEM[];
  activeTools?: string[];
}

/** The arguments of `processLLMRequest` that are used here. */
export interface MastraRequestArgs<MESSAGE> {
  readonly prompt: readonly MESSAGE[];
  readonly state: Record<string, unknown>;
}

/** A tool of Mastra's `createTool()`. */
export interface MastraTool {
  readonly id: string;
  readonly description?: string;
  readonly title?: string;
  readonly inputSchema?: unknown;
  readonly suspendSchema?: unknown;
  readonly resumeSchema?: unknown;
  readonly requestContextSchema?: unknown;
  readonly requireApproval?: unknown;
  readonly needsApprovalFn?: unknown;
  readonly inputExamples?: readonly { readonly input: Record<string, unknown> }[];
  execute?(input: never, context: never): Promise<unknown>;
  toModelOutput?(output: never): unknown;
}

/** Tools of `createTool()`, as the `tools` of a Mastra agent or of a `ToolSearchProcessor`. */
export type MastraTools = Readonly<Record<string, MastraTool>>;
