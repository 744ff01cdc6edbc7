/** Where an agent runs and whom it talks to. */
export interface AgentPlace {
  /** Folder of the installed package, with `node_modules`. */
  readonly installed: string;
  /** The agent's HOME, empty before the run. */
  readonly home: string;
  /** Address of the scripted model, without a path. */
  readonly modelUrl: string;
  /** Address of the MCP server. */
  readonly mcpUrl: string;
  /** Bearer token for the MCP server. */
  readonly token: string;
  /** A Node 22 for agents that need one. */
  readonly node: string;
}

/** How to start an agent once, without a terminal. */
export interface AgentCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment, in addition to `HOME` and `PATH`. */
  readonly env: Readonly<Record<string, string>>;
  /** Configuration files, by path below HOME. */
  readonly files: Readonly<Record<string, string>>;
}

/** The name of the MCP server in every agent's configuration. */
export const SERVER = 'toolbox';
/** What the agent is asked; the scripted model does not read it. */
export const PROMPT = 'Use the toolbox.';
/** A key that no provider accepts. */
export const MADE_UP_KEY = 'sk-made-up';
