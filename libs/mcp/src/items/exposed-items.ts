import { globSet, type ItemKind } from '@tool-search/core/internal';

/** Which resources or prompts of a server become context items: all, none, or those that a glob selects. */
export type Exposed = boolean | readonly string[];

/** The lists of a server that hold context items, with the kind of their entries. */
export const ITEM_LISTS = [
  { kind: 'resource', method: 'resources/list', key: 'resources', capability: 'resources' },
  { kind: 'resource_template', method: 'resources/templates/list', key: 'resourceTemplates', capability: 'resources' },
  { kind: 'prompt', method: 'prompts/list', key: 'prompts', capability: 'prompts' },
] as const;

/** One of {@link ITEM_LISTS}. */
export type ItemList = (typeof ITEM_LISTS)[number];

/** Settings of a source about context items. */
export interface ExposeSettings {
  readonly resources?: Exposed | undefined;
  readonly prompts?: Exposed | undefined;
  readonly logging?: boolean | undefined;
}

/** The lists that are read at all. */
export function exposedLists(expose: ExposeSettings = {}): readonly ItemList[] {
  return ITEM_LISTS.filter(({ capability }) => isOn(expose[capability]));
}

/** The kinds of context items that a source may have, and whether its tools log for their callers. */
export function exposedKinds(expose: ExposeSettings = {}): readonly (ItemKind | 'logging')[] {
  return [...exposedLists(expose).map(({ kind }) => kind), ...(expose.logging ? (['logging'] as const) : [])];
}

/** Whether an item is exposed, by the URI of a resource, the template, or the name of a prompt. */
export function exposedRule(expose: ExposeSettings = {}): (kind: ItemKind, value: string) => boolean {
  const rules = { resources: ruleOf(expose.resources), prompts: ruleOf(expose.prompts) };
  return (kind, value) => rules[kind === 'prompt' ? 'prompts' : 'resources'](value);
}

function isOn(exposed: Exposed | undefined): boolean {
  return Array.isArray(exposed) ? exposed.length > 0 : exposed === true;
}

function ruleOf(exposed: Exposed | undefined): (value: string) => boolean {
  return Array.isArray(exposed) ? globSet(exposed) : () => exposed === true;
}
