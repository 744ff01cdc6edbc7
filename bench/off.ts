import type { ToolDeclaration, ToolSource } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';
import { fakeTools, openToolbox, type OpenToolbox } from '@tool-search/core/testing';
import { heldMegabytes } from './measuring/held-megabytes.js';
import { percentile } from './measuring/measures.js';
import { main } from './command/command.js';
import { count } from './command/options.js';

/**
 * Cost of the library in an application that shows all tools, compared with a list that the application keeps itself.
 */
interface OffReport {
  readonly tools: number;
  /** Whether the definitions sent to a model have the same bytes. */
  readonly identical: boolean;
  readonly plain: Cost;
  readonly off: Cost;
  /** `exposure: 'deferred'`, to show the work that `off` skips. */
  readonly deferred: Cost;
}

interface Cost {
  /** Memory in addition to the declarations. */
  readonly heapMb: number;
  /** Microseconds of one step: list the tools and convert them to the wire format. */
  readonly stepUs: number;
}

interface Sent {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}

const ROUNDS = 60;
const STEPS = 20;

function sourceOf(declarations: readonly ToolDeclaration[]): ToolSource {
  return {
    name: 'tools',
    loading: 'deferred',
    limits: { tools: declarations.length },
    load: () => Promise.resolve(declarations),
    call: () => Promise.resolve({ content: [] }),
    close: () => Promise.resolve(),
  };
}

function declarationsOf(count: number): ToolDeclaration[] {
  return fakeTools(count).map(({ name, description, inputSchema }) => ({
    name: name.replaceAll('.', '_'),
    description,
    inputSchema,
  }));
}

// The data that an application without the library would hold and send.
function plainList(declarations: readonly ToolDeclaration[]): { readonly list: Sent[]; step(): Sent[] } {
  const list = declarations
    .map(({ name, description, inputSchema }) => ({
      name: wireName(`tools.${name}`),
      description,
      parameters: structuredClone(inputSchema),
    }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return { list, step: () => list.map((tool) => ({ ...tool })) };
}

async function shown({ open }: OpenToolbox): Promise<Sent[]> {
  const { tools, wireNames } = await open().surface();
  return tools.map(({ name, description, inputSchema }) => ({
    name: wireNames.get(name) ?? name,
    description,
    parameters: inputSchema,
  }));
}

/** Memory after the work minus memory before. */
async function heap<T>(work: () => T | Promise<T>): Promise<{ value: T; heapMb: number }> {
  const before = await heldMegabytes();
  const value = await work();
  return { value, heapMb: Number(((await heldMegabytes()) - before).toFixed(2)) };
}

async function report(count: number): Promise<OffReport> {
  const declarations = declarationsOf(count);
  const opened = (exposure: 'off' | 'deferred') => async () => {
    const application = await openToolbox({ sources: [sourceOf(declarations)], options: { exposure } });
    await shown(application);
    return application;
  };
  // The first application also loads code, which belongs to the process, not to a catalog.
  await (await opened('deferred')()).close();
  await (await opened('off')()).close();
  const plain = await heap(() => plainList(declarations));
  const off = await heap(opened('off'));
  const deferred = await heap(opened('deferred'));
  const steps = [
    () => Promise.resolve(plain.value.step()),
    () => shown(off.value),
    () => shown(deferred.value),
  ] as const;
  const times: number[][] = [[], [], []];
  // In turns, so that other load on the machine affects all alike.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, step] of steps.entries()) {
      const started = performance.now();
      for (let n = 0; n < STEPS; n++) await step();
      times[index]?.push(((performance.now() - started) * 1000) / STEPS);
    }
  }
  const stepUs = (index: number) => Number(percentile(times[index] ?? [], 0.5).toFixed(1));
  const identical = JSON.stringify(plain.value.step()) === JSON.stringify(await shown(off.value));
  await Promise.all([off.value.close(), deferred.value.close()]);
  return {
    tools: count,
    identical,
    plain: { heapMb: plain.heapMb, stepUs: stepUs(0) },
    off: { heapMb: off.heapMb, stepUs: stepUs(1) },
    deferred: { heapMb: deferred.heapMb, stepUs: stepUs(2) },
  };
}

main({
  purpose: 'What the library costs an application that shows all tools, beside a list of its own.',
  options: { tools: count(1000) },
  run: ({ tools }) => report(tools),
  text: (result) =>
    [
      `${result.tools} tools; definitions ${result.identical ? 'are the same bytes' : 'DIFFER'}`,
      ...(['plain', 'off', 'deferred'] as const).map((name) => {
        const { heapMb, stepUs } = result[name];
        return `  ${name.padEnd(9)} ${heapMb.toFixed(2).padStart(8)} MiB  ${stepUs.toFixed(1).padStart(8)} µs a step`;
      }),
    ].join('\n'),
});
