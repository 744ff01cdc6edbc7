import type { ToolFailure, ToolResult } from '@tool-search/core';
import { contentText, failure } from '@tool-search/core/adapter';
import { type CallOptions, isObject, MAX_RECEIPTS } from '@tool-search/core/internal';
import { jsonSchema, type Tool, type ToolExecutionOptions, type ToolSet } from 'ai';
import { programCallRefused } from '../wire/program-rule.js';

/** Calls a tool by the name that the model knows. */
export type CallFromProgram = (name: string, input: unknown, options: CallOptions) => Promise<ToolResult>;

/** The rule of {@link ProgramRun}: a refusal for an admitted tool that programs may not call. */
type Refuse = NonNullable<CallOptions['refuse']>;

/** Characters of an error's message, and of what a failed tool has said. */
const ERROR_CHARS = 4000;
const PLAIN_NAME = /^[\w.-]{1,128}$/;
/** Notes of one program that the model reads; a loop could make one with every call. */
const MAX_NOTES = 10;
// The toolbox validates, with the schema of the tool.
const ANY_INPUT = jsonSchema({});

/** One program while it runs: the tools that it can call, and what its calls leave for the model. */
export class ProgramRun {
  /** Has a tool under every name: the toolbox refuses hidden and nonexistent ones alike. */
  readonly tools: ToolSet;
  /** By what their errors say: the failure, and the name that was called last. */
  readonly #failures = new Map<string, { readonly name: string; readonly failure: ToolFailure }>();
  readonly #notes = new Set<string>();
  readonly #receipts: string[] = [];

  constructor(
    private readonly call: CallFromProgram,
    private readonly refuse: Refuse,
  ) {
    this.tools = new Proxy<ToolSet>(
      {},
      { get: (_, name) => (typeof name === 'string' ? this.#tool(name) : undefined) },
    );
  }

  /** What the model reads after the result of the program, beside it. */
  get remarks(): Pick<ToolFailure, 'note' | 'receipt'> {
    const notes = [...this.#notes];
    return {
      ...(notes.length > 0 && { note: notes.join('\n') }),
      ...(this.#receipts.length > 0 && { receipt: this.#receipts.slice(-MAX_RECEIPTS).join(' ') }),
    };
  }

  /** The failure of a call that an error of the program stands for; undefined for any other error. */
  failureBehind(error: unknown): ToolFailure | undefined {
    return isObject(error) ? this.#failures.get(keyOf(error))?.failure : undefined;
  }

  #tool(name: string): Tool {
    return {
      type: 'dynamic',
      inputSchema: ANY_INPUT,
      execute: (input: unknown, { toolCallId, abortSignal }: ToolExecutionOptions<unknown>) =>
        this.#value(name, input ?? {}, { callId: toolCallId, ...(abortSignal && { signal: abortSignal }) }),
    };
  }

  /** @throws ProgramCallError where the toolbox returns a failure */
  async #value(name: string, input: unknown, options: Pick<CallOptions, 'callId' | 'signal'>): Promise<unknown> {
    const { refuse } = this;
    const result = whole(
      await this.call(name, input, { ...options, refuse, refuseMeta: programCallRefused, whole: true }),
    );
    if (result.receipt !== undefined) this.#receipts.push(result.receipt);
    if (result.note !== undefined && this.#notes.size < MAX_NOTES) this.#notes.add(result.note);
    if (!result.ok) throw this.#error(name, result);
    const { structured, content } = result;
    if (structured !== undefined) return structured;
    return content.every(({ type }) => type === 'text') ? contentText(content) : content;
  }

  #error(name: string, failed: ToolFailure): ProgramCallError {
    const { note: _note, receipt: _receipt, content, ...own } = failed;
    const words = content && cutText(contentText(content));
    const error = new ProgramCallError(own, words);
    const key = keyOf(error);
    // The program chooses the name, perhaps by what a tool has said; and calls of several tools may fail alike.
    const isKnown = PLAIN_NAME.test(name) && (this.#failures.get(key)?.name ?? name) === name;
    const at = isKnown ? `its call of ${name}` : 'a call';
    const message = `The program ended at ${at}: ${own.message}`;
    const ownContent = words !== undefined && { content: [{ type: 'text', text: words } as const] };
    this.#failures.set(key, { name, failure: { ...own, ...ownContent, message } });
    return error;
  }
}

/** By this symbol the runtime of code mode knows its errors, also those of another copy of its package. */
const RUN_ERROR: unique symbol = Symbol.for('vercel.run.error.RunError');

/** A refused or failed call inside a program. Code mode hides all errors from programs but those of its runtime. */
class ProgramCallError extends Error {
  readonly [RUN_ERROR] = true;
  readonly code: string;

  constructor({ code, message, hint, retryAfterSeconds }: ToolFailure, words: string | undefined) {
    const wait = retryAfterSeconds === undefined ? undefined : `Try again in ${retryAfterSeconds} s.`;
    super(cutText([message, hint, wait, words].filter((part) => part !== undefined && part !== '').join(' ')));
    this.name = 'ToolSearchError';
    this.code = code;
  }
}

/** A text of at most {@link ERROR_CHARS} characters that does not keep the longer one in memory, as a slice of it would. */
export function cutText(text: string): string {
  return Buffer.from(text.slice(0, ERROR_CHARS)).toString();
}

function keyOf({ code, message }: { readonly code?: unknown; readonly message?: unknown }): string {
  return `${String(code)} ${String(message)}`;
}

/** A program cannot tell a part of a result from the whole one. */
function whole(result: ToolResult): ToolResult {
  if (!result.ok || !result.truncated) return result;
  const { receipt } = result;
  return {
    ...failure('UPSTREAM_TOO_LARGE', 'The result is larger than a call may return.', 'Ask the tool for less.'),
    ...(receipt !== undefined && { receipt }),
  };
}
