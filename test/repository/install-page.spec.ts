import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/* Checks that the page says for each package of Nest which version is for NestJS 11. */

const PAGE = readFileSync(join(__dirname, '../../docs/guides/install.md'), 'utf8');
const ON_11: Record<string, string> = { typeorm: '0.3' };

const rows = PAGE.split('\n## ')
  .find((part) => part.startsWith('Packages by feature'))!
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()));

describe('the packages of a feature', () => {
  it('stand in a table of three columns', () => {
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) expect(row).toHaveLength(5);
  });

  it.each(rows)(
    '%s%s: the versions for NestJS 11 are named where the newest are for NestJS 12',
    (_, _feature, cell = '', on11) => {
      const install = /^`([^`]+)`/.exec(cell)![1]!.split(' ');
      const isBound = install.some((name) => name.startsWith('@nestjs/'));
      const versioned = install.map((name) => {
        const version = name.startsWith('@nestjs/') ? '11' : ON_11[name];
        return version === undefined ? name : `${name}@${version}`;
      });
      expect(on11).toBe(isBound ? `\`${versioned.join(' ')}\`` : '');
    },
  );
});
