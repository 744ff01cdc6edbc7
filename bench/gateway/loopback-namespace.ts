import { spawn } from 'node:child_process';

/**
 * Runs this program again, with other arguments, in a network namespace that has the loopback interface only.
 * Without root's rights it uses a user namespace. Linux only.
 *
 * @returns its exit code
 * @throws Error if the namespace cannot be created
 */
export function inLoopbackNamespace(args: readonly string[]): Promise<number> {
  const flags = process.getuid?.() === 0 ? ['--net'] : ['--net', '--map-root-user'];
  const script = 'ip link set lo up && exec "$@"';
  const self = [process.execPath, ...process.execArgv, process.argv[1] ?? '', ...args];
  const child = spawn('unshare', [...flags, 'sh', '-c', script, 'sh', ...self], {
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(new Error(`"unshare" and "ip" are needed, as Linux has them (${error.message})`));
    });
    child.once('close', (code) => resolve(code ?? 1));
  });
}
