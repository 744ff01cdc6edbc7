import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultOf, eachOption, list, object, text } from '@tool-search/core/internal';
import { tuningOptions } from '../../libs/core/src/runtime/tuning.js';
import { DOCUMENTED_OPTIONS, optionNames } from './documented-options.js';

const DOCS = join(__dirname, '../../docs');
const textOf = (name: string) => readFileSync(join(DOCS, name), 'utf8');
const pages = (readdirSync(DOCS, { recursive: true }) as string[]).filter((name) => name.endsWith('.md')).map(textOf);
/** Options stand on the page of what they belong to, under a title that is unique. */
const sectionOf = (title: string) => {
  const sections = pages.flatMap((page) => page.split(`\n## ${title}\n`).slice(1));
  expect(sections).toHaveLength(1);
  return sections[0]!.split('\n## ')[0]!;
};

describe('the pages of options', () => {
  it.each(DOCUMENTED_OPTIONS)('names each option of %s', (title, schema) => {
    const section = sectionOf(title);
    const all = eachOption(schema).map(({ path }) => path);
    // The members of limits, groups and details are described in sections of their own.
    const own = all.filter(
      (path) =>
        !path.includes(0) &&
        // Tuning has a page of its own.
        path[0] !== 'tuning' &&
        !/^(limits|details|search\.learning|search\.embedder|search\.exampleQueries\.writer|redaction\.redactor)\./.test(
          path.join('.'),
        ),
    );
    const leaves = own.filter((path) => !own.some((other) => other.length > path.length && isWithin(other, path)));
    const missing = leaves.filter((path) => {
      const name = path.join('.');
      return ![`\`${name}`, `\`.${String(path.at(-1))}`, `, ${String(path.at(-1))}`].some((text) =>
        section.includes(text),
      );
    });
    expect(missing.map((path) => path.join('.'))).toEqual([]);
  });

  it.each(DOCUMENTED_OPTIONS)('gives the defaults of %s that are texts', (title, schema) => {
    const section = sectionOf(title);
    const texts = eachOption(schema)
      .map(({ schema: option }) => defaultOf(option))
      .filter((fallback): fallback is string => typeof fallback === 'string' && fallback !== '');
    expect(texts.filter((fallback) => !section.includes(`\`${fallback}\``))).toEqual([]);
  });
});

describe('docs/tuning.md', () => {
  const rows = new Map(
    textOf('tuning.md')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, name]) => name?.startsWith('`tuning.'))
      .map(([, name, fallback]) => [name!.slice('`tuning.'.length, -1), fallback]),
  );
  const all = eachOption(tuningOptions);
  const leaves = all.filter(
    ({ path }) => !all.some(({ path: other }) => other.length > path.length && isWithin(other, path)),
  );

  it('names each option of tuning, and no other', () => {
    expect([...rows.keys()].toSorted()).toEqual(leaves.map(({ path }) => path.join('.')).toSorted());
  });

  it('gives their defaults', () => {
    const numbers = leaves.filter(({ schema }) => defaultOf(schema) !== undefined);
    const given = numbers.map(({ path }) => [path.join('.'), rows.get(path.join('.'))]);
    expect(given).toEqual(
      numbers.map(({ path, schema }) => [path.join('.'), Number(defaultOf(schema)).toLocaleString('en-US')]),
    );
  });
});

describe('the names of options that are counted', () => {
  it('are paths, and name a member of the items of a list once', () => {
    const schema = object({ rules: list(object({ id: text() })), budget: object({ tokens: text() }) });
    expect(optionNames(schema)).toEqual(['budget', 'budget.tokens', 'rules', 'rules.id']);
  });
});

function isWithin(path: readonly unknown[], other: readonly unknown[]): boolean {
  return other.every((key, index) => path[index] === key);
}
