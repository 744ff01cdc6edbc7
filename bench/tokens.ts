import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { type ToolDefinition, type Toolbox, ToolSearchService } from '@tool-search/core';
import { openToolbox } from '@tool-search/core/testing';
import { withDemoApplication } from '../src/demo/demo-application.js';
import { DEMO_USERS } from '../src/demo/demo-users.js';
import { answeringSources, MIX, MIX_TASK } from './datasets/mixed-catalog.js';
import { REFERENCE_TASK } from './scenarios/reference-task.js';
import { costOf, definitionTokens, type ModeCost, type TaskStep } from './scenarios/token-task.js';

/** Token cost of showing a catalog, by mode. */
interface CatalogCost {
  readonly name: string;
  /** Tools visible to the tenant. */
  readonly tools: number;
  /** Tokens of all their definitions. */
  readonly tokensAll: number;
  readonly modes: readonly ModeCost[];
}

const MODES = ['all', 'deferred', 'bridge', 'native', 'auto'] as const;

async function catalogCost(
  name: string,
  task: readonly TaskStep[],
  open: (mode: ModeCost['mode']) => Promise<Toolbox>,
): Promise<CatalogCost> {
  const tools = await (await open('all')).visible();
  const modes: ModeCost[] = [];
  for (const mode of MODES) modes.push(await costOf(mode, await open(mode), task));
  return { name, tools: tools.length, tokensAll: sumOf(tools), modes };
}

function sumOf(tools: readonly ToolDefinition[]): number {
  return tools.reduce((sum, tool) => sum + definitionTokens(tool), 0);
}

function referenceCatalog(): Promise<CatalogCost> {
  return withDemoApplication((app) =>
    catalogCost('reference', REFERENCE_TASK, async (mode) =>
      app
        .get(ToolSearchService)
        .open({ tenantId: 'acme', ...DEMO_USERS['acme'], sessionId: `tokens-${mode}`, runId: `tokens-${mode}` }),
    ),
  );
}

async function mixedCatalog(folder: string): Promise<CatalogCost> {
  const { open, close } = await openToolbox({ sources: answeringSources(folder, MIX), options: { exposure: 'auto' } });
  try {
    return await catalogCost('mix', MIX_TASK, async (mode) => open({ sessionId: `tokens-${mode}`, runId: mode }));
  } finally {
    await close();
  }
}

/** `npm run bench:tokens -- [--dir CATALOGS] [--json]` */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { dir: { type: 'string' }, json: { type: 'boolean', default: false } } });
  const catalogs = [await referenceCatalog(), ...(values.dir === undefined ? [] : [await mixedCatalog(values.dir)])];
  if (values.json) return void process.stdout.write(`${JSON.stringify({ tokenizer: 'o200k_base', catalogs })}\n`);
  for (const { name, tools, tokensAll, modes } of catalogs) {
    console.log(`${name}: ${tools} tools, ${tokensAll} tokens (o200k_base)`);
    for (const { mode, firstStep, task, taskSucceeded } of modes) {
      const share = (part: number) => `${((100 * part) / tokensAll).toFixed(2)} %`;
      const end = taskSucceeded ? '' : '  the task failed';
      console.log(
        `  ${mode.padEnd(9)} first step ${String(firstStep).padStart(8)} (${share(firstStep)})  task ${String(task).padStart(9)} (${share(task)})${end}`,
      );
    }
  }
}

main().catch((error: unknown) => {
  console.error((error instanceof Error ? error.message : String(error)).replaceAll('\n', ' '));
  process.exitCode = 1;
});
