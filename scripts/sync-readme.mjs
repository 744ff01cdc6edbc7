// Fills the code blocks of the READMEs (root and libraries) and of the pages in docs from regions of compiled, tested files.
// Each block begins with the imports that its region uses, so that a reader can paste it. A region may use what its file
// imports, and nothing else of its file; what it imports from a neighbouring file must be on the same page.
// Also fills the tables of services.
// `--check` writes nothing and fails if a code block differs from its region. `--to FOLDER` writes the blocks of each page as
// files into a folder of their own, as a reader would paste them, and changes no page.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import ts from 'typescript';
import { withServiceTables } from './service-tables.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readmes = [
  'README.md',
  ...readdirSync(join(root, 'libs')).map((lib) => `libs/${lib}/README.md`),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('.vitepress'))
    .map((name) => `docs/${name}`),
];
const MARKER = /<!-- snippet: (\S+\.m?([jt]s))#([\w-]+) -->\n(?:\n```[jt]s\n[\s\S]*?\n```\n)?/g;
const pasted = process.argv.includes('--to') ? process.argv[process.argv.indexOf('--to') + 1] : undefined;
const pages = new Map(readmes.map((name) => [name, readFileSync(join(root, name), 'utf8')]));

/** The lines of a region, without those of nested markers, moved to the left margin. */
function region(file, name) {
  const text = readFileSync(join(root, file), 'utf8');
  const found = new RegExp(`// #region ${name}\\n([\\s\\S]*?)\\n *// #endregion ${name}\\b`).exec(text)?.[1];
  if (found === undefined) throw new Error(`${file} has no region ${name}`);
  const lines = found.split('\n').filter((line) => !/^ *\/\/ #(end)?region /.test(line));
  const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => /^ */.exec(line)[0].length));
  return lines
    .map((line) => line.slice(indent))
    .join('\n')
    .trim();
}

/** For each text the names that it uses and does not declare: those that a compiler without any library cannot find. */
function freeNames(texts) {
  const options = { noLib: true, noResolve: true, allowJs: true, checkJs: true, experimentalDecorators: true };
  const host = {
    ...ts.createCompilerHost(options),
    getSourceFile: (path, target) =>
      // `export {}` makes it a module, which sees no names of the other texts.
      texts.has(path) ? ts.createSourceFile(path, `${texts.get(path)}\nexport {};\n`, target, true) : undefined,
    fileExists: (path) => texts.has(path),
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  const namesOf = (path) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(path))
      .filter(({ messageText }) =>
        /^(Cannot find name|No value exists in scope)/.test(ts.flattenDiagnosticMessageText(messageText, ' ')),
      )
      .map(({ file, start, length }) => file.text.slice(start, start + length));
  return new Map([...texts.keys()].map((path) => [path, new Set(namesOf(path))]));
}

/** What a file imports and declares at its top, or around a region: the names that a region could use. */
function namesAround(file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const imported = new Map();
  const declared = new Set();
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) {
      const from = node.moduleSpecifier.text;
      const { name, namedBindings, phaseModifier, isTypeOnly } = node.importClause ?? {};
      const type = isTypeOnly || phaseModifier === ts.SyntaxKind.TypeKeyword ? 'type ' : '';
      if (name) imported.set(name.text, { from, type, whole: name.text });
      if (namedBindings && ts.isNamespaceImport(namedBindings)) {
        imported.set(namedBindings.name.text, { from, type, whole: `* as ${namedBindings.name.text}` });
      } else if (namedBindings) {
        for (const each of namedBindings.elements) imported.set(each.name.text, { from, type, part: each.getText() });
      }
      return;
    }
    if (node.name && ts.isIdentifier(node.name) && !ts.isPropertyAccessExpression(node)) declared.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { imported, declared };
}

