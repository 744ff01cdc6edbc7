// Packs all libraries as they are published, and prints the line that installs them in an application:
// `npm run pack:libs`, or `npm run pack:libs -- FOLDER`. Without a folder they go to packs/.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packLibraries, root } from './pack-libraries.mjs';

const folder = resolve(process.argv[2] ?? join(root, 'packs'));
mkdirSync(folder, { recursive: true });
console.log('All packages are built and packed, which takes one to three minutes.');
const packages = await packLibraries(folder);
rmSync(join(folder, 'workspace'), { recursive: true, force: true });

const { '@tool-search/core': core, '@tool-search/typeorm': typeorm, '@tool-search/sqlite-node20': sqlite } = packages;
const newest = '@nestjs/typeorm typeorm';
console.log(`${Object.keys(packages).length} packages are in ${folder}. In your application:

  npm install ${core.path} ${typeorm.path} ${newest} zod

On NestJS 11 with @nestjs/typeorm@11 typeorm@0.3 in place of ${newest}. Name further packages in the same command.
On Node 20 first: npm install --save-optional ${sqlite.path}`);
