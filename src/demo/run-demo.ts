import 'reflect-metadata';
import { ToolCatalog } from '@tool-search/core';
import { DefinitionTokens } from '@tool-search/core/internal';
import { countTokens } from '../chat/count-tokens.js';
import { withDemoApplication } from './demo-application.js';
import type { Ask } from './demo-arguments.js';
import { type DemoConversation, type DemoReport, savings } from './demo-report.js';
import { serveAsk } from './serve-ask.js';

/** Serves the requests on the reference application. Prints each step or, with `json`, one JSON object at the end. */
export async function runDemo(asks: readonly Ask[], json: boolean): Promise<void> {
  const print = (line: string) => void (json || console.log(line));
  await withDemoApplication(async (app) => {
    const tools = app.get(ToolCatalog).tools();
    const tokensAll = new DefinitionTokens(countTokens).sum(tools);
    print(
      `${tools.length} tools in the catalog; sending all of them would cost ${tokensAll.toLocaleString('en-US')} tokens at every step.`,
    );
    const conversations: DemoConversation[] = [];
    for (const [index, ask] of asks.entries()) {
      conversations.push(await serveAsk(app, ask, `demo-${index}`, print));
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
  });
}
