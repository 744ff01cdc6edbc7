import type { JsonObject } from '../../json/json.js';

/** Which source, and whose. */
export interface SourceKey {
  /** `''` = shared by all tenants. */
  readonly owner: string;
  readonly source: string;
}

/** What a tool of a source has to be, to be what was accepted. */
export interface DefinitionPin {
  /** The source's own name of the tool. */
  readonly tool: string;
  /** SHA-256 (hex) of its origin without what is volatile. */
  readonly fingerprint: string;
  /** JSON pointers into the origin of what differs from fetch to fetch. */
  readonly volatile: readonly string[];
  /** Whether the source's last good load had it. One that is gone stays pinned, so that it cannot come back as another one. */
  readonly listed: boolean;
  /** Epoch milliseconds. */
  readonly acceptedAt: number;
}

/** A tool as it was accepted. */
export interface AcceptedTool extends DefinitionPin {
  /** What the source said of it, without what is volatile. */
  readonly origin: JsonObject;
}

/** All pins of one source as of one moment. */
export interface SourcePins {
  /** Rises with every change of the source's pins. */
  readonly revision: number;
  readonly pins: readonly DefinitionPin[];
}

/** What a load changed about the tools that are accepted. */
export interface PinChange {
  /** New ones, and those that replace the pin of the same name. */
  readonly accepted: readonly AcceptedTool[];
  /** Own names of tools that the source does not list any more. */
  readonly gone: readonly string[];
}

/**
 * Remembers what sources said of their tools when it was accepted, over restarts and for all instances. An abstract class, so
 * that it is also the injection token.
 */
export abstract class DefinitionStore {
  /** A source's pins; `unchanged` when its revision is still `known`, undefined for a source that was never registered. */
  abstract pins(key: SourceKey, known?: number): Promise<SourcePins | 'unchanged' | undefined>;

  /** Origins by own name, of these tools or of all that are listed. */
  abstract origins(key: SourceKey, tools?: readonly string[]): Promise<ReadonlyMap<string, JsonObject>>;

  /** Registers a source with its first tools, none included; changes nothing where another instance was faster. */
  abstract register(key: SourceKey, tools: readonly AcceptedTool[]): Promise<void>;

  /**
   * Writes a change as a whole or not at all. Of the tools that are gone the `keepGone` accepted last stay pinned.
   *
   * @param keepGone default 1,000
   */
  abstract change(key: SourceKey, change: PinChange, keepGone?: number): Promise<void>;

  /** Forgets a source, as if it had never been registered. */
  abstract forget(key: SourceKey): Promise<void>;
}
