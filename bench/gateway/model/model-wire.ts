/** A tool in a model's request. */
export interface OfferedTool {
  readonly name: string;
  /** The group that the Responses API declares the tool in. */
  readonly namespace?: string;
}

/** What a client sends to the model for the next step. */
export interface ModelTurn {
  readonly offered: readonly OfferedTool[];
  /** Text of each tool result of the conversation so far, oldest first. */
  readonly results: readonly string[];
}

/** The model's next step: one tool call, or the final text. */
export type ModelReply =
  { readonly call: OfferedTool; readonly arguments: Readonly<Record<string, unknown>> } | { readonly text: string };

/** Answer of a route, before HTTP. */
export interface WireAnswer {
  readonly json: object;
  /** The same answer as server-sent events: `data` of each, and its `event` where the format names it. */
  readonly events: readonly { readonly event?: string; readonly data: object | string }[];
}

/** One provider's wire format, as far as coding agents use it. */
export interface ModelWire {
  /** Whether a request of this method and path belongs to the format. */
  matches(method: string, path: string): boolean;
  /** Whether the client expects server-sent events. */
  streams(path: string, body: WireObject): boolean;
  turnOf(body: WireObject): ModelTurn;
  answerOf(body: WireObject, reply: ModelReply, id: string): WireAnswer;
}

/** A JSON object of a client, nothing of it checked. */
export type WireObject = Readonly<Record<string, unknown>>;

/** The objects in a value that should be an array of objects. */
export function objectsIn(value: unknown): readonly WireObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A value that should be an object; an empty one if it is not. */
export function objectOf(value: unknown): WireObject {
  return isObject(value) ? value : {};
}

/** A value that should be a text; an empty one if it is not. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text of a content that is a string or a list of blocks with `text`. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ text }) => stringOf(text))
    .join('\n');
}

function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
