// Writes llms.txt (https://llmstxt.org): the title and first sentence of each page of the documentation.
// `--check` writes nothing and fails if llms.txt is out of date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (path) => readFileSync(join(root, path), 'utf8');
const folders = (path) =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(node_modules|dist)$/.test(entry.name))
    .map(({ name }) => `${path}/${name}/README.md`);
const pages = (path) =>
  readdirSync(join(root, path))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${path}/${name}`);

/** Title and first paragraph of a page, as one line. */
function summary(path) {
  const [, title, rest] = /^# (.+)\n([\s\S]*)$/.exec(read(path).replace(/<!--[\s\S]*?-->/g, '')) ?? [];
  if (title === undefined) throw new Error(`${path} does not begin with a title.`);
  const parts = rest.split(/\n\s*\n/).map((part) => part.trim());
  const first =
    parts.find((part) => part.startsWith('**Decision.**')) ?? parts.find((part) => /^[A-Za-z`*[]/.test(part));
  const words = (first ?? '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\*\*(Decision\.\*\* )?/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const sentence = /^.+?\.(?= |$)/.exec(words)?.[0] ?? words;
  return { title, line: `- [${title}](${path}): ${sentence}` };
}

const readme = read('README.md');
const [, name, about] = /^# (.+)\n\n([\s\S]+?)\n\n/.exec(readme);
const section = (title, paths) => `## ${title}\n\n${paths.map((path) => summary(path).line).join('\n')}\n`;
const text = `# ${name}

> ${about.replace(/\n/g, ' ')}

${[
  section('Start', ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']),
  section('Packages', folders('libs')),
  section('Guides', pages('docs/guides')),
  section(
    'Reference',
    pages('docs').filter((path) => !/(index|parity)\.md$/.test(path)),
  ),
  section('Examples', folders('examples')),
  section('Optional', ['docs/parity.md', ...pages('docs/decisions'), 'CHANGELOG.md', 'SECURITY.md']),
].join('\n')}`;

if (!process.argv.includes('--check')) writeFileSync(join(root, 'llms.txt'), text);
else if (read('llms.txt') !== text) {
  console.error('llms.txt differs from the docs; run npm run llms.');
  process.exitCode = 1;
}
