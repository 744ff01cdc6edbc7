// The package has no types; an ambient declaration is not part of a build that starts from elsewhere.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./cross-spawn.d.ts" />
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type JSONRPCMessage,
  ReadBuffer,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import spawn from 'cross-spawn';
import { redactedText } from '@tool-search/core';
import { atMost } from '../connection/at-most.js';
import type { Endpoint } from '../connection/credentials.js';
import { Pace } from './pace.js';
import { forgetGroup, HAS_GROUPS, keepGroup, signalGroup } from './process-group.js';

const MAX_TAIL_CHARS = 2_000;
const MAX_LINES = 10;
const MAX_LINE_CHARS = 200;
const LINE_FEED = 10;
/** How long a server may take to end when its input ends, and again when it is told to. */
const PATIENCE_MS = 2_000;
const LOOK_MS = 50;

/**
 * A server as a child process, in a process group of its own: what it starts, as `npx` does, ends with it. What it writes to its
 * standard error is kept, the end of it, and never reaches our own output. The SDK's own transport has no such group, does not let
 * the stream be held back that it reads, and would start a second process to ask for the protocol revision; it takes this one for a
 * child process because it has `pid` and `stderr`.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly stderr = null;
  readonly #server: Extract<Endpoint, { command: string }>;
  readonly #buffer: ReadBuffer;
  readonly #pace = new Pace();
  #child: ChildProcessWithoutNullStreams | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #tail = '';
  #holds = 0;
  #closing: Promise<void> | undefined;

  constructor(server: Extract<Endpoint, { command: string }>, maxMessageBytes: number) {
    this.#server = server;
    this.#buffer = new ReadBuffer({ maxBufferSize: maxMessageBytes });
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** The last lines that the server wrote to its standard error, in one line for a log: bounded, without credentials and controls. */
  get lastWords(): string {
    const lines = redactedText(this.#tail).split(/[\r\n]+/);
    // Of a tail that was cut the first line is not whole, and could be a part of a credential.
    if (this.#tail.length === MAX_TAIL_CHARS && lines.length > 1) lines.shift();
    const words = lines
      .map((line) => line.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim())
      .filter((line) => line !== '');
    return words
      .slice(-MAX_LINES)
      .map((line) => line.slice(0, MAX_LINE_CHARS))
      .join(' | ');
  }

  /** Whether there is, or was, a process. */
  get hasStarted(): boolean {
    return this.#child !== undefined;
  }

  /** How often the server was held back because it wrote too much. */
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
      // What it left behind ends too, and its number may soon be another process's.
      void this.close();
    });
    child.on('error', failed);
    child.stdin.on('error', failed);
    child.stdout.on('error', failed);
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#tail = (this.#tail + chunk.toString('utf8')).slice(-MAX_TAIL_CHARS);
    });
    await once(child, 'spawn');
    if (child.pid !== undefined) keepGroup(child.pid);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (!stdin?.writable) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    if (!stdin.write(serializeMessage(message))) await once(stdin, 'drain');
  }

  /** Asks the process to end, then makes it, with all that it started. However often it is called, all callers wait for the same end. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      this.onerror?.(error as Error);
      // It writes a line without end, and would go on until it is asked to end.
      if (this.pid !== null) signalGroup(this.pid, 'SIGKILL');
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) break;
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
    this.#keepPace(chunk);
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
    await atMost(PATIENCE_MS, this.#ended);
    if (signalGroup(child.pid, 'SIGTERM') && !(await isGone(child.pid))) signalGroup(child.pid, 'SIGKILL');
    forgetGroup(child.pid);
    // What has left the group may still hold them.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    this.#buffer.clear();
  }
}

async function isGone(pid: number): Promise<boolean> {
  for (let ms = 0; ms < PATIENCE_MS; ms += LOOK_MS) {
    if (!signalGroup(pid, 0)) return true;
    await delay(LOOK_MS);
  }
  return !signalGroup(pid, 0);
}
