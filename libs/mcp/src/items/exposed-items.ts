import { type ExposedKind, globSet, type ItemKind } from '@tool-search/core/internal';

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
  readonly apps?: Exposed | undefined;
  readonly logging?: boolean | undefined;
}

/** The lists that are read at all. That of resources may say more of the pages of tools. */
export function exposedLists(expose: ExposeSettings = {}): readonly ItemList[] {
  const isOfPages = isOn(expose.apps);
  return ITEM_LISTS.filter(({ kind, capability }) => isOn(expose[capability]) || (isOfPages && kind === 'resource'));
}

/** The kinds of context items that a source may have, whether its tools log for their callers, and whether they may have pages. */
export function exposedKinds(expose: ExposeSettings = {}): readonly ExposedKind[] {
  return [
    ...ITEM_LISTS.filter(({ capability }) => isOn(expose[capability])).map(({ kind }) => kind),
    ...(expose.logging ? (['logging'] as const) : []),
    ...(isOn(expose.apps) ? (['apps'] as const) : []),
  ];
}

/** Whether tools may have pages, and whether the one with this address of the server is exposed. */
export function pageRule({ apps }: ExposeSettings = {}): ((uri: string) => boolean) | undefined {
  return isOn(apps) ? ruleOf(apps) : undefined;
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
