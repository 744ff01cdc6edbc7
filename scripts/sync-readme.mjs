// Fills the code blocks of the READMEs (root and libraries) and of the pages in docs from regions of compiled, tested files.
// `--check` writes nothing and fails if a code block differs from its region.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readmes = [
  'README.md',
  ...readdirSync(join(root, 'libs')).map((lib) => `libs/${lib}/README.md`),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('.vitepress'))
    .map((name) => `docs/${name}`),
];

const region = (file, name) => {
  const text = readFileSync(join(root, file), 'utf8');
  const found = new RegExp(`// #region ${name}\\n([\\s\\S]*?)\\n *// #endregion ${name}`).exec(text)?.[1];
  if (found === undefined) throw new Error(`${file} has no region ${name}`);
  const lines = found.split('\n').filter((line) => !/^ *\/\/ #(end)?region /.test(line)); // of nested regions
  const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => /^ */.exec(line)[0].length));
  return lines
    .map((line) => line.slice(indent))
    .join('\n')
    .trim();
};

const filled = (readme) =>
  readme.replace(
    /<!-- snippet: (\S+\.m?([jt]s))#([\w-]+) -->\n(?:\n```[jt]s\n[\s\S]*?\n```\n)?/g,
    (_, file, language, name) =>
      `<!-- snippet: ${file}#${name} -->\n\n\`\`\`${language}\n${region(file, name)}\n\`\`\`\n`,
  );

for (const name of readmes) {
  const path = join(root, name);
  const before = readFileSync(path, 'utf8');
  const after = filled(before);
  if (process.argv.includes('--check')) {
    const loose =
      [...after.matchAll(/```[jt]s\n/g)].length - [...after.matchAll(/<!-- snippet: \S+ -->\n\n```[jt]s\n/g)].length;
    if (before !== after || loose > 0) {
      console.error(`${name}: code blocks differ from their files; run npm run readme.`);
      process.exitCode = 1;
    }
  } else if (before !== after) writeFileSync(path, after);
}
