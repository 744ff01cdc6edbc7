import { setTimeout } from 'node:timers/promises';
import type { JsonObject, ToolCall } from '@tool-search/core';
import type { InputRequests, InputResponses } from '@tool-search/core/source';
import type { InputRequest } from '@tool-search/core/internal';
import { type FixtureTool, text } from './fixture-tools.js';

const LOG_MS = 50;
const ELICITED = 'Elicitation completed';

const NAME = form('What is your name?', { name: { type: 'string' } });
const ROOTS: InputRequest = { method: 'roots/list' };

/** The tools of the scenarios in which a tool asks its client for something, or logs. */
export const ASKING_TOOLS: readonly FixtureTool[] = [
  asking('test_sampling', (input) => ({ answer: question(String(input['prompt']), 100) }), 'LLM response', 'prompt'),
  asking(
    'test_elicitation',
    (input) => ({
      answer: form(String(input['message']), {
        username: { type: 'string', description: 'A name of the user.' },
        email: { type: 'string', description: 'An address of the user.' },
      }),
    }),
    'User response',
    'message',
  ),
  asking('test_elicitation_sep1034_defaults', () => ({ answer: form('Check the values.', DEFAULTS) }), ELICITED),
  asking('test_elicitation_sep1330_enums', () => ({ answer: form('Choose.', CHOICES) }), ELICITED),
  asking('test_input_required_result_elicitation', () => ({ user_name: NAME }), 'Hello'),
  asking('test_input_required_result_sampling', () => ({ capital_question: question('The capital of France?', 100) })),
  asking('test_input_required_result_list_roots', () => ({ client_roots: ROOTS })),
  asking('test_input_required_result_request_state', () => ({ confirm: form('Please confirm', OK) }), 'state-ok'),
  asking('test_input_required_result_tampered_state', () => ({ confirm: form('Please confirm', OK) })),
  asking('test_input_required_result_multiple_inputs', () => ({
    user_name: NAME,
    greeting: question('Write a greeting', 50),
    client_roots: ROOTS,
  })),
  {
    declaration: { name: 'test_input_required_result_multi_round', description: 'Asks twice.' },
    run: async (call) => {
      const first = await asked(call, { step1: form('Step 1: What is your name?', { name: { type: 'string' } }) });
      const second = await asked(call, { step2: form('Step 2: Which colour?', { color: { type: 'string' } }) });
      return text(JSON.stringify([first, second]));
    },
  },
  {
    declaration: { name: 'test_input_required_result_capabilities', description: 'Asks what the client can answer.' },
    run: async (call) => {
      const all: InputRequests = { user_name: NAME, greeting: question('Write a greeting', 50) };
      const possible = Object.entries(all).filter(([, { method }]) => call.asks?.includes(method));
      return text(JSON.stringify(await asked(call, Object.fromEntries(possible))));
    },
  },
  asking('test_missing_capability', () => ({ answer: question('Anything', 10) })),
  {
    declaration: { name: 'test_tool_with_logging', description: 'Logs what it does.', sideEffects: 'pure' },
    run: async (call) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        call.log?.({ level: 'info', data });
        await setTimeout(LOG_MS);
      }
      return text('Done.');
    },
  },
];

/** Asks, and checks that an answer of the user is one. */
export async function asked(call: ToolCall, requests: InputRequests): Promise<InputResponses> {
  if (!call.ask) throw new Error('nobody can be asked');
  return call.ask(requests);
}

/** A form for the user. */
export function form(message: string, properties: JsonObject, required = Object.keys(properties)): InputRequest {
  return {
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties, required } },
  };
}

function question(words: string, maxTokens: number): InputRequest {
  const messages = [{ role: 'user', content: { type: 'text', text: words } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens } };
}

function asking(
  name: string,
  requests: (input: Readonly<Record<string, unknown>>) => InputRequests,
  words = 'Answered',
  argument?: string,
): FixtureTool {
  const schema = argument && {
    inputSchema: { type: 'object', properties: { [argument]: { type: 'string' } }, required: [argument] },
  };
  return {
    declaration: { name, description: 'Asks its client.', ...schema },
    run: async (call, input) => text(`${words}: ${JSON.stringify(await asked(call, requests(input)))}`),
  };
}

const OK = { ok: { type: 'boolean' } };
const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const CONSTANTS = [1, 2, 3].map((n) => ({ const: `value${n}`, title: `Option ${n}` }));
const OPTIONS = ['option1', 'option2', 'option3'];
const CHOICES = {
  untitledSingle: { type: 'string', enum: OPTIONS },
  titledSingle: { type: 'string', oneOf: CONSTANTS },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
  titledMulti: { type: 'array', items: { anyOf: CONSTANTS } },
};
