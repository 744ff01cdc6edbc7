import type { JsonObject } from '../../json/json.js';

/** The requests that a tool may send to its caller, in the words of MCP: a form or page, its model, or its folders. */
export const INPUT_METHODS = ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const;

/** One of {@link INPUT_METHODS}. */
export type InputMethod = (typeof INPUT_METHODS)[number];

/** One question of a running tool, in the form of MCP. */
export interface InputRequest {
  readonly method: InputMethod;
  readonly params?: JsonObject;
}

/** Questions that are asked together, by keys that the tool chooses. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

/** The answers, by the keys of the questions. They come from the caller: untrusted. */
export type InputResponses = Readonly<Record<string, JsonObject>>;

/** A caller who can be asked while a call runs. */
export interface CallerInput {
  /** Requests that the caller can answer. */
  readonly methods: readonly InputMethod[];
  /**
   * Asks the caller.
   *
   * @throws ToolSearchError `INPUT_REQUIRED` where the caller cannot answer
   */
  ask(requests: InputRequests): Promise<InputResponses>;
}

/** A line that a running tool logs for its caller. */
export interface ToolLogEntry {
  /** As in syslog: `debug`, `info`, `notice`, `warning`, `error`, `critical`, `alert` or `emergency`. */
  readonly level: string;
  readonly data: unknown;
  readonly logger?: string;
}
