import { compile } from './application.mjs';

// NestJS 12 has no CommonJS form. Under node16, TypeScript rejects CommonJS typings that import an ES module: it does
// not know that newer Node.js versions can require ES modules.
const REFUSED_UNDER_NODE16 = ['TS1479', 'TS1541'];

/** Throws unless the files compile under every resolution except node16, which must fail for the known reason only. */
export async function checkResolutions(folder, files) {
  await compile(folder, files, 'nodenext');
  await compile(folder, files, 'bundler');
  const failure = await compile(folder, files, 'node16').then(
    () => undefined,
    ({ message }) => message,
  );
  if (failure === undefined) throw new Error('module: node16 compiles now: require it here and say so in the docs.');
  const codes = new Set(failure.match(/\bTS\d+(?=:)/g));
  const unknown = [...codes].filter((code) => !REFUSED_UNDER_NODE16.includes(code));
  if (codes.size === 0 || unknown.length > 0) throw new Error(`module: node16 fails for another reason:\n${failure}`);
}
