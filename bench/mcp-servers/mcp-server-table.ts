/**
 * A published MCP server, how to run it without a network, and how to test it. `{work}` stands for a temporary folder.
 */
export interface PublishedServer {
  readonly package: string;
  readonly version: string;
  /** The command to run, if the package has several. */
  readonly bin?: string;
  readonly args?: readonly string[];
  /** Added to a minimal environment; the credentials are not real. */
  readonly env?: Readonly<Record<string, string>>;
  /** A search by a user who needs one of its tools. */
  readonly search: string;
  /** A call that needs no network and leaves no lasting change. */
  readonly call?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
}

/** Files of a server's working folder, which is also a git repository with one commit. */
export const WORK_FILES: Readonly<Record<string, string>> = {
  'notes.txt': 'Nothing to see here.\n',
  'sum.js': 'export const sum = (a, b) => a + b;\n',
  'eslint.config.mjs': "export default [{ rules: { 'no-unused-vars': 'error' } }];\n",
  'plan.drawio':
    '<mxfile><diagram name="Plan" id="1"><mxGraphModel><root><mxCell id="0"/></root></mxGraphModel></diagram></mxfile>\n',
  kubeconfig: [
    'apiVersion: v1',
    'kind: Config',
    'clusters: [{ name: none, cluster: { server: "https://127.0.0.1:1" } }]',
    'users: [{ name: nobody, user: { token: dummy } }]',
    'contexts: [{ name: none, context: { cluster: none, user: nobody } }]',
    'current-context: none\n',
  ].join('\n'),
};

/** Servers that list their tools without a network. All are installed on demand; none is a dependency. */
export const PUBLISHED_SERVERS: readonly PublishedServer[] = [
  {
    package: '@modelcontextprotocol/server-everything',
    version: '2026.8.31',
    args: ['stdio'],
    search: 'echo a message back',
    call: { tool: 'echo', args: { message: 'hello' } },
  },
  {
    package: '@modelcontextprotocol/server-filesystem',
    version: '2026.8.31',
    args: ['{work}'],
    search: 'list the files of a directory',
    call: { tool: 'list_directory', args: { path: '{work}' } },
  },
  {
    package: '@modelcontextprotocol/server-memory',
    version: '2026.8.31',
    env: { MEMORY_FILE_PATH: '{work}/memory.jsonl' },
    search: 'read the knowledge graph',
    call: { tool: 'read_graph', args: {} },
  },
  {
    package: '@modelcontextprotocol/server-sequential-thinking',
    version: '2026.8.31',
    search: 'think step by step about a problem',
    call: {
      tool: 'sequentialthinking',
      args: { thought: 'One step is enough.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    },
  },
  {
    package: '@cyanheads/git-mcp-server',
    version: '2.15.3',
    env: { MCP_TRANSPORT_TYPE: 'stdio', MCP_LOG_LEVEL: 'error' },
    search: 'which files of the repository have changed',
    call: { tool: 'git_status', args: { path: '{work}' } },
  },
  {
    package: '@eslint/mcp',
    version: '0.3.13',
    search: 'lint files',
    call: { tool: 'lint-files', args: { filePaths: ['{work}/sum.js'] } },
  },
  {
    package: '@drawio/mcp',
    version: '1.6.1',
    search: 'list the pages of a diagram',
    call: { tool: 'list_pages', args: { path: '{work}/plan.drawio' } },
  },
  {
    package: 'kubernetes-mcp-server',
    version: '0.0.67',
    args: ['--kubeconfig', '{work}/kubeconfig'],
    search: 'list the pods of a namespace',
    call: { tool: 'configuration_view', args: { minified: true } },
  },
  {
    package: '@angular/cli',
    version: '21.2.28',
    bin: 'ng',
    args: ['mcp'],
    env: { NG_CLI_ANALYTICS: 'false' },
    search: 'best practices of Angular',
    call: { tool: 'get_best_practices', args: {} },
  },
  {
    package: '@playwright/mcp',
    version: '0.0.83',
    args: ['--headless'],
    search: 'click on a button of a web page',
  },
  {
    package: 'next-devtools-mcp',
    version: '0.4.0',
    env: { NEXT_TELEMETRY_DISABLED: '1' },
    search: 'documentation of Next.js',
    call: { tool: 'nextjs_index', args: {} },
  },
  {
    package: '@wonderwhy-er/desktop-commander',
    version: '0.2.52',
    args: ['--no-onboarding'],
    search: 'read a file from disk',
    call: { tool: 'list_searches', args: {} },
  },
  { package: 'chrome-devtools-mcp', version: '1.11.0', args: ['--headless'], search: 'take a screenshot of the page' },
  { package: '@upstash/context7-mcp', version: '4.1.1', search: 'documentation of a library' },
  {
    package: '@modelcontextprotocol/server-github',
    version: '2025.4.8',
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'dummy' },
    search: 'open a pull request',
  },
  {
    package: '@modelcontextprotocol/server-slack',
    version: '2025.4.25',
    env: { SLACK_BOT_TOKEN: 'xoxb-dummy', SLACK_TEAM_ID: 'T0' },
    search: 'post a message to a channel',
  },
  {
    package: '@modelcontextprotocol/server-brave-search',
    version: '0.6.2',
    env: { BRAVE_API_KEY: 'dummy' },
    search: 'search the web',
  },
  {
    package: '@masonator/coolify-mcp',
    version: '3.5.0',
    env: { COOLIFY_ACCESS_TOKEN: 'dummy', COOLIFY_BASE_URL: 'http://127.0.0.1:1' },
    search: 'restart a database',
  },
  {
    package: '@notionhq/notion-mcp-server',
    version: '2.5.2',
    env: { NOTION_TOKEN: 'ntn_dummy' },
    search: 'search pages',
  },
  { package: '@antv/mcp-server-chart', version: '0.9.10', search: 'draw a pie chart' },
];
