import { spawn } from 'node:child_process';

/** Tells this program that it runs in the namespace already. */
const INSIDE = 'TOOL_SEARCH_LOOPBACK_ONLY';

/** Whether this process can reach nothing but the machine itself. */
export function hasLoopbackOnly(): boolean {
  return process.env[INSIDE] === '1';
}

/**
 * Runs this program again, with the same arguments, in a network namespace that has the loopback interface only.
 * Without root's rights it uses a user namespace. Linux only.
 *
 * @returns its exit code
 * @throws Error if the namespace cannot be created
 */
export function inLoopbackNamespace(): Promise<number> {
  const flags = process.getuid?.() === 0 ? ['--net'] : ['--net', '--map-root-user'];
  const script = 'ip link set lo up && exec "$@"';
  const self = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn('unshare', [...flags, 'sh', '-c', script, 'sh', ...self], {
    env: { ...process.env, [INSIDE]: '1' },
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(new Error(`"unshare" and "ip" are needed, as Linux has them (${error.message})`));
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
}
