import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const FILES = ['package.json', 'nest-cli.json', 'tsconfig.json', 'tsconfig.build.json', 'libs'];

/** Copies what builds of the libraries read. Installed packages are links to the original, libraries to the copies. */
export function copyWorkspace(root, home) {
  mkdirSync(home, { recursive: true });
  const isSource = (path) => !/[\\/](node_modules|dist)$/.test(path);
  for (const file of FILES) cpSync(join(root, file), join(home, file), { recursive: true, filter: isSource });
  const folders = ['', ...readdirSync(join(root, 'libs')).map((library) => join('libs', library))];
  for (const folder of folders) linkPackages(root, home, join(folder, 'node_modules'));
}

function linkPackages(root, home, folder) {
  if (!existsSync(join(root, folder))) return;
  mkdirSync(join(home, folder));
  for (const name of readdirSync(join(root, folder))) {
    const path = join(folder, name);
    if (name === '@tool-search') {
      linkPackages(root, home, path);
      continue;
    }
    const target = relative(realpathSync(root), realpathSync(join(root, path)));
    const isLibrary = target.startsWith(`libs${sep}`) && target.split(sep).length === 2;
    symlinkSync(join(isLibrary ? home : root, target), join(home, path), 'junction');
  }
}
