import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ToolSource } from '@tool-search/core';
import { McpSource } from '@tool-search/mcp';
import { OpenApiSource } from '@tool-search/openapi';
import type { Environment } from './environment.js';
import { dataFile } from './settings.js';
import { writeWelcomeFiles } from './welcome-files.js';

/**
 * The reference server's sources besides its own `@Tool()` methods: three MCP servers over stdio and GitHub's REST API.
 * Those that no rule of ours names are `external`; reading files and the graph is known to be harmless.
 */
export function toolSources(env: Environment): ToolSource[] {
  const files = resolve(dataFile(env, 'files', '.'));
  writeWelcomeFiles(files);
  return [
    new McpSource({
      name: 'everything',
      ...npmServer('@modelcontextprotocol/server-everything', 'stdio'),
    }),
    new McpSource({
      name: 'files',
      ...npmServer('@modelcontextprotocol/server-filesystem', files),
      cwd: files,
      tags: ['files'],
      sideEffects: {
        'read_*': 'read',
        'list_*': 'read',
        'search_*': 'read',
        'get_*': 'read',
        directory_tree: 'read',
        '*': 'write',
      },
    }),
    new McpSource({
      name: 'memory',
      ...npmServer('@modelcontextprotocol/server-memory'),
      env: { MEMORY_FILE_PATH: resolve(dataFile(env, 'memory.jsonl')) },
      tags: ['knowledge'],
      sideEffects: { 'read_*': 'read', 'search_*': 'read', 'open_*': 'read', '*': 'write' },
    }),
    new OpenApiSource({
      name: 'github',
      document: join(packageFolder('@octokit/openapi'), 'generated', 'api.github.com.json'),
      ...(env.GITHUB_TOKEN !== undefined && { headers: { authorization: `Bearer ${env.GITHUB_TOKEN}` } }),
    }),
  ];
}

function npmServer(name: string, ...args: readonly string[]): { command: string; args: readonly string[] } {
  const folder = packageFolder(name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  return { command: process.execPath, args: [join(folder, Object.values(bin)[0] ?? ''), ...args] };
}

// By its manifest, because a package may hide everything else behind its exports.
function packageFolder(name: string): string {
  return dirname(require.resolve(`${name}/package.json`));
}
