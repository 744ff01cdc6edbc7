// The package has no types. The reference makes builds that start in another folder find the ambient declaration.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./cross-spawn.d.ts" />
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import spawn from 'cross-spawn';
import type { Secrets } from '@tool-search/core/source';
import { redactedText, withDeadline } from '@tool-search/core/internal';
import type { Endpoint } from '../connection/credentials.js';
import { OpenRequests } from '../messages/mended-messages.js';
import { soundEnvelope } from '../messages/sound-envelope.js';
import { MessageLines } from './message-lines.js';
import { ReadRateLimiter } from './read-rate-limiter.js';
import { forgetGroup, HAS_GROUPS, keepGroup, signalGroup } from './process-group.js';

const MAX_TAIL_CHARS = 2_000;
const MAX_LINES = 10;
const MAX_LINE_CHARS = 200;
const LINE_FEED = 10;
/** Milliseconds that a server gets to exit after its input ends, and again after SIGTERM. */
const PATIENCE_MS = 2_000;
const LOOK_MS = 50;

/**
 * Runs a server as a child process in its own process group, so that grandchildren end with it (`npx` starts some).
 * Keeps the end of its standard error and never writes it to the application's output. The SDK's own transport has no
 * process group, does not allow pausing its stream, and starts a second process to probe the protocol revision. `pid`
 * and `stderr` make the SDK treat this transport as a child process.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly stderr = null;
  readonly #server: Extract<Endpoint, { command: string }>;
  readonly open = new OpenRequests();
  readonly #lines: MessageLines;
  readonly #pace = new ReadRateLimiter();
  #received: Promise<void> = Promise.resolve();
  #child: ChildProcessWithoutNullStreams | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #tail = '';
  #holds = 0;
  #closing: Promise<void> | undefined;

  constructor(server: Extract<Endpoint, { command: string }>, maxMessageBytes: number) {
    this.#server = server;
    this.#lines = new MessageLines(maxMessageBytes);
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /**
   * The last lines on standard error, joined for a log: bounded, without control characters, what looks like a credential,
   * and the credentials of the connection.
   */
  lastWords(secrets: Secrets): string {
    // Cleaned before it is cut: a part of a credential is not found.
    const clean = redactedText(secrets.redact(this.#tail));
    const lines = clean.slice(-MAX_TAIL_CHARS).split(/[\r\n]+/);
    if (clean.length > MAX_TAIL_CHARS && lines.length > 1) lines.shift();
    const words = lines
      .map((line) => line.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim())
      .filter((line) => line !== '');
    return words
      .slice(-MAX_LINES)
      .map((line) => line.slice(0, MAX_LINE_CHARS))
      .join(' | ');
  }

  get hasStarted(): boolean {
    return this.#child !== undefined;
  }

  /** How often reading was paused because the server wrote too much. */
  get holds(): number {
    return this.#holds;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#server;
    const child = spawn(command, [...args], {
      env: { ...getDefaultEnvironment(), ...env },
      ...(cwd === undefined ? {} : { cwd }),
      detached: HAS_GROUPS,
      windowsHide: true,
    });
    this.#child = child;
    const failed = (error: Error) => this.onerror?.(error);
    this.#ended = new Promise((resolve) => child.once('close', resolve));
    child.once('close', () => {
      this.onclose?.();
      // Ends the group's remaining processes; the process id may soon be reused.
      void this.close();
    });
    child.on('error', failed);
    child.stdin.on('error', failed);
    child.stdout.on('error', failed);
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#tail = (this.#tail + chunk.toString('utf8')).slice(-2 * MAX_TAIL_CHARS);
    });
    await once(child, 'spawn');
    if (child.pid !== undefined) keepGroup(child.pid);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (!stdin?.writable) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    if (isJSONRPCRequest(message)) this.open.add(message);
    else if ('method' in message && message.method === 'notifications/cancelled') {
      this.open.delete(message.params?.['requestId'] as RequestId);
    }
    if (stdin.write(serializeMessage(message))) return;
    try {
      await once(stdin, 'drain');
    } catch {
      // EPIPE: the process is ending. Why, it has written to its standard error, which is complete at its end.
      await withDeadline(PATIENCE_MS, () => this.#ended).catch(() => undefined);
      throw new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    }
  }

  /** Ends the process and its group: end of input, then SIGTERM, then SIGKILL. All callers share one shutdown. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #read(chunk: Buffer): void {
    try {
      // One after the other: the SDK handles a notification a moment after it has received it, and by then a result that it
      // has received meanwhile would have ended the call.
      for (const value of this.#lines.read(chunk)) this.#received = this.#received.then(() => this.#receive(value));
    } catch (error) {
      this.onerror?.(error as Error);
      // A line without end: the server would keep writing until it is stopped.
      if (this.pid !== null) signalGroup(this.pid, 'SIGKILL');
      void this.close();
      return;
    }
    this.#keepPace(chunk);
  }

  #receive(value: unknown): void {
    try {
      this.onmessage?.(parseJSONRPCMessage(soundEnvelope(value, this.open.only)));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  #keepPace(chunk: Buffer): void {
    const { stdout } = this.#child ?? {};
    let lines = 0;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
    const ms = this.#pace.waitAfter(lines);
    if (ms === 0 || !stdout) return;
    this.#holds += 1;
    stdout.pause();
    setTimeout(() => stdout.resume(), ms).unref();
  }

  async #close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.stdin.end();
    await withDeadline(PATIENCE_MS, () => this.#ended).catch(() => undefined);
    if (signalGroup(child.pid, 'SIGTERM') && !(await isGone(child.pid))) signalGroup(child.pid, 'SIGKILL');
    forgetGroup(child.pid);
    // Processes that left the group may still hold the streams open.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    this.#lines.clear();
  }
}

async function isGone(pid: number): Promise<boolean> {
  for (let ms = 0; ms < PATIENCE_MS; ms += LOOK_MS) {
    if (!signalGroup(pid, 0)) return true;
    await delay(LOOK_MS);
  }
  return !signalGroup(pid, 0);
}
