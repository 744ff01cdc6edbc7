import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Tree } from '@angular-devkit/schematics';
import { SchematicTestRunner, type UnitTestTree } from '@angular-devkit/schematics/testing';
import ts from 'typescript';
import { importedInto } from './imported-into.js';

const TEMPLATES = join(__dirname, '../../../../node_modules/@nestjs/schematics/dist/lib/application/files');

/** The files that `nest new` writes, from its own templates. */
function nestNew(form: 'ts' | 'ts-esm'): Tree {
  const tree = Tree.empty();
  for (const path of readdirSync(join(TEMPLATES, form), { recursive: true }) as string[]) {
    const from = join(TEMPLATES, form, path);
    if (statSync(from).isDirectory()) continue;
    const text = readFileSync(from, 'utf8').replace(/<% if[\s\S]*?<% } %>/g, '');
    tree.create(path.replace('__specFileSuffix__', 'spec'), text.replace(/<%= strict %>/g, 'true'));
  }
  tree.create('.gitignore', '/dist\n');
  return tree;
}

const runner = new SchematicTestRunner('@tool-search/core', join(__dirname, 'collection.json'));
const added = (tree: Tree) => runner.runSchematic('nest-add', { sourceRoot: 'src' }, tree);
const contents = (tree: UnitTestTree) => Object.fromEntries(tree.files.map((file) => [file, tree.readContent(file)]));
const json = (tree: UnitTestTree, path: string) => JSON.parse(tree.readContent(path));

describe.each([
  ['ts-esm', '.js'],
  ['ts', ''],
] as const)('nest add in an application of the form %s', (form, extension) => {
  it('writes a module with a tool, a durable store and routes, and imports it', async () => {
    const tree = await added(nestNew(form));
    expect(tree.files.filter((file) => file.startsWith('/src/tools/')).toSorted()).toEqual([
      '/src/tools/greeting.tools.ts',
      '/src/tools/tool-context.ts',
      '/src/tools/tools.controller.ts',
      '/src/tools/tools.module.ts',
    ]);
    const appModule = tree.readContent('/src/app.module.ts');
    expect(appModule).toContain(
      `import { AppService } from './app.service${extension}';\nimport { ToolsModule } from './tools/tools.module${extension}';\n`,
    );
    expect(appModule).toContain('\n  imports: [ToolsModule],\n');
    for (const file of ['/src/app.module.ts', ...tree.files.filter((path) => path.startsWith('/src/tools/'))]) {
      const { diagnostics } = ts.transpileModule(tree.readContent(file), { reportDiagnostics: true });
      expect(diagnostics).toEqual([]);
      const relative = [...tree.readContent(file).matchAll(/from '(\.[^']+)'/g)].map(([, path]) => path!);
      expect(relative.filter((path) => path.endsWith('.js') !== (extension === '.js'))).toEqual([]);
    }
    expect(tree.readContent('/.gitignore')).toBe('/dist\n\n# State of @tool-search\n/.tool-search\n');
  });

  it('adds what the module needs, of this version, and has it installed', async () => {
    const tree = await added(nestNew(form));
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
    expect(json(tree, '/package.json').dependencies).toMatchObject({
      '@nestjs/typeorm': '^12.0.0',
      '@tool-search/typeorm': `^${version}`,
      typeorm: '^1.1.0',
      zod: '^4.2.0',
    });
    expect(runner.tasks).toMatchObject([{ name: 'node-package', options: { packageManager: 'npm' } }]);
  });

  it('changes no file when it is run again', async () => {
    const once = await added(nestNew(form));
    const first = contents(once);
    expect(contents(await added(once))).toEqual(first);
    expect(runner.tasks).toEqual([]);
  });
});

describe('nest add', () => {
  it('keeps the versions that an application has, and fits NestJS 11', async () => {
    const tree = nestNew('ts');
    const manifest = JSON.parse(tree.readText('package.json'));
    Object.assign(manifest.dependencies, { '@nestjs/common': '^11.0.1', typeorm: '0.3.21', zod: '4.6.0' });
    tree.overwrite('package.json', JSON.stringify(manifest));
    tree.create('pnpm-lock.yaml', '');
    expect(json(await added(tree), '/package.json').dependencies).toMatchObject({
      '@nestjs/typeorm': '^11.0.0',
      typeorm: '0.3.21',
      zod: '4.6.0',
    });
    expect(runner.tasks).toMatchObject([{ options: { packageManager: 'pnpm' } }]);
  });

  it('leaves an application alone that uses the module already', async () => {
    const tree = nestNew('ts');
    tree.overwrite('src/app.module.ts', `import { ToolSearchModule } from '@tool-search/core';\n`);
    expect((await added(tree)).exists('/src/tools/tools.module.ts')).toBe(false);
  });

  it('never overwrites a file of the application', async () => {
    const tree = nestNew('ts');
    tree.create('src/tools/tools.controller.ts', '// mine');
    await expect(added(tree)).rejects.toThrow(/src\/tools\/tools\.controller\.ts exists already/);
    const other = nestNew('ts');
    other.create('src/tools/tools.module.ts', '// mine');
    await expect(added(other)).rejects.toThrow(/src\/tools\/tools\.module\.ts exists already/);
  });

  it('says what is missing outside a TypeScript application', async () => {
    await expect(added(Tree.empty())).rejects.toThrow(/package\.json is missing/);
  });
});

describe('the import into a module', () => {
  const into = (decorator: string) => importedInto(`import { A } from 'a'\n${decorator}\nclass M {}\n`, 'X', './x');
  const line = "import { A } from 'a'\nimport { X } from './x';\n";

  it.each([
    ['@Module({ imports: [] })', '@Module({ imports: [X] })'],
    ['@Module({ imports: [A] })', '@Module({ imports: [X, A] })'],
    ['@Module({})', '@Module({\n  imports: [X],})'],
    [
      '@Module({ /* imports: [ */ providers: [f({ imports: [] })], imports: [B] })',
      '@Module({ /* imports: [ */ providers: [f({ imports: [] })], imports: [X, B] })',
    ],
    ["@Module({ providers: ['imports: [}'] })", "@Module({\n  imports: [X], providers: ['imports: [}'] })"],
  ])('of %s', (before, after) => {
    expect(into(before)).toBe(`${line}${after}\nclass M {}\n`);
  });

  it.each(['@Module({ imports: all })', '@Module(metadata)', '@Modules({ imports: [] })'])(
    'is not guessed for %s',
    (form) => {
      expect(into(form)).toBeUndefined();
    },
  );
});
