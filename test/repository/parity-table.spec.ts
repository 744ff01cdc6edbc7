import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/* Checks that each row of docs/parity.md has an existing test. */

const ROOT = join(__dirname, '../..');
const PAGE = join(ROOT, 'docs/parity.md');
const OUTCOME = /^(?:same|renamed|\[\d{4}\]\((decisions\/[\w-]+\.md)\))$/;
/** By the id of the row: file › title. */
const TESTS: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(ROOT, 'test/parity/rows.json'), 'utf8'));
// Matches `it('title', …` and `it.each(…)('title', …`, whose title is the template.
const TITLE = /(?:\b(?:it|test)|\)|>)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)\s*,/g;

interface Row {
  readonly id: string;
  readonly original: string;
  readonly outcome: string;
  readonly test: string;
}

const rows: readonly Row[] = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]{2}-\d+ /.test(line))
  .map((line) => {
    const [id = '', original = '', , outcome = ''] = line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim());
    return { id, original, outcome, test: TESTS[id] ?? '' };
  });

const titles = new Map<string, ReadonlySet<string>>();
function titlesOf(file: string): ReadonlySet<string> {
  let known = titles.get(file);
  if (!known) {
    const found = [...readFileSync(file, 'utf8').matchAll(TITLE)].map(([, single, double, template]) =>
      (single ?? double ?? template ?? '').replace(/\\(.)/g, '$1'),
    );
    titles.set(file, (known = new Set(found)));
  }
  return known;
}

/** Returns the error of a row, or undefined. */
function faultOf({ id, original, outcome, test }: Row): string | undefined {
  const [, file = '', title = ''] = /^(\S+) › (.+)$/.exec(test) ?? [];
  const decision = OUTCOME.exec(outcome);
  if (original === '') return `${id} names nothing`;
  if (!decision) return `${id} does not say what became of it: ${outcome}`;
  if (decision[1] !== undefined && !existsSync(join(ROOT, 'docs', decision[1]))) return `${id} links to no decision`;
  if (file === '') return `${id} has no test: ${test}`;
  const path = join(ROOT, /^(?:libs|src|test)\//.test(file) ? '' : 'libs/core/src', file);
  if (!existsSync(path)) return `${id} names a file that is not there: ${file}`;
  return titlesOf(path).has(title) ? undefined : `${id} names a test that is not there: ${file} › ${title}`;
}

describe('the table of parity', () => {
  it('counts the rows of each system from 1, and leaves none out', () => {
    const numbers = new Map<string, number[]>();
    for (const { id } of rows) {
      const [prefix = '', number] = id.split('-');
      numbers.set(prefix, [...(numbers.get(prefix) ?? []), Number(number)]);
    }
    expect([...numbers.keys()]).toEqual(['PF', 'AC', 'PR', 'MA']);
    for (const found of numbers.values()) expect(found).toEqual(found.map((_, index) => index + 1));
    expect(rows.length).toBeGreaterThan(300);
    expect(Object.keys(TESTS)).toEqual(rows.map(({ id }) => id));
  });

  it('says of each row what became of it, and has a test that shows it', () => {
    expect(rows.flatMap((row) => faultOf(row) ?? [])).toEqual([]);
  });

  it('would notice', () => {
    const good = {
      id: 'XX-1',
      original: 'a',
      outcome: 'same',
      test: 'test/repository/parity-table.spec.ts › would notice',
    };
    expect(faultOf(good)).toBeUndefined();
    for (const wrong of [
      { original: '' },
      { outcome: '' },
      { outcome: '[0001](decisions/0001-nothing.md)' },
      { outcome: 'PENDING' },
      { test: '' },
      { test: 'PENDING' },
      { test: 'test/nothing.spec.ts › would notice' },
      { test: 'test/repository/parity-table.spec.ts › would' },
    ]) {
      expect(faultOf({ ...good, ...wrong })).toMatch(/^XX-1 /);
    }
  });
});