/** The import lines for names, in the order of their file. */
function importLines(names, imported) {
  const lines = new Map();
  for (const [name, { from, type, whole, part }] of imported) {
    if (!names.has(name)) continue;
    const key = `${type}${from}`;
    const line = lines.get(key) ?? { from, type, wholes: [], parts: [] };
    if (whole) line.wholes.push(whole);
    else line.parts.push(part);
    lines.set(key, line);
  }
  return [...lines.values()]
    .map(({ from, type, wholes, parts }) => {
      const areTypes = type === '' && wholes.length === 0 && parts.every((part) => part.startsWith('type '));
      const named = areTypes ? parts.map((part) => part.slice('type '.length)) : parts;
      const what = [...wholes, ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : [])].join(', ');
      return `import ${areTypes ? 'type ' : type}${what} from '${from}';`;
    })
    .join('\n');
}

const texts = new Map();
for (const page of pages.values()) {
  for (const [, file, , name] of page.matchAll(MARKER))
    texts.set(`${file}#${name}${file.slice(-3)}`, region(file, name));
}
const free = freeNames(texts);
const style = await prettier.resolveConfig(join(root, 'README.md'));
const around = new Map();
const blocks = new Map();
const faults = [];
for (const [key, body] of texts) {
  const [file, name] = key.slice(0, -3).split('#');
  if (!around.has(file)) around.set(file, namesAround(file));
  const { imported, declared } = around.get(file);
  const names = free.get(key);
  const lost = [...names].filter((each) => declared.has(each) && !imported.has(each));
  if (lost.length > 0) faults.push(`${file}#${name} uses ${lost.join(', ')}, which a reader does not get`);
  const needed = importLines(names, imported);
  const imports = needed === '' ? '' : await prettier.format(needed, { ...style, parser: 'typescript' });
  const neighbours = [...`${imports}${body}`.matchAll(/ from '\.\/([^']+)\.js'/g)].map(([, path]) => path);
  if (/ from '\.\.\//.test(imports)) faults.push(`${file}#${name} imports from another folder`);
  blocks.set(`${file}#${name}`, {
    text: body.startsWith('import ') ? imports + body : `${imports}\n${body}`.trim(),
    neighbours,
  });
}

for (const [page, before] of pages) {
  const used = [...before.matchAll(MARKER)].map(([, file, , name]) => `${file}#${name}`);
  const neighbours = new Set(used.flatMap((key) => blocks.get(key).neighbours));
  const shown = new Set(used.map((key) => basename(key.split('#')[0], '.ts')));
  // Every application has an app.module.ts of its own.
  const missing = [...neighbours].filter((name) => name !== 'app.module' && !shown.has(name));
  if (missing.length > 0)
    faults.push(`${page}: shows code that imports ./${missing.join(', ./')}, which it does not show`);
  const filled = before.replace(MARKER, (_, file, language, name) => {
    const { text } = blocks.get(`${file}#${name}`);
    const title = neighbours.has(basename(file, '.ts')) ? `// ${basename(file)}\n` : '';
    return `<!-- snippet: ${file}#${name} -->\n\n\`\`\`${language}\n${title}${text}\n\`\`\`\n`;
  });
  const after =
    page === 'docs/services.md'
      ? await prettier.format(withServiceTables(filled, root), { ...style, parser: 'markdown' })
      : filled;
  if (pasted !== undefined) paste(page, used, neighbours);
  else if (process.argv.includes('--check')) {
    const loose =
      [...after.matchAll(/```[jt]s\n/g)].length - [...after.matchAll(/<!-- snippet: \S+ -->\n\n```[jt]s\n/g)].length;
    if (before !== after || loose > 0) faults.push(`${page}: code blocks differ from their files; run npm run readme.`);
  } else if (before !== after) writeFileSync(join(root, page), after);
}
/** Writes the TypeScript of a page. What another block imports has the name of its file. */
function paste(page, keys, neighbours) {
  const folder = join(pasted, page.replace(/\.md$/, '').replaceAll('/', '-'));
  mkdirSync(folder, { recursive: true });
  const all = neighbours.has('app.module') ? [...keys, 'test/readme/app.module.ts#quick-start'] : keys;
  for (const [index, key] of [...new Set(all)].entries()) {
    const [file, name] = key.split('#');
    if (!file.endsWith('.ts')) continue;
    const isImported = neighbours.has(basename(file, '.ts'));
    const { text } = blocks.get(key);
    writeFileSync(join(folder, isImported ? basename(file) : `${index}-${name}.ts`), `${text}\nexport {};\n`);
  }
}

if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}
