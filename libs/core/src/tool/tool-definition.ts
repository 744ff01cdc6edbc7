import type { JsonObject, JsonSchema, JsonValue } from '../json/json.js';
import type { CacheRule } from './source/cache-rule.js';
import type { AppPage, ToolApp } from './app-metadata.js';
import type { Deprecation } from './deprecation.js';

/** The effect of a tool on its environment. Default `external`: without a declaration it is not assumed to be safe. */
export type SideEffects = (typeof SIDE_EFFECTS)[number];

/** `always`: in the model's tool list from the start. `deferred`: only after it was offered or activated. */
export type Loading = (typeof LOADINGS)[number];

/** All values of {@link Loading}. */
export const LOADINGS = ['always', 'deferred'] as const;

/** All side-effect classes, from mildest to strongest. */
export const SIDE_EFFECTS = ['pure', 'read', 'write', 'external', 'stateful'] as const;

/** Whether calls of a tool change nothing: its results may be stored, and a client may always allow it. */
export function changesNothing({ sideEffects }: Pick<ToolDefinition, 'sideEffects'>): boolean {
  return sideEffects === 'read' || sideEffects === 'pure';
}

/** Kinds of context items: content that a client reads, a template of the addresses of such content, or a prompt. */
export type ItemKind = (typeof ITEM_KINDS)[number];

/** All kinds of context items. */
export const ITEM_KINDS = ['resource', 'resource_template', 'prompt'] as const;

/** What a source may offer beside tools: context items, log lines of its tools, and MCP Apps with their pages. */
export type ExposedKind = (typeof EXPOSED_KINDS)[number];

/** All of {@link ExposedKind}. */
export const EXPOSED_KINDS = [...ITEM_KINDS, 'logging', 'apps'] as const;

/** The guess of an inspector about a tool. */
export interface ToolFinding {
  /** The kind: 1 to 40 lower-case letters, digits and `-`. */
  readonly code: string;
  /** At most 200 characters. It does not quote the tool's texts. */
  readonly reason: string;
}

/** One call that shows a model how to use the tool. */
export interface ToolExample {
  readonly args: JsonObject;
  readonly description?: string;
  readonly tags: readonly string[];
}

/** Example queries beside the author's own. */
export interface AddedQueries {
  readonly queries: readonly string[];
  readonly hash: string;
}

/** A tool in the catalog: frozen, complete, safe to share between requests. */
export interface ToolDefinition {
  /** Canonical name, `namespace.tool`; unique within shared tools and within one owner's tools. */
  readonly name: string;
  readonly namespace: string;
  /** Set for a context item, which is governed like a tool, but no model finds or calls it. Absent for a tool. */
  readonly kind?: ItemKind;
  /** The URI of a resource; of a resource template its URI template (RFC 6570). */
  readonly uri?: string;
  /** Of a resource's content. */
  readonly mimeType?: string;
  readonly title?: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly sideEffects: SideEffects;
  /** JSON Schema of the arguments; its root is always an object type. */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly examples: readonly ToolExample[];
  /** Requests in the words of users. Search matches them; models never see them. */
  readonly exampleQueries: readonly string[];
  readonly loading: Loading;
  /** Other canonical names under which the tool can be read and called. */
  readonly aliases: readonly string[];
  readonly authScopes: readonly string[];
  readonly costHint?: string;
  /** Typical duration of a call, in milliseconds. */
  readonly latencyHintMs?: number;
  readonly safetyNotes?: string;
  readonly deprecated?: Deprecation;
  /** Hints of an MCP server: untrusted, never used for a decision. */
  readonly annotations?: JsonObject;
  readonly extra?: JsonObject;
  /** Of a tool with a page (MCP Apps), or for pages alone: then no model sees it. For hosts. */
  readonly app?: ToolApp;
  /** Set for a page of MCP Apps: a resource for hosts, which is open to whoever may use a tool that names it. */
  readonly appPage?: AppPage;
  /** Name of the source that provides the tool. */
  readonly source: string;
  /** The source's description of itself, one line of at most 500 characters: searched, never shown. */
  readonly sourceDescription?: string;
  /** `''` for a tool shared by all tenants, otherwise the tenant that owns its source. */
  readonly owner: string;
  /** SHA-256 (hex) of everything the source sent about the tool; set if the source's changes are watched. */
  readonly fingerprint?: string;
  /** SHA-256 (hex) of the fields that a model, an executor or the index can see. */
  readonly hash: string;
  /**
   * Example queries that a writer, a file or an operator added to this definition: searched like the author's, which
   * come first, and never shown: not enumerable, so that JSON and copies do not have them. Not part of the hash.
   */
  readonly added?: AddedQueries;
  /** Why it is in quarantine until an operator approves exactly this hash. For operators; not part of the hash. */
  readonly suspicion?: string;
  /** Why an operator should look at it although it is usable. For operators; not part of the hash. */
  readonly finding?: ToolFinding;
  /** Epoch milliseconds. An older approval is of an earlier definition and ends no quarantine. Not part of the hash. */
  readonly suspectSince?: number;
}

