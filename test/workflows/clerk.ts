import type { ToolContext } from '@tool-search/core';
import { getWritable } from 'workflow';
import { agentOf } from './agent.js';
import { type Reply, scriptedModel } from './scripted-model.js';

/** A workflow whose model gives these replies. Returns what the tools answered. */
export async function clerk(caller: ToolContext, replies: readonly Reply[]) {
  'use workflow';
  const agent = agentOf(caller, scriptedModel(replies));
  const { steps } = await agent.stream({
    messages: [{ role: 'user', content: 'Close the issue.' }],
    writable: getWritable(),
  });
  return steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => String(output)));
}
