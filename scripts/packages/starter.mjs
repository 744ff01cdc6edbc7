import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, runAsync, writeJson } from '../pack-libraries.mjs';

const TEMPLATES = join(root, 'node_modules/@nestjs/schematics/dist/lib/application/files');
const SCHEMATICS = join(root, 'node_modules/@angular-devkit/schematics-cli/bin/schematics.js');

/**
 * Runs the `nest-add` schematic of the installed package in an application as made by `nest new`, compiles it, and uses
 * the example tool over HTTP.
 *
 * @param form `ts` for CommonJS, `ts-esm` for ES modules
 */
export async function tryStarter(app, form) {
  const home = join(app, `starter-${form}`);
  for (const path of readdirSync(join(TEMPLATES, form), { recursive: true })) {
    const from = join(TEMPLATES, form, path);
    if (!/^(src\/(?!.*__)|package\.json|tsconfig\.json)/.test(path) || statSync(from).isDirectory()) continue;
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), filled(readFileSync(from, 'utf8')));
  }
  // The dependencies that the schematic would install are already installed in a parent folder.
  const manifest = readJson(join(home, 'package.json'));
  for (const name of ['@tool-search/typeorm', '@nestjs/typeorm', 'typeorm', 'zod']) manifest.dependencies[name] = '*';
  writeJson(join(home, 'package.json'), manifest);
  await runAsync(process.execPath, [SCHEMATICS, '@tool-search/core:nest-add', '--source-root=src'], home);
  const config = readJson(join(home, 'tsconfig.json'));
  Object.assign(config.compilerOptions, { types: ['node'], incremental: false, rootDir: 'src' });
  writeJson(join(home, 'tsconfig.json'), { ...config, include: ['src'] });
  await runAsync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], home);
  const said = await runAsync(process.execPath, ['--input-type=module', '-e', TRY], home);
  if (said.trim() !== 'greeting.greet: Hello Ada, greetings from demo!') throw new Error(`${form} said: ${said}`);
}

const filled = (template) => template.replace(/<% if[\s\S]*?<% } %>/g, '').replace(/<%= strict %>/g, 'true');
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

const TRY = `
import { NestFactory } from '@nestjs/core';
import { AppModule } from './dist/app.module.js';
const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
await app.listen(0, '127.0.0.1');
const post = async (path, body) => (await fetch((await app.getUrl()) + '/tools/' + path, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json();
const { tools: [{ name }] } = await post('search', { query: 'hello' });
const { content: [{ text }] } = await post('call', { name, arguments: { name: 'Ada' } });
console.log(name + ': ' + text);
await app.close();
`;
