import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentCommand, AgentPlace } from './agent.js';

/** How an agent ended. */
export interface AgentEnd {
  readonly code: number | null;
  /** The last part of what it wrote to stdout and stderr. */
  readonly output: string;
}

const RUN_MS = 180_000;
const MAX_OUTPUT = 20_000;
/** Writes the configuration of an agent into its HOME. */
export function configure({ files }: AgentCommand, home: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
}

/** Runs an agent once with nothing else in its environment, and waits for its end. */
export async function runAgent(
  { file, args, env, answer }: Omit<AgentCommand, 'files' | 'login'>,
  { home, browser }: Pick<AgentPlace, 'home' | 'browser'>,
): Promise<AgentEnd> {
  const work = join(home, 'work');
  mkdirSync(work, { recursive: true });
  const child = spawn(file, args, {
    cwd: work,
    env: { HOME: home, TMPDIR: home, NO_COLOR: '1', ...browser, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own process group, so that the processes that it started end with it.
    detached: true,
  });
  // Some agents wait for the end of their input; others take what comes early for a part of their prompt.
  child.stdin.on('error', () => undefined);
  if (!answer) child.stdin.end();
  const late = setTimeout(() => endGroup(child.pid), RUN_MS);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-MAX_OUTPUT);
      if (answer && output.endsWith(answer.to)) child.stdin.end(answer.text);
    });
  }
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { code, output };
  } finally {
    clearTimeout(late);
    endGroup(child.pid);
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}
