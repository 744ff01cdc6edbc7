import { hash } from 'node:crypto';
import type { ToolDefinition, Toolbox } from '@tool-search/core';
import type { Endpoint } from '../endpoint.js';
import { promptNames } from './item-names.js';

/** The context items that a caller sees at an endpoint, each list by canonical name. */
export interface ItemLists {
  readonly resources: readonly ToolDefinition[];
  readonly templates: readonly ToolDefinition[];
  readonly prompts: readonly ToolDefinition[];
  /** Shown names of prompts, by canonical name. */
  readonly shown: ReadonlyMap<string, string>;
  /** Canonical names of prompts, by shown name. */
  readonly canonical: ReadonlyMap<string, string>;
  /** Equal for equal lists. */
  readonly digests: { readonly resources: string; readonly prompts: string };
}

const withPrefix = new WeakMap<readonly ToolDefinition[], ItemLists>();
const withoutPrefix = new WeakMap<readonly ToolDefinition[], ItemLists>();

/** The lists as of now. */
export async function itemLists({ items }: Toolbox, { prefix }: Endpoint): Promise<ItemLists> {
  const visible = await items.visible();
  const known = prefix ? withPrefix : withoutPrefix;
  let lists = known.get(visible);
  if (!lists) known.set(visible, (lists = made(visible, prefix)));
  return lists;
}

function made(visible: readonly ToolDefinition[], prefix: boolean): ItemLists {
  const sorted = visible.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const [resources, templates, prompts] = (['resource', 'resource_template', 'prompt'] as const).map((kind) =>
    sorted.filter((item) => item.kind === kind),
  ) as [ToolDefinition[], ToolDefinition[], ToolDefinition[]];
  const shown = promptNames(prompts, prefix);
  return {
    resources,
    templates,
    prompts,
    shown,
    canonical: new Map([...shown].map(([canonical, name]) => [name, canonical])),
    digests: {
      resources: digestOf([...resources, ...templates].map((item) => [item.name, item.hash])),
      prompts: digestOf(prompts.map((item) => [shown.get(item.name), item.hash])),
    },
  };
}

function digestOf(entries: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(entries));
}
