import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentToolbox, aiSdk } from '@tool-search/agents/ai-sdk';
import { FakeSource, openToolbox, type ToolboxSetup } from '@tool-search/core/testing';
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai';
import { DemoModel } from './demo-model.js';

describe('DemoModel', () => {
  it('searches, reads, fills and calls a tool it has never heard of', async () => {
    const { toolbox, garden, steps } = await world();

    const answer = await ask(toolbox, 'Water the plant called Fern with 3 litres');

    expect(garden.calls.map(({ name, input }) => [name, input])).toEqual([
      ['water_plant', { plantName: 'Fern', litres: 3 }],
    ]);
    expect(answer).toBe('Fern is happy.');
    expect(steps).toEqual([
      ['tool_search', { query: 'water plant' }],
      ['tool_get', { names: ['garden__water_plant'] }],
      ['garden.water_plant', { plantName: 'Fern', litres: 3 }],
    ]);
  });

  it('takes an option that the request names', async () => {
    const { toolbox, garden } = await world();

    expect(await ask(toolbox, 'List my thirsty plants')).toContain('Fern');
    expect(garden.calls.map(({ name, input }) => [name, input])).toEqual([['list_plants', { state: 'thirsty' }]]);
  });

  it('searches with synonyms before it gives up', async () => {
    const { toolbox, garden, steps } = await world();

    await ask(toolbox, 'Erase the plant called Fern');
    await ask(toolbox, 'Fly to the moon');

    expect(steps).toEqual([
      ['tool_search', { query: 'erase plant' }],
      ['tool_search', { query: 'delete remove plant' }],
      ['tool_search', { query: 'fly moon' }],
    ]);
    expect(garden.calls).toEqual([]);
  });

  it('says that it has no tool, whether there is none or it is not for this user', async () => {
    const open = await world();
    const hidden = await world({ policy: { deny: ['garden.water_plant'] } });

    const answer = await ask(hidden.toolbox, 'Water the plant called Fern with 3 litres');

    expect(answer).toBe('I have no tool for this (water plant).');
    expect(hidden.garden.calls).toEqual([]);
    expect(await ask(open.toolbox, 'Tell me a joke')).toBe('I have no tool for this (joke).');
    expect(await ask(open.toolbox, 'Hello!')).toBe('What can I do for you?');
  });

  it.each([
    'Burn the plant called Fern',
    'Water the dog',
    'Delete all plants',
    'Do not water the plant called Fern with 3 litres',
    "Don't water the plant called Fern with 3 litres",
    'Water the plant called Fern with 3 litres if it is dry',
    'Water the plant called Fern with 3 or 4 litres',
    'Water the plant called Fern with 3 litres on 2026-03-01',
    'Water the plant called Fern with 1,250 litres',
    'Water the plant called Fern with 3 litres and remove the fence',
    'Water the plant called Fern with 3 litres for Ada',
    'Water 3 plants called Fern',
    'Did you water the plant called Fern with 3 litres?',
    'Can I water the plant called Fern with 3 litres?',
    'I watered the plant called Fern with 3 litres',
    'The plant called Fern needs water, 3 litres',
    'List my plants and then write it to plants.txt',
  ])('does not do what is nearly what was asked: %s', async (text) => {
    const { toolbox, garden, notes } = await world();

    await ask(toolbox, text);

    expect([...garden.calls, ...notes.calls]).toEqual([]);
  });

  it('asks for what is missing and goes on with the answer', async () => {
    const { toolbox, garden } = await world();
    const messages: ModelMessage[] = [{ role: 'user', content: 'Water the plant called Fern.' }];

    const first = await generateText({
      model: new DemoModel(),
      messages,
      stopWhen: isStepCount(20),
      ...(await aiSdk(toolbox)),
    });
    expect(first.text).toBe('To do that with garden__water_plant I need litres (How much water). Please tell me.');
    expect(garden.calls).toEqual([]);

    messages.push(...first.response.messages, { role: 'user', content: '2 litres' });
    await generateText({ model: new DemoModel(), messages, stopWhen: isStepCount(20), ...(await aiSdk(toolbox)) });
    expect(garden.calls.map(({ input }) => input)).toEqual([{ plantName: 'Fern', litres: 2 }]);
  });

  it.each(['Never mind', 'Cancel', 'No, 3 litres', 'Remove it', 'What can you do for 2 litres?'])(
    'does not go on after %j',
    async (content) => {
      const { toolbox, garden } = await world();
      const messages: ModelMessage[] = [
        { role: 'user', content: 'Water a plant with 3 litres.' },
        { role: 'assistant', content: 'To do that with garden__water_plant I need plantName. Please tell me.' },
        { role: 'user', content },
      ];

      await generateText({ model: new DemoModel(), messages, stopWhen: isStepCount(20), ...(await aiSdk(toolbox)) });

      expect(garden.calls).toEqual([]);
    },
  );

  it('says in its own words what a tool refused', async () => {
    const { toolbox } = await world();
    expect(await ask(toolbox, 'Measure the plant called Fern')).toBe('That did not work: no such plant');
  });

  it('loads what it has found where tools have to be loaded', async () => {
    const { toolbox, garden, steps } = await world({
      options: { exposure: 'deferred', activation: { activateOn: 'load' } },
    });

    await ask(toolbox, 'Water the plant called Fern with 3 litres');

    expect(steps.map(([name]) => name)).toEqual(['tool_search', 'tool_get', 'tool_load', 'garden.water_plant']);
    expect(garden.calls).toHaveLength(1);
  });

  it('calls through a bridge what is never listed', async () => {
    const { toolbox, garden, steps } = await world({ options: { exposure: 'bridge' } });

    expect(await ask(toolbox, 'Water the plant called Fern with 3 litres')).toBe('Fern is happy.');
    await ask(toolbox, 'Paint the fence with coats=2');

    expect(garden.calls.map(({ name, input }) => [name, input])).toEqual([
      ['water_plant', { plantName: 'Fern', litres: 3 }],
      ['paint_fence', { coats: 2 }],
    ]);
    expect(new Set(steps.map(([name]) => name))).toEqual(new Set(['tool_search', 'tool_get', 'tool_call']));
  });

  it.each(['deferred', 'bridge'] as const)('knows meta tools of other names, shown as %s', async (mode) => {
    const metaTools = { search: 'find', get: 'read', call: 'use' };
    const { toolbox, garden, steps } = await world({ options: { exposure: { mode, metaTools } } });

    expect(await ask(toolbox, 'Water the plant called Fern with 3 litres', new DemoModel(metaTools))).toBe(
      'Fern is happy.',
    );

    expect(garden.calls).toHaveLength(1);
    expect(steps.map(([name]) => name)).toEqual(['find', 'read', mode === 'bridge' ? 'use' : 'garden.water_plant']);
  });

  it('chooses from the list if there is no search tool', async () => {
    const { toolbox, garden, steps } = await world({ options: { exposure: 'all' } });

    await ask(toolbox, 'Water the plant called Fern with 3 litres');

    expect(steps).toHaveLength(1);
    expect(garden.calls).toHaveLength(1);
  });

  it('streams the same answer', async () => {
    const { toolbox } = await world();
    const prompt = 'Water the plant called Fern with 3 litres';
    const result = streamText({ model: new DemoModel(), prompt, stopWhen: isStepCount(20), ...(await aiSdk(toolbox)) });
    expect(await result.text).toBe('Fern is happy.');
  });

  it('does the same for the same request every time', async () => {
    const runs = await Promise.all(
      [1, 2].map(async () => {
        const { toolbox, steps } = await world();
        const answer = await ask(toolbox, 'Water the plant called Fern with 3 litres');
        return { answer, steps };
      }),
    );
    expect(runs[0]).toEqual(runs[1]);
  });

  it('contains no tool names but those of the meta tools', () => {
    const sources = readdirSync(__dirname)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => readFileSync(join(__dirname, file), 'utf8'));
    const identifiers = new Set(sources.join('\n').match(/[a-z]+(?:[_-][a-z]+)+/g));
    const known = [
      'read_text_file',
      'read_file',
      'write_file',
      'list_directory',
      'move_file',
      'search_files',
      'create_directory',
      'create_entities',
      'create_relations',
      'add_observations',
      'search_nodes',
      'read_graph',
      'delete_entities',
      'refund_invoice',
      'list_invoices',
      'get_invoice',
      'create_invoice',
      'get-sum',
      'get-tiny-image',
      'issues_create',
    ];
    expect(known.filter((name) => identifiers.has(name))).toEqual([]);
  });
});

