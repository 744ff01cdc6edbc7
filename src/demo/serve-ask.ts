import type { INestApplicationContext } from '@nestjs/common';
import { ToolSearchService } from '@tool-search/core';
import { AgentService } from '../chat/agent.service.js';
import type { Ask } from './demo-arguments.js';
import { type DemoConversation, stepLine } from './demo-report.js';
import { DEMO_USERS } from './demo-users.js';

/** Serves one request as its tenant's user, in a session and run of this id, and prints each step. */
export async function serveAsk(
  app: INestApplicationContext,
  { text, tenant }: Ask,
  id: string,
  print: (line: string) => void,
): Promise<DemoConversation> {
  const who = DEMO_USERS[tenant];
  print(`\n${tenant} (${who.plan} plan): ${text}`);
  const toolbox = app.get(ToolSearchService).open({ tenantId: tenant, ...who, sessionId: id, runId: id });
  const { answer, steps } = await app.get(AgentService).reply(text, toolbox);
  for (const step of steps) print(stepLine(step));
  print(`            ${answer.replaceAll('\n', '\n            ')}`);
  return { tenant, request: text, steps, answer };
}
