import type { JsonObject } from '../../json/json.js';

/** A source and its owner. */
export interface SourceKey {
  /** `''` = shared by all tenants. */
  readonly owner: string;
  readonly source: string;
}

/** The accepted state of a tool. */
export interface DefinitionPin {
  /** The source's own name of the tool. */
  readonly tool: string;
  /** SHA-256 (hex) of its origin without volatile members. */
  readonly fingerprint: string;
  /** JSON pointers into the origin, to members that differ from fetch to fetch. */
  readonly volatile: readonly string[];
  /** Whether the last good load contained it. A removed tool stays pinned: it cannot return as a different one. */
  readonly listed: boolean;
  /** Epoch milliseconds. */
  readonly acceptedAt: number;
}

/** An accepted tool with its origin. */
export interface AcceptedTool extends DefinitionPin {
  /** Everything the source sent about it, without volatile members. */
  readonly origin: JsonObject;
}

/** All pins of one source at one moment. */
export interface SourcePins {
  /** Rises with every change of the source's pins. */
  readonly revision: number;
  readonly pins: readonly DefinitionPin[];
}

/** The changes that a load makes to the accepted tools. */
export interface PinChange {
  /** New tools, and tools that replace the pin of the same name. */
  readonly accepted: readonly AcceptedTool[];
  /** Own names of tools that the source does not list any more. */
  readonly gone: readonly string[];
}

/** Stores accepted definitions across restarts, for all instances. Abstract, so that it is also the injection token. */
export abstract class DefinitionStore {
  /** A source's pins. `unchanged` if its revision still is `known`; undefined if it was never registered. */
  abstract pins(key: SourceKey, known?: number): Promise<SourcePins | 'unchanged' | undefined>;

  /** Origins by own name: of the given tools, or of all listed ones. */
  abstract origins(key: SourceKey, tools?: readonly string[]): Promise<ReadonlyMap<string, JsonObject>>;

  /** Registers a source with its first tools, possibly none; changes nothing if it is registered already. */
  abstract register(key: SourceKey, tools: readonly AcceptedTool[]): Promise<void>;

  /**
   * Writes a change atomically. Of the removed tools, the `keepGone` most recently accepted stay pinned.
   *
   * @param keepGone default 1,000
   */
  abstract change(key: SourceKey, change: PinChange, keepGone?: number): Promise<void>;

  /** Deletes a source, as if it had never been registered. */
  abstract forget(key: SourceKey): Promise<void>;
}
