import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TOOL_SEARCH_ERROR_CODES } from '@tool-search/core';
import { checkedEnvironment, VARIABLE_NAMES } from '../../src/settings/environment.js';

const ROOT = join(__dirname, '../..');
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const markdownIn = (folder: string) =>
  (readdirSync(join(ROOT, folder), { recursive: true }) as string[])
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`);
const errors = text('docs/errors.md');
const events = text('docs/events.md');
const codes = (markdown: string) => [...markdown.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
const coded = (markdown: string, column = 0) =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'))
    .flatMap((line) => codes(line.split(' | ')[column]!));

describe('the documentation', () => {
  it('documents every error code and no other', () => {
    expect(coded(errors).toSorted()).toEqual([...TOOL_SEARCH_ERROR_CODES].toSorted());
  });

  it('documents every event with its fields, and no other', () => {
    const source = text('libs/core/src/tool/tool-event.ts');
    const fieldsOf = (body: string) =>
      [...body.replaceAll(/\/\*\*.*?\*\//gs, '').matchAll(/(\w+)\??: /g)].map(([, field]) => field!);
    const shapeOf = (name: string) =>
      new RegExp(`(?:interface ${name} |type ${name} = )(?:extends \\w+ )?{([^}]*)}`).exec(source)![1]!;
    const maps = [...source.matchAll(/interface (?:Request)?EventFields {\n(.*?)\n}\n/gs)].map(([, map]) => map!);
    const declaredEvents = maps.flatMap((map) =>
      [...map.matchAll(/^ {2}'([a-z_.]+)': (?:(\w+)|{([^}]*)});$/gm)].map(([, type, named, fields]) => {
        return [type!, fieldsOf(fields ?? shapeOf(named!))] as const;
      }),
    );
    expect(declaredEvents.length).toBeGreaterThan(10);
    // `a`, `b` | `x`; `y` means that a has x and b has y. A single field list applies to all events of its row.
    const documented = events
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => {
        const [names, fields] = line.split(' | ').map((cell) => cell.split(';').map((part) => codes(part)));
        return names![0]!.map((name, index) => [name, fields!.length === 1 ? fields![0] : fields![index]]);
      });
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(declaredEvents));
    expect(documented).toHaveLength(declaredEvents.length);
    const base = (name: string) => fieldsOf(shapeOf(name));
    expect(codes(/Each has `at`;[^.]*\./.exec(events)![0])).toEqual([
      ...base('EventBase'),
      ...base('RequestEventBase'),
    ]);
  });

  it('documents every environment variable that the server reads', () => {
    const declared = VARIABLE_NAMES;
    expect(declared.length).toBeGreaterThan(40);
    // In `TOOL_SEARCH_HINTS_ENABLED`, `_TOP_K` the second name is a suffix: it replaces the end of the first one, as
    // late in the name as possible.
    const named = text('docs/guides/reference-server.md')
      .split('\n')
      .flatMap((line) => {
        let stem: string[] = [];
        return [...line.matchAll(/`(_?[A-Z][A-Z_]+)`/g)].map(([, key]) => {
          if (!key!.startsWith('_')) {
            stem = key!.split('_');
            return key!;
          }
          const meant = stem.map((_, index) => stem.slice(0, -1 - index).join('_') + key!);
          return meant.find((name) => declared.includes(name)) ?? `${stem.join('_')} with ${key}`;
        });
      });
    // UTC is a default, and no variable.
    expect(named.filter((key) => !declared.includes(key) && key !== 'UTC')).toEqual([]);
    expect(declared.filter((key) => !named.includes(key) && key !== 'NODE_ENV')).toEqual([]);
  });

  it('links to pages and sections that are there', () => {
    const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...markdownIn('docs'), ...markdownIn('libs')];
    const anchorsOf = (page: string) =>
      [...text(page).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
        title!
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      );
    const dead = pages.flatMap((page) =>
      [...text(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([link, path, anchor]) => {
        const target = path === '' ? page : join(dirname(page), path!);
        const isThere = existsSync(join(ROOT, target)) && (!anchor || anchorsOf(target).includes(anchor));
        // The site is built from docs alone.
        const isOnTheSite = !page.startsWith('docs/') || target.startsWith('docs/');
        return isThere && isOnTheSite ? [] : `${page}: ${link}`;
      }),
    );
    expect(dead).toEqual([]);
  });

  it('has every page in the sidebar of the site', () => {
    const sidebar = text('docs/.vitepress/config.mts');
    const links = markdownIn('docs').map((page) => page.slice('docs/'.length, -'.md'.length));
    const listed = (link: string) => link === 'index' || link.startsWith('decisions/') || sidebar.includes(`'${link}'`);
    expect(links.filter((link) => !listed(link))).toEqual([]);
  });

  it('keeps the README at 200 lines', () => {
    expect(text('README.md').split('\n').length - 1).toBeLessThanOrEqual(200);
  });

  it('keeps the ten pages that most applications need under 18,000 words', () => {
    const [, list] = /The ten pages[^:]*:([^#]*)/.exec(text('docs/index.md'))!;
    const pages = [...list!.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => text(`docs/${path}`));
    expect(pages).toHaveLength(10);
    expect(pages.join(' ').split(/\s+/).length).toBeLessThan(18_000);
  });

  it('shows only code that is compiled and tested', () => {
    execFileSync(process.execPath, [join(ROOT, 'scripts/sync-readme.mjs'), '--check'], { stdio: 'inherit' });
  });
});

describe('the environment', () => {
  it('is accepted when empty, and as in the example', () => {
    expect(checkedEnvironment({}).PORT).toBe(3000);
    const example = Object.fromEntries(
      text('.env.example')
        .split('\n')
        .filter((line) => /^[A-Z]/.test(line))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    expect(checkedEnvironment(example).DEMO_TOKENS).toContain('demo-acme-token');
  });

  it('turns its texts into values', () => {
    const env = checkedEnvironment({
      TOOL_SEARCH_LIMIT: '7',
      TOOL_SEARCH_HINTS_ENABLED: 'true',
      TOOL_SEARCH_DENY: 'a.*, b.c',
      TOOL_SEARCH_DIRECTORY_GROUPS: '[{"title":"Money","tags":["money"]}]',
      PATH: '/bin',
      UNRELATED: 'x',
    });
    expect(env.options).toEqual({
      search: { limit: 7 },
      exposure: { hints: { enabled: true }, directory: { groups: [{ title: 'Money', tags: ['money'] }] } },
      policy: { deny: ['a.*', 'b.c'] },
    });
  });

  it.each([
    ['TOOL_SEARCH_LIMITT', '5'],
    ['TOOL_SEARCH_LIMIT', 'five'],
    ['TOOL_SEARCH_LIMIT', '0'],
    ['TOOL_SEARCH_LIMIT', '5.5'],
    ['TOOL_SEARCH_VISIBILITY_DEADLINE_MS', '-1'],
    ['TOOL_SEARCH_HINTS_ENABLED', 'maybe'],
    ['TOOL_SEARCH_EXPOSURE', 'some'],
    ['TOOL_SEARCH_RUNS_ON_DRIFT', 'ignore'],
    ['TOOL_SEARCH_DENY', 'no spaces allowed'],
    ['TOOL_SEARCH_DIRECTORY_GROUPS', '{broken'],
    ['DATABASE_URL', 'mysql://x'],
    ['PORT', '99999'],
  ])('refuses %s=%s by its name', (key, value) => {
    expect(() => checkedEnvironment({ [key]: value })).toThrow(key);
  });

  it('refuses published tokens in production, and several instances on one file', () => {
    expect(() => checkedEnvironment({ NODE_ENV: 'production', DEMO_TOKENS: 'x' })).toThrow(/DEMO_TOKENS/);
    expect(() => checkedEnvironment({ TOOL_SEARCH_INSTANCES: '2' })).toThrow(/DATABASE_URL/);
    expect(
      checkedEnvironment({ TOOL_SEARCH_INSTANCES: '2', DATABASE_URL: 'postgres://h/d' }).TOOL_SEARCH_INSTANCES,
    ).toBe(2);
  });
});

describe('the packages', () => {
  const libs = [
    'core',
    'typeorm',
    'fts5',
    'mcp',
    'openapi',
    'agents',
    'admin',
    'telemetry',
    'gateway',
    'phrases',
    'cli',
    'redaction',
    'console',
  ];

  it.each(libs)('%s declares what it imports', (lib) => {
    const folder = join(ROOT, 'libs', lib);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const declared = new Set([
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.peerDependencies ?? {}),
    ]);
    const files = (readdirSync(join(folder, 'src'), { recursive: true }) as string[]).filter(
      // The application imports what a schematic writes.
      (file) => file.endsWith('.ts') && !/\.(spec|contract)\.ts$|^schematics\//.test(file),
    );
    const imported = files.flatMap((file) =>
      [...readFileSync(join(folder, 'src', file), 'utf8').matchAll(/(?:from|import|require)\s*\(?'([^.'\n][^'\n]*)'/g)]
        .map(([, name]) => name!)
        .filter((name) => !name.startsWith('node:'))
        .map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        ),
    );
    expect([...new Set(imported)].filter((name) => !declared.has(name))).toEqual([]);
  });

  it.each(libs)('%s documents every symbol of its front door', (lib) => {
    const source = join(ROOT, 'libs', lib, 'src');
    const files = readdirSync(source, { recursive: true }) as string[];
    const doors = files.filter((file) => /^([\w-]+|testing\/index)\.ts$/.test(file));
    const exported = new Set(
      doors.flatMap((door) =>
        [...readFileSync(join(source, door), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(
          ([, names = '']) => names.split(',').map((name) => name.trim().split(' ').at(-1)),
        ),
      ),
    );
    const undocumented: string[] = [];
    for (const file of files) {
      // Files that `nest add` writes are not exports of this package.
      if (file.includes('starter-files')) continue;
      if (!file.endsWith('.ts') || /\.(spec|contract|d)\.ts$/.test(file) || file.includes('migrations')) continue;
      const lines = readFileSync(join(source, file), 'utf8').split('\n');
      lines.forEach((line, index) => {
        const name = /^export (?:declare )?(?:abstract )?(?:async )?(?:class|function|interface|type|const) (\w+)/.exec(
          line,
        )?.[1];
        if (name === undefined || !(exported.has(name) || doors.includes(file))) return;
        let above = index - 1;
        while (/^(@|\)|\/\/|  |}\))/.test(lines[above] ?? '')) above -= 1;
        if (!/\*\/\s*$/.test(lines[above] ?? '')) undocumented.push(`${file}: ${name}`);
      });
    }
    expect(undocumented).toEqual([]);
  });
});
