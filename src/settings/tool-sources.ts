import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ToolSource } from '@tool-search/core';
import { McpSource } from '@tool-search/mcp';
import { OpenApiSource } from '@tool-search/openapi';
import { withPhrases } from '@tool-search/phrases';
import { GITHUB_DOCUMENT } from '../github/github-document.js';
import { demoTenants } from '../auth/demo-tokens.js';
import { dataFile } from './data-file.js';
import type { Environment } from './environment.js';
import { writeWelcomeFiles } from './welcome-files.js';

/**
 * The reference server's sources in addition to its `@Tool()` methods: GitHub's REST API, with requests in everyday words,
 * and three MCP servers over stdio. Files and knowledge belong to a tenant, so each tenant gets its own servers for them.
 */
export function toolSources(env: Environment): ToolSource[] {
  return [
    new McpSource({ name: 'everything', ...npmServer('@modelcontextprotocol/server-everything', 'stdio') }),
    ...demoTenants(env.DEMO_TOKENS).flatMap((tenant) => [filesOf(tenant, env), memoryOf(tenant, env)]),
    withPhrases(
      new OpenApiSource({
        name: 'github',
        document: GITHUB_DOCUMENT,
        ...(env.GITHUB_TOKEN !== undefined && { headers: { authorization: `Bearer ${env.GITHUB_TOKEN}` } }),
      }),
      'github-rest',
    ),
  ];
}

function filesOf(owner: string, env: Environment): ToolSource {
  const folder = dataFile(env, 'files', owner, '.');
  writeWelcomeFiles(folder);
  const root = realpathSync(folder);
  const name = '@modelcontextprotocol/server-filesystem';
  const source = new McpSource({
    name: 'files',
    owner,
    ...npmServer(name, root),
    cwd: root,
    tags: ['files'],
    sideEffects: {
      'read_*': 'read',
      'list_*': 'read',
      'search_*': 'read',
      'get_*': 'read',
      directory_tree: 'read',
      '*': 'write',
    },
  });
  return withPhrases(source, name);
}

function memoryOf(owner: string, env: Environment): ToolSource {
  const name = '@modelcontextprotocol/server-memory';
  const source = new McpSource({
    name: 'memory',
    owner,
    ...npmServer(name),
    env: { MEMORY_FILE_PATH: resolve(dataFile(env, 'memory', `${owner}.jsonl`)) },
    tags: ['knowledge'],
    sideEffects: { 'read_*': 'read', 'search_*': 'read', 'open_*': 'read', '*': 'write' },
  });
  return withPhrases(source, name);
}

function npmServer(name: string, ...args: readonly string[]): { command: string; args: readonly string[] } {
  const folder = packageFolder(name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  return { command: process.execPath, args: [join(folder, Object.values(bin)[0] ?? ''), ...args] };
}

// Found through package.json, because `exports` may hide all other files of a package.
function packageFolder(name: string): string {
  return dirname(require.resolve(`${name}/package.json`));
}
