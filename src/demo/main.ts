import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { DefinitionTokens, ToolCatalog, ToolSearchService } from '@tool-search/core';
import { AppModule } from '../app.module.js';
import { AgentService } from '../chat/agent.service.js';
import { countTokens } from '../chat/count-tokens.js';
import { demoArguments } from './demo-arguments.js';
import { type DemoConversation, type DemoReport, savings, stepLine } from './demo-report.js';

// Both tenants' demo users, as a bearer guard would find them.
const PLANS: Readonly<Record<string, { userId: string; plan: 'starter' | 'business' }>> = {
  acme: { userId: 'ada', plan: 'business' },
  globex: { userId: 'homer', plan: 'starter' },
};

async function demo(): Promise<void> {
  const { asks, json } = demoArguments(process.argv.slice(2));
  const print = (line: string) => void (json || console.log(line));
  const data = mkdtempSync(join(tmpdir(), 'tool-search-demo-'));
  process.env['DATA_DIR'] = data;
  // Its tokens are its own and nobody can reach it.
  process.env['NODE_ENV'] = 'development';
  process.env['DEMO_TOKENS'] = Object.entries(PLANS)
    .map(([tenant, { userId, plan }]) => `${tenant}-demo-token:${tenant}:${userId}:${plan}`)
    .join(',');
  delete process.env['DATABASE_URL'];
  delete process.env['SQLITE_PATH'];
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
  try {
    const { tools } = app.get(ToolCatalog).current();
    const tokensAll = new DefinitionTokens(countTokens).sum(tools);
    print(
      `${tools.length} tools in the catalog; sending all of them would cost ${tokensAll.toLocaleString('en-US')} tokens at every step.`,
    );
    const conversations: DemoConversation[] = [];
    for (const [index, { text, tenant }] of asks.entries()) {
      const who = PLANS[tenant];
      if (!who) throw new Error(`There is no demo tenant ${tenant}; there are ${Object.keys(PLANS).join(' and ')}.`);
      print(`\n${tenant} (${who.plan} plan): ${text}`);
      const toolbox = app
        .get(ToolSearchService)
        .open({ tenantId: tenant, ...who, sessionId: `demo-${index}`, runId: `demo-${index}` });
      const { answer, steps } = await app.get(AgentService).reply(text, toolbox);
      for (const step of steps) print(stepLine(step));
      print(`            ${answer.replaceAll('\n', '\n            ')}`);
      conversations.push({ tenant, request: text, steps, answer });
    }
    const shown = conversations.flatMap(({ steps }) => steps.map(({ tokensShown }) => tokensShown));
    const report: DemoReport = {
      catalogTools: tools.length,
      tokensAll,
      tokensShownFirst: conversations[0]?.steps[0]?.tokensShown ?? 0,
      tokensShownMax: Math.max(...shown),
      conversations,
    };
    print(`\n${savings(report)}`);
    if (json) process.stdout.write(`${JSON.stringify(report)}\n`);
  } finally {
    await app.close();
    rmSync(data, { recursive: true, force: true });
  }
}

demo().catch((error: unknown) => {
  console.error((error instanceof Error ? error.message : String(error)).replaceAll('\n', ' '));
  process.exitCode = 1;
});