/**
 * A tool as a source declares it. Only `name` and `description` are required. The catalog checks and completes it and
 * turns it into a {@link ToolDefinition}, or refuses it with a reason.
 */
export interface ToolDeclaration {
  /** The source's own name of the tool, without namespace; `ToolSource.call` receives exactly this string. */
  readonly name: string;
  /**
   * `''` if `name` is canonical already: its namespace is then the part before its last dot.
   *
   * @default the source's name
   */
  readonly namespace?: string;
  /** @default a tool */
  readonly kind?: ItemKind;
  /** Required for a resource (its URI) and a resource template (its URI template); at most 2,048 characters. */
  readonly uri?: string;
  /** Of a resource's content. */
  readonly mimeType?: string;
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
   * Requests in the words of users, at most 20 of at most 200 characters: "give me my money back". Search matches them;
   * models never see them.
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
  readonly deprecated?: Deprecation;
  readonly annotations?: JsonObject;
  readonly extra?: JsonObject;
  /** Of a tool with a page, or for pages alone. Only of a source that exposes `apps`. @default none */
  readonly app?: ToolApp;
  /** Set for a page: a resource whose `uri` begins with `ui://`, and is rewritten for clients. Only of a source that exposes `apps`. */
  readonly appPage?: AppPage;
  /**
   * Everything the source sent about the tool, before any setting of the application was applied. It is watched for
   * changes and stored across restarts; models never see it. A source that sets it implements `ToolSource.restore` as
   * well.
   *
   * @default the declaration itself
   */
  readonly origin?: JsonObject;
  /** Timeout of a call, in milliseconds. @default the source's, else 30,000 */
  readonly timeoutMs?: number;
  /**
   * Stores results and uses them again; only with the side effects `read` or `pure`. A setting of the application: only
   * its own code can declare it, and it is no part of the definition. For tools of other sources, see the module's
   * `resultCache`.
   *
   * @default every call runs
   */
  readonly cache?: CacheRule;
  /**
   * Names or globs of the tools whose stored results a call of this tool discards, in its tenant. Like `cache` a setting
   * of the application.
   *
   * @default none
   */
  readonly invalidates?: readonly string[];
  /**
   * Its results contain texts of others, such as web pages or e-mails: they are marked as data for the model. Like
   * `cache` a setting of the application. For tools of other sources, see the module's `untrusted`.
   *
   * @default false
   */
  readonly untrusted?: boolean;
  /** Checks and converts arguments instead of JSON Schema validation (zod, a DTO class). Models get the JSON Schema. */
  readonly validate?: ToolInputValidator;
}

/** One fault in a tool's arguments. `path` is a JSON pointer. Contains no values of the arguments. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
}

/** Result of checking arguments: the value to pass to the handler, or the faults. */
export type InputCheck = { readonly value: unknown } | { readonly issues: readonly InputIssue[] };

/** Validates the arguments of a call. */
export type ToolInputValidator = (input: unknown) => InputCheck | Promise<InputCheck>;

/** A block of a tool's output, in the form of MCP. */
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

/** The output of a tool, before it is cut to the allowed size. */
export interface ToolOutput {
  readonly content: readonly ToolContent[];
  readonly structured?: JsonValue;
}
