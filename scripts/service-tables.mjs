// The tables of docs/services.md: members of services with the first words of their docblocks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const CORE = 'libs/core/src';
/** For each service its file, and the members that applications use: the others connect the parts of the library. */
const SERVICES = {
  ToolSearchService: [
    'nest/module/tool-search.service',
    'open',
    'forExecution',
    'openForExecution',
    'preview',
    'preflight',
    'clearSearchCache',
  ],
  Toolbox: [
    'toolbox/toolbox',
    'surface',
    'search',
    'get',
    'call',
    'activate',
    'visible',
    'list',
    'context',
    'narrow',
    'with',
    'admit',
    'admitAny',
    'hold',
    'explain',
    'preflight',
    'state',
    'clearState',
    'compact',
    'pause',
    'resume',
  ],
  ToolCatalog: [
    'catalog/tool-catalog',
    'current',
    'tools',
    'definitions',
    'sources',
    'source',
    'add',
    'remove',
    'refresh',
    'changes',
  ],
  TenantSources: ['toolbox/tenants/tenant-sources', 'refresh', 'forget'],
  ToolEvents: ['tool/tool-event', 'on'],
  ToolPolicies: ['access/policies/tool-policies', 'setTenant'],
  StoredPolicies: ['access/policies/stored-policies', 'list', 'find', 'set', 'remove'],
  KillSwitches: ['access/kill-switches/kill-switches', 'list', 'engage', 'release', 'isLive'],
  ToolApprovals: ['access/approvals/tool-approvals', 'list', 'approve', 'refuse', 'argumentsOf'],
  ToolQuarantine: ['access/quarantine/tool-quarantine', 'list', 'reported', 'get', 'changes', 'decide', 'approveAll'],
  ToolActivations: ['activation/tool-activations', 'browse', 'stats', 'scopeOf', 'list', 'revoke', 'revokeAll'],
  AuditTrail: ['access/control/audit-trail', 'list', 'entries', 'verify', 'note'],
  ControlPlane: ['access/control/control-plane', 'health', 'instances', 'propagation', 'refresh', 'onChange'],
  TokenLedger: ['exposure/ledger/token-ledger', 'totals', 'hours', 'sessions', 'ofSession'],
  SearchGaps: ['toolbox/search-gaps/search-gaps', 'totals', 'queries', 'reset'],
  ToolCallRecords: ['toolbox/record/tool-call-records', 'list', 'entries', 'sums', 'costs', 'erase'],
  PastDecisions: ['toolbox/record/past-decisions', 'explain'],
  DryRun: ['toolbox/dry-run/dry-run', 'killSwitch', 'policy', 'limit'],
  ToolLimits: ['access/limits/tool-limits', 'list', 'find', 'set', 'remove'],
  ToolProfiles: ['toolbox/profiles/tool-profiles', 'list', 'find', 'set', 'remove'],
  ToolDeprecations: ['access/deprecations/tool-deprecations', 'list', 'find', 'set', 'remove'],
  CachedResults: ['toolbox/results/cache/cached-results', 'invalidate'],
  SourceQueue: ['toolbox/call/source-queue', 'status'],
  ExampleQueries: [
    'toolbox/example-queries/example-queries',
    'status',
    'spend',
    'list',
    'get',
    'set',
    'add',
    'remove',
    'rewrite',
  ],
  UserCredentials: ['access/user-credentials/user-credentials', 'list', 'revoke'],
};

/** What an application can import and inject, by the names that the doors of core export. */
function injectable(root) {
  const read = (path) => readFileSync(join(root, CORE, path), 'utf8');
  const exported = `${read('index.ts')}${read('operators.ts')}`;
  const parts = [...read('nest/module/runtime.providers.ts').matchAll(/^ {2}\[(\w+), \(\{/gm)].map(([, name]) => name);
  return [...parts, 'ToolSearchService', 'Toolbox', 'ToolEvents'].filter((name) =>
    new RegExp(`^export \\{[^}]*\\b${name}\\b`, 'm').test(exported),
  );
}

/** @returns the page with its tables filled in. Throws if a service or member of the page does not exist, or a service is missing */
export function withServiceTables(page, root) {
  const shown = [...page.matchAll(/<!-- service: (\w+) -->/g)].map(([, name]) => name);
  const missing = injectable(root).filter((name) => !shown.includes(name));
  if (missing.length > 0) throw new Error(`docs/services.md does not show ${missing.join(', ')}`);
  return page.replace(/<!-- service: (\w+) -->\n(?:\n\|[^\n]*)*\n?(?:\|[^\n]*\n)*/g, (_, name) => {
    if (!SERVICES[name]) throw new Error(`docs/services.md shows ${name}, which is no service`);
    return `<!-- service: ${name} -->\n\n${tableOf(name, root)}\n`;
  });
}

function tableOf(name, root) {
  const [path, ...members] = SERVICES[name];
  const file = join(root, CORE, `${path}.ts`);
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const service = source.statements.find((each) => ts.isClassDeclaration(each) && each.name.text === name);
  const rows = members.map((member) => {
    const found = service?.members.find((each) => each.name?.getText() === member);
    if (!found) throw new Error(`${path}.ts has no ${name}.${member}`);
    return `| \`${member}(${parametersOf(found)})\` | ${wordsOf(found, `${name}.${member}`)} |`;
  });
  return ['| method | does |', '| - | - |', ...rows].join('\n');
}

/** Names of parameters; what is destructured in the code is called by its type. */
const parametersOf = (method) =>
  method.parameters
    .map(({ name, type, questionToken, initializer, dotDotDotToken }) => {
      const called = ts.isIdentifier(name)
        ? name.text
        : lowerFirst(/\w+$/.exec(type?.getText() ?? '')?.[0] ?? 'options');
      return `${dotDotDotToken ? '...' : ''}${called}${questionToken || initializer ? '?' : ''}`;
    })
    .join(', ');

const lowerFirst = (text) => text[0].toLowerCase() + text.slice(1);

function wordsOf(member, name) {
  const comment = ts.getJSDocCommentsAndTags(member).find(ts.isJSDoc)?.comment;
  const words = ts
    .getTextOfJSDocComment(comment)
    ?.split('\n\n')[0]
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim();
  if (!words) throw new Error(`${name} has no docblock`);
  return words;
}
