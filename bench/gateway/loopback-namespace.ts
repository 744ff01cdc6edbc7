import { spawn } from 'node:child_process';

/** Set in the process that runs in the namespace. The server refuses variables of its own prefix that it does not know. */
const INSIDE = 'BENCH_INSIDE_NAMESPACE';

/**
 * Continues in a network namespace that has the loopback interface only: runs this program again in one, and ends this
 * process with its exit code. Without root's rights it uses a user namespace. Linux only.
 *
 * @throws Error if the namespace cannot be created
 */
export async function enterLoopbackNamespace(): Promise<void> {
  if (process.env[INSIDE] !== undefined) return;
  const flags = process.getuid?.() === 0 ? ['--net'] : ['--net', '--map-root-user'];
  const script = 'ip link set lo up && exec "$@"';
  const self = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const env = { ...process.env, [INSIDE]: '1' };
  // Its report is the report of this process.
  const child = spawn('unshare', [...flags, 'sh', '-c', script, 'sh', ...self], { stdio: 'inherit', env });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => {
      reject(new Error(`"unshare" and "ip" are needed, as Linux has them (${error.message})`));
    });
    child.once('close', (ended) => resolve(ended ?? 1));
  });
  process.exit(code);
}
