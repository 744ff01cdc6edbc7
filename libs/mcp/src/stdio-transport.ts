import type { ChildProcess } from 'node:child_process';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Endpoint } from './credentials.js';
import { Pace } from './pace.js';

const MAX_TAIL_CHARS = 2_000;
const LINE_FEED = 10;

/**
 * A server as a child process. What it writes to its standard error is kept, the last 2,000 characters of it, and never
 * reaches our own output. Being a subclass, it is asked for its protocol revision itself; the SDK's own class would
 * start a second process for that question.
 */
export class StdioTransport extends StdioClientTransport {
  #tail = '';
  #started = false;
  #closing: Promise<void> | undefined;

  constructor({ command, args, env, cwd }: Extract<Endpoint, { command: string }>, maxMessageBytes: number) {
    super({
      command,
      args: [...args],
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stderr: 'pipe',
      maxBufferSize: maxMessageBytes,
    });
    this.stderr?.on('data', (chunk: Buffer) => {
      this.#tail = (this.#tail + chunk.toString('utf8')).slice(-MAX_TAIL_CHARS);
    });
  }

  /** The end of what the server has written to its standard error. */
  get stderrTail(): string {
    return this.#tail;
  }

  /** Whether there is, or was, a process. */
  get hasStarted(): boolean {
    return this.#started;
  }

  /** To be told of every error: a process that writes a line without end is ended at once, or it would go on until it is asked to. */
  readonly failed = (error: Error): void => {
    if (!error.message.startsWith('ReadBuffer exceeded') || this.pid === null) return;
    try {
      process.kill(this.pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  };

  override async start(): Promise<void> {
    this.#started = true;
    await super.start();
    this.#keepPace();
  }

  // The SDK does not hand out the stream it reads, which is the only place where a flood can be held back.
  #keepPace(): void {
    const { stdout } = (this as unknown as { _process?: ChildProcess })._process ?? {};
    const pace = new Pace();
    stdout?.on('data', (chunk: Buffer) => {
      let lines = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
      const ms = pace.waitAfter(lines);
      if (ms === 0) return;
      stdout.pause();
      setTimeout(() => stdout.resume(), ms).unref();
    });
  }

  /** Asks the process to end, then makes it. However often it is called, all callers wait for the same end. */
  override close(): Promise<void> {
    this.#closing ??= super.close();
    return this.#closing;
  }
}
