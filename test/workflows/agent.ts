import { WorkflowAgent } from '@ai-sdk/workflow';
import { plain } from '@tool-search/agents/plain';
import type { Toolbox, ToolContext } from '@tool-search/core';
import { resultText } from '@tool-search/core/adapter';
import { jsonSchema, type JSONSchema7, type LanguageModel, type ToolSet } from 'ai';

// #region workflow-agent
// Steps are bundled apart from the application, which sets this at boot: (caller) => service.open(caller)
const application = globalThis as { openToolbox?: (caller: ToolContext) => Toolbox };

async function toolsNow(caller: ToolContext) {
  'use step';
  return plain(application.openToolbox!(caller)).step();
}

async function callTool(caller: ToolContext, name: string, input: unknown, callId: string) {
  'use step';
  return resultText(await plain(application.openToolbox!(caller)).call(name, input, { callId }));
}

/** For functions with 'use workflow'. The caller has the runId of the workflow's run. */
export function agentOf(caller: ToolContext, model: LanguageModel) {
  const tools: ToolSet = {};
  const prepareStep = async () => {
    const now = await toolsNow(caller);
    for (const { name, description, inputSchema } of now.tools) {
      tools[name] = {
        type: 'dynamic',
        description,
        inputSchema: jsonSchema(inputSchema as JSONSchema7),
        execute: (input: unknown, { toolCallId }) => callTool(caller, name, input, toolCallId),
      };
    }
    return { system: now.prompt, activeTools: now.tools.map(({ name }) => name) };
  };
  return new WorkflowAgent({ model, tools, prepareStep });
}
// #endregion workflow-agent
