/** Where an agent runs and whom it talks to. */
export interface AgentPlace {
  /** Folder of the installed package, with `node_modules`. */
  readonly installed: string;
  /** The agent's HOME, empty before the run. */
  readonly home: string;
  /** Variables of the environment with which it finds a browser that signs in. */
  readonly browser: Readonly<Record<string, string>>;
  /** Address of the scripted model, without a path. */
  readonly modelUrl: string;
  /** Address of the MCP server. */
  readonly mcpUrl: string;
  /** A Node 22 for agents that need one. */
  readonly node: string;
}

/** A program with its arguments. */
export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
}

/** How to start an agent once, without a terminal. */
export interface AgentCommand extends Invocation {
  /** How it signs in at the MCP server before; absent: it does that when the server asks for it. */
  readonly login?: Invocation;
  /** What to type when it asks a question, and the end of that question. */
  readonly answer?: { readonly to: string; readonly text: string };
  /** The whole environment, in addition to `HOME` and the browser. */
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
