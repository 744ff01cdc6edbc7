import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importedInto } from './imported-into.js';
import { starterFiles } from './starter-files.js';

/** The part of the schematics `Tree` that is used here; the Nest CLI passes the whole. */
export interface Files {
  exists(path: string): boolean;
  read(path: string): { toString(): string } | null;
  create(path: string, content: string): void;
  overwrite(path: string, content: string): void;
}

/** The part of `SchematicContext` that is used here. */
export interface Run {
  readonly logger: { info(message: string): void; warn(message: string): void };
  addTask(task: { toConfiguration(): { name: string; options: object } }): unknown;
}

/** `nest add @tool-search/core` writes a module with an example tool and imports it; again, it changes nothing. */
export function nestAdd({ sourceRoot = 'src' }: { readonly sourceRoot?: string } = {}) {
  return (files: Files, run: Run): void => {
    const appModule = `${sourceRoot}/app.module.ts`;
    const manifest = JSON.parse(textOf(files, 'package.json')) as Manifest;
    const before = textOf(files, appModule);
    if (before.includes('ToolSearchModule')) {
      run.logger.info(`${appModule} imports ToolSearchModule already: nothing is changed.`);
      return;
    }
    const isEsm = manifest.type === 'module';
    const starters = Object.entries(starterFiles(isEsm ? '.js' : '')).map(
      ([name, text]) => [`${sourceRoot}/tools/${name}`, text] as const,
    );
    const module = starters.find(([path]) => path.endsWith('.module.ts'))?.[0] ?? '';
    if (!files.exists(module)) {
      const taken = starters.find(([path]) => files.exists(path));
      if (taken) throw new Error(`${taken[0]} exists already. Move it, then run nest add again.`);
      for (const [path, text] of starters) files.create(path, text);
    } else if (!textOf(files, module).includes('ToolSearchModule')) {
      throw new Error(`${module} exists already and is another module. Move it, then run nest add again.`);
    }
    const after = importedInto(before, 'ToolsModule', `./tools/tools.module${isEsm ? '.js' : ''}`);
    if (after === undefined)
      run.logger.warn(`${appModule} has an unusual form: add ToolsModule to its imports yourself.`);
    else if (after !== before) files.overwrite(appModule, after);
    ignoreState(files);
    const added = addedDependencies(manifest, ownVersion());
    if (Object.keys(added).length === 0) return;
    const dependencies = Object.fromEntries(Object.entries({ ...manifest.dependencies, ...added }).toSorted(byName));
    files.overwrite('package.json', `${JSON.stringify({ ...manifest, dependencies }, undefined, 2)}\n`);
    const options = { command: 'install', quiet: true, packageManager: packageManagerOf(files) };
    run.addTask({ toConfiguration: () => ({ name: 'node-package', options }) });
  };
}

interface Manifest {
  readonly type?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function textOf(files: Files, path: string): string {
  const content = files.read(path);
  if (content === null) throw new Error(`${path} is missing. Run nest add in the folder of a TypeScript application.`);
  return content.toString();
}

/** Adds the folder of the SQLite file to `.gitignore`: it belongs to one machine. */
function ignoreState(files: Files): void {
  const ignored = files.read('.gitignore')?.toString();
  if (ignored === undefined || /^\/?\.tool-search\/?$/m.test(ignored)) return;
  files.overwrite('.gitignore', `${ignored.trimEnd()}\n\n# State of @tool-search\n/.tool-search\n`);
}

const LOCK_FILES = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun' };

const packageManagerOf = (files: Files): string =>
  Object.entries(LOCK_FILES).find(([lock]) => files.exists(lock))?.[1] ?? 'npm';

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);

const ownVersion = (): string =>
  (JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string }).version;

/** The dependencies of the starter module that the application does not have yet: version range by package name. */
function addedDependencies({ dependencies, devDependencies }: Manifest, version: string): Record<string, string> {
  const present = { ...devDependencies, ...dependencies };
  const nest = Number(/\d+/.exec(present['@nestjs/common'] ?? '')?.[0] ?? 12);
  const wanted = {
    '@tool-search/typeorm': `^${version}`,
    // The packages for NestJS 11 have a CommonJS build, which its applications and their tests expect.
    '@nestjs/typeorm': nest < 12 ? '^11.0.0' : '^12.0.0',
    typeorm: nest < 12 ? '^0.3.20' : '^1.1.0',
    zod: '^4.2.0',
  };
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => present[name] === undefined));
}
