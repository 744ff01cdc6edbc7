import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { type ToolContext, ToolSearchService } from '@tool-search/core';
import { withDemoApplication } from '../src/demo/demo-application.js';
import { DEMO_USERS } from '../src/demo/demo-users.js';
import { MIX, MIX_TASK, SMALL_MIX, SMALL_MIX_TASK } from './datasets/mixed-catalog.js';
import { aiSdkSearchAccess } from './tokens/ai-sdk-search-access.js';
import { gatewayAccess } from './tokens/gateway-access.js';
import { MIXED_USER, mixedApp } from './tokens/mixed-app.js';
import { modeAccess } from './tokens/mode-access.js';
import { programCost } from './tokens/program-cost.js';
import { REFERENCE_TASK } from './tokens/reference-task.js';
import { toolChangesAccess } from './tokens/tool-changes-access.js';
import { costOf, definitionTokens, type TaskCost, type TaskStep } from './tokens/token-task.js';
import { main } from './command/command.js';
import { flag, text } from './command/options.js';

const MODES = ['all', 'deferred', 'bridge', 'native', 'auto'] as const;

/** Cost of one mode in tokens. */
interface ModeCost extends TaskCost {
  /**
   * `native-changes`: `native` with Anthropic's changes of tools inside the conversation. `program`: `deferred`, all calls in
   * one program. `gateway`: what the model of an MCP client reads. `ai-sdk`: not ours, but the AI SDK's own `toolSearch()`;
   * only with `--compare`.
   */
  readonly mode: (typeof MODES)[number] | 'native-changes' | 'program' | 'gateway' | 'ai-sdk';
}

/** Token cost of showing a catalog, by mode. */
interface CatalogCost {
  readonly name: string;
  /** Tools visible to the tenant. */
  readonly tools: number;
  /** Tokens of all their definitions. */
  readonly tokensAll: number;
  readonly modes: readonly ModeCost[];
}

/** A catalog with a task and a user who does it. */
interface Measured {
  readonly name: string;
  readonly app: INestApplication;
  readonly user: ToolContext;
  /** Bearer token of the user. */
  readonly token?: string;
  readonly task: readonly TaskStep[];
}

async function catalogCost({ name, app, user, token, task }: Measured, compare: boolean): Promise<CatalogCost> {
  const service = app.get(ToolSearchService);
  const tools = await service.open(user).visible();
  const modes: ModeCost[] = [];
  for (const mode of [...MODES, 'native-changes'] as const) {
    const id = `tokens-${mode}`;
    const toolbox = service.open({ ...user, sessionId: id, runId: id });
    const access = mode === 'native-changes' ? toolChangesAccess(toolbox) : modeAccess(mode, toolbox);
    modes.push({ mode, ...(await costOf(access, task)) });
  }
  const programs = service.open({ ...user, sessionId: 'tokens-program', runId: 'tokens-program' });
  modes.push({ mode: 'program', ...(await programCost(programs, task)) });
  await app.listen(0, '127.0.0.1');
  const gateway = await gatewayAccess(`${await app.getUrl()}/mcp`, token);
  modes.push({ mode: 'gateway', ...(await costOf(gateway, task)) });
  await gateway.close();
  if (compare) modes.push({ mode: 'ai-sdk', ...(await costOf(await aiSdkSearchAccess(service.open(user)), task)) });
  const tokensAll = tools.reduce((sum, tool) => sum + definitionTokens(tool), 0);
  return { name, tools: tools.length, tokensAll, modes };
}

function referenceCatalog(compare: boolean): Promise<CatalogCost> {
  const user = { tenantId: 'acme', ...DEMO_USERS.acme };
  return withDemoApplication((app) =>
    catalogCost({ name: 'reference', app, user, token: 'demo-acme-token', task: REFERENCE_TASK }, compare),
  );
}

async function mixedCatalog(
  folder: string,
  compare: boolean,
  { name, servers, task }: { name: string; servers: readonly string[]; task: readonly TaskStep[] },
): Promise<CatalogCost> {
  const app = await mixedApp(folder, servers);
  try {
    await app.init();
    return await catalogCost({ name, app, user: MIXED_USER, task }, compare);
  } finally {
    await app.close();
  }
}

main({
  purpose: 'Tokens that each mode of exposure adds to a first step and to a task of three tools.',
  options: { dir: text('FOLDER'), compare: flag() },
  run: async ({ dir, compare }) => {
    const catalogs = [await referenceCatalog(compare)];
    if (dir !== undefined) {
      catalogs.push(await mixedCatalog(dir, compare, { name: 'mix', servers: MIX, task: MIX_TASK }));
      catalogs.push(await mixedCatalog(dir, compare, { name: 'small mix', servers: SMALL_MIX, task: SMALL_MIX_TASK }));
    }
    return { tokenizer: 'o200k_base', catalogs };
  },
  text: ({ tokenizer, catalogs }) => catalogs.flatMap((catalog) => catalogLines(catalog, tokenizer)).join('\n'),
});

function catalogLines({ name, tools, tokensAll, modes }: CatalogCost, tokenizer: string): readonly string[] {
  const share = (part: number) => `${((100 * part) / tokensAll).toFixed(2)} %`;
  return [
    `${name}: ${tools} tools, ${tokensAll} tokens (${tokenizer})`,
    ...modes.map(
      ({ mode, firstStep, task, taskSucceeded }) =>
        `  ${mode.padEnd(14)} first step ${String(firstStep).padStart(8)} (${share(firstStep)})  ` +
        `task ${String(task).padStart(9)} (${share(task)})${taskSucceeded ? '' : '  the task failed'}`,
    ),
  ];
}
