import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { McpStdioServer } from './mcp-source-options.js';

const MAX_TAIL_CHARS = 2_000;

/**
 * A server as a child process. What it writes to its standard error is kept, the last 2,000 characters of it, and never
 * reaches our own output. Being a subclass, it is asked for its protocol revision itself; the SDK's own class would
 * start a second process for that question.
 */
export class StdioTransport extends StdioClientTransport {
  #tail = '';
  #started = false;
  #closing: Promise<void> | undefined;

  constructor({ command, args, env, cwd }: McpStdioServer, maxMessageBytes: number) {
    super({
      command,
      args: args && [...args],
      env: env && { ...env },
      cwd,
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

  override start(): Promise<void> {
    this.#started = true;
    return super.start();
  }

  /** Asks the process to end, then makes it. However often it is called, all callers wait for the same end. */
  override close(): Promise<void> {
    this.#closing ??= super.close();
    return this.#closing;
  }
}