async function ask(toolbox: AgentToolbox, prompt: string, model = new DemoModel()): Promise<string> {
  const { text } = await generateText({
    model,
    prompt,
    stopWhen: isStepCount(20),
    ...(await aiSdk(toolbox)),
  });
  return text;
}

/** A garden nobody has prepared the model for, a place to write to, and some tools that only look alike. */
async function world(setup: Pick<ToolboxSetup, 'policy' | 'options'> = {}) {
  const string = { type: 'string' };
  const plant = { plantName: { type: 'string', description: 'Name of the plant.' } };
  const garden = new FakeSource('garden', [
    {
      name: 'list_plants',
      description: 'List the plants of the garden.',
      loading: 'always',
      inputSchema: { type: 'object', properties: { state: { type: 'string', enum: ['thirsty', 'happy'] } } },
      run: () => ({ plants: [{ name: 'Fern', state: 'thirsty' }] }),
    },
    {
      name: 'water_plant',
      description: 'Water a plant.',
      inputSchema: {
        type: 'object',
        properties: { ...plant, litres: { type: 'number', description: 'How much water.' } },
        required: ['plantName', 'litres'],
      },
      run: ({ plantName }) => `${String(plantName)} is happy.`,
    },
    {
      name: 'measure_plant',
      description: 'Measure how tall a plant is.',
      inputSchema: { type: 'object', properties: plant, required: ['plantName'] },
      run: () => ({ isError: true, content: [{ type: 'text', text: 'no such plant' }] }),
    },
    {
      name: 'paint_fence',
      description: 'Paint the fence.',
      inputSchema: {
        type: 'object',
        properties: { coats: { type: 'integer' } },
      },
    },
  ]);
  const notes = new FakeSource('notes', [
    {
      name: 'write_note',
      description: 'Write text to a note file.',
      inputSchema: { type: 'object', properties: { path: string, content: string }, required: ['path', 'content'] },
      run: () => undefined,
    },
    { name: 'read_note', description: 'Read a note file.' },
  ]);
  const { toolbox } = await openToolbox({ sources: [garden, notes], ...setup });
  const steps: [string, unknown][] = [];
  const observed: AgentToolbox = {
    metaKinds: toolbox.metaKinds,
    visible: () => toolbox.visible(),
    surface: (request) => toolbox.surface(request),
    call: (name, input, options) => {
      steps.push([name, input]);
      return toolbox.call(name, input, options);
    },
  };
  return { toolbox: observed, garden, notes, steps };
}
