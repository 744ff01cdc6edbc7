import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../examples');
const text = (path: string) => readFileSync(join(FOLDER, path), 'utf8');
const folders = readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, 'README.md')));
/** Starts processes: `several-instances.processes.spec.ts`. */
const OF_PROCESSES = 'several-instances';
const played = folders.filter((name) => name !== OF_PROCESSES && existsSync(join(FOLDER, name, 'main.ts')));

describe('the examples', () => {
  it.each(played)('%s says what its README promises', async (name) => {
    const { main } = (await import(
      `../../examples/${name}/main.js`
    )) as typeof import('../../examples/minimal/main.js');
    const said: string[] = [];
    await main((line) => said.push(line));
    expect(said.join('\n')).toBe(/```text\n([\s\S]*?)\n```/.exec(text(`${name}/README.md`))?.[1]);
  });

  it('stand in the index, each with the command that plays it', () => {
    const listed = [...text('README.md').matchAll(/^\| \[([\w-]+)\]\(\1\) /gm)].map(([, name]) => name!);
    expect(listed.toSorted()).toEqual(folders.toSorted());
    for (const name of played) expect(text(`${name}/README.md`)).toContain(`npm run example -- ${name}\n`);
  });
});
