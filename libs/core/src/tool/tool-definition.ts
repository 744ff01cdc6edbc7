import type { JsonObject, JsonSchema, JsonValue } from '../json/json.js';

/** What a tool does to the world; a source that says nothing gets `external`, because silence is not safety. */
export type SideEffects = 'pure' | 'read' | 'write' | 'external' | 'stateful';

/** `always`: in the model's list from the start. `deferred`: only once offered or activated. */
export type Loading = 'always' | 'deferred';

/** All side-effect classes, mildest first. */
export const SIDE_EFFECTS: readonly SideEffects[] = ['pure', 'read', 'write', 'external', 'stateful'];

/** One call that shows a model how the tool is used. */
export interface ToolExample {
  readonly args: JsonObject;
  readonly description?: string;
  readonly tags: readonly string[];
}

/** What the catalog knows about one tool: frozen, complete, safe to share between requests. */
export interface ToolDefinition {
  /** Canonical name, `namespace.tool`; unique within shared tools and within one owner's tools. */
  readonly name: string;
  readonly namespace: string;
  readonly title?: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly sideEffects: SideEffects;
  /** JSON Schema of the arguments; its root is always an object type. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly examples: readonly ToolExample[];
  /** What people say who need this tool; it is found by these words, and no model is shown them. */
  readonly exampleQueries: readonly string[];
  readonly loading: Loading;
  /** Other canonical names under which the tool may be read and called. */
  readonly aliases: readonly string[];
  readonly authScopes: readonly string[];
  readonly costHint?: string;
  /** Milliseconds a call usually takes. */
  readonly latencyHintMs?: number;
  readonly safetyNotes?: string;
  readonly deprecated?: { readonly successor?: string };
  /** Hints of an MCP server: untrusted, never an input to a decision. */
  readonly annotations?: JsonObject;
  readonly extra?: JsonObject;
  /** Name of the source that brought the tool. */
  readonly source: string;
  /** What the source says of itself, one line of at most 500 characters; searched like `exampleQueries`, never shown. */
  readonly sourceDescription?: string;
  /** `''` for a tool that all tenants share, else the tenant whose own source brought it. */
  readonly owner: string;
  /** SHA-256 (hex) of all that the source said of the tool, where the source's changes are watched. */
  readonly fingerprint?: string;
  /** SHA-256 (hex) of every other field: what a model, an executor or the index can see. */
  readonly hash: string;
  /** Why the tool is in quarantine until an operator approves exactly this hash; for operators, and not part of the hash. */
  readonly suspicion?: string;
  /** Epoch milliseconds: an approval that is older is about what was accepted before, and does not let it out. Not part of the hash. */
  readonly suspectSince?: number;
}

/**
 * A tool as a source hands it over: only `name` and `description` are required, everything else has a default.
 * The catalog checks it, completes it and turns it into a {@link ToolDefinition}, or refuses it with a reason.
 */
export interface ToolDeclaration {
  /** The source's own name of the tool, without namespace; `ToolSource.call` receives exactly this string. */
  readonly name: string;
  /**
   * `''` says that `name` is canonical already; the namespace is then what stands before its last dot.
   *
   * @default the source's name
   */
  readonly namespace?: string;
  readonly title?: string;
  readonly description: string;
  readonly tags?: readonly string[];
  /** @default 'external' */
  readonly sideEffects?: SideEffects;
  /** @default an object without properties */
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly examples?: readonly (Omit<ToolExample, 'tags'> & { readonly tags?: readonly string[] })[];
  /**
   * Requests in the words of users, at most 20 of at most 200 characters: "give me my money back". Search finds the tool by
   * them; they never reach a model.
   *
   * @default none
   */
  readonly exampleQueries?: readonly string[];
  /** @default the source's, else the module's */
  readonly loading?: Loading;
  readonly aliases?: readonly string[];
  readonly authScopes?: readonly string[];
  readonly costHint?: string;
  readonly latencyHintMs?: number;
  readonly safetyNotes?: string;
  readonly deprecated?: { readonly successor?: string };
  readonly annotations?: JsonObject;
  readonly extra?: JsonObject;
  /**
   * All that the source says of the tool, as it came and before any setting of the application was applied; a source that has
   * it brings `ToolSource.restore` as well. What is watched for changes and kept over restarts, never shown to a model.
   *
   * @default the declaration itself
   */
  readonly origin?: JsonObject;
  /** Milliseconds a call may take. @default the source's, else 30,000 */
  readonly timeoutMs?: number;
  /**
   * Checks and converts the arguments in place of JSON Schema validation, for sources that hold a richer schema
   * (zod, a DTO class). JSON Schema stays what the model is shown.
   */
  readonly validate?: ToolInputValidator;
}

/** One thing that is wrong with a tool's arguments; `path` is a JSON pointer, never a value. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
}

/** Outcome of checking arguments: the value to hand to the handler, or what is wrong. */
export type InputCheck = { readonly value: unknown } | { readonly issues: readonly InputIssue[] };

/** Checks a tool's arguments. */
export type ToolInputValidator = (input: unknown) => InputCheck | Promise<InputCheck>;

/** A block of a tool's output, shaped as in MCP. */
export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name?: string; readonly mimeType?: string }
  | {
      readonly type: 'resource';
      readonly resource: {
        readonly uri: string;
        readonly mimeType?: string;
        readonly text?: string;
        readonly blob?: string;
      };
    };

/** What an executed tool gives back, before it is bounded. */
export interface ToolOutput {
  readonly content: readonly ToolContent[];
  readonly structured?: JsonValue;
}
