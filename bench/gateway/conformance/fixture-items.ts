import type { JsonObject, SourceAnswer, ToolContent } from '@tool-search/core';
import { asked, form } from './fixture-asking-tools.js';
import { type FixtureTool, PNG } from './fixture-tools.js';

/** The resources, the template and the prompts of the conformance suite. */
export const FIXTURE_ITEMS: readonly FixtureTool[] = [
  resource('test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' }),
  resource('test://static-binary', 'image/png', { blob: PNG }),
  resource('test://watched-resource', 'text/plain', { text: 'Changes now and then.' }),
  {
    declaration: {
      kind: 'resource_template',
      name: 'resources.data',
      description: 'Data by id.',
      uri: 'test://template/{id}/data',
      mimeType: 'application/json',
    },
    run: (_call, { uri }) => {
      const id = String(uri).split('/').at(-2) ?? '';
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return resourceAnswer(String(uri), 'application/json', { text: data });
    },
  },
  prompt('test_simple_prompt', [], () => [words('This is a simple prompt for testing.')]),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) => [
    words(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`),
  ]),
  prompt('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri }) => [
    {
      type: 'resource',
      resource: { uri: String(resourceUri), mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
    },
    words('Please process the embedded resource above.'),
  ]),
  prompt('test_prompt_with_image', [], () => [
    { type: 'image', data: PNG, mimeType: 'image/png' },
    words('Please analyze the image above.'),
  ]),
  {
    declaration: { kind: 'prompt', name: 'prompts.test_input_required_result_prompt', description: 'Asks first.' },
    run: async (call) => {
      const request = form('What context should the prompt use?', { context: { type: 'string' } });
      return messages([words(JSON.stringify(await asked(call, { user_context: request })))]);
    },
  },
];

function resource(uri: string, mimeType: string, body: { text: string } | { blob: string }): FixtureTool {
  const name = `resources.${uri.slice('test://'.length)}`;
  return {
    declaration: { kind: 'resource', name, description: `The resource ${uri}.`, uri, mimeType },
    run: () => resourceAnswer(uri, mimeType, body),
  };
}

function prompt(
  name: string,
  names: readonly string[],
  made: (input: Readonly<Record<string, unknown>>) => readonly ToolContent[],
): FixtureTool {
  const properties: JsonObject = Object.fromEntries(
    names.map((each) => [each, { type: 'string', description: `The value of ${each}.` }]),
  );
  const inputSchema = { type: 'object', properties, required: [...names] };
  return {
    declaration: { kind: 'prompt', name: `prompts.${name}`, description: 'A prompt of the suite.', inputSchema },
    run: (_call, input) => messages(made(input)),
  };
}

function words(text: string): ToolContent {
  return { type: 'text', text };
}

function messages(content: readonly ToolContent[]): SourceAnswer {
  return { content, structured: { roles: content.map(() => 'user') } };
}

function resourceAnswer(uri: string, mimeType: string, body: { text: string } | { blob: string }): SourceAnswer {
  return { content: [{ type: 'resource', resource: { uri, mimeType, ...body } }] };
}
