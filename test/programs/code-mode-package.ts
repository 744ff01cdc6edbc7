import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Why the tests with `@ai-sdk/code-mode` cannot run here; undefined where they can. `check:compat` installs it. */
export const CODE_MODE_MISSING: string | undefined = missing();

function missing(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 13)) {
    return `it needs Node 22.13, and this is ${process.versions.node}; check:compat runs them`;
  }
  try {
    createRequire(join(process.cwd(), 'package.json')).resolve('@ai-sdk/code-mode/package.json');
    return undefined;
  } catch {
    return 'it is not installed; check:compat installs it and runs them';
  }
}
