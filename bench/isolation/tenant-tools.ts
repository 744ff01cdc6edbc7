import type { ToolDeclaration } from '@tool-search/core';

/** Words that tools of all tenants share. */
export const WORDS = ['invoice', 'ticket', 'calendar', 'report', 'customer', 'order', 'contract', 'shipment'] as const;
/** A word that only shared tools know that come and go. */
export const SEASONAL = 'seasonal';
/** The name of the shared source, and the one that every tenant's own source has. */
export const SHARED = 'shared';
export const OWN = 'own';

const GROUPS = 10;
const PER_GROUP = 12;
const PER_TENANT = 5;

/** A declared tool, and the words of a query that it knows. */
export interface KnownTool extends ToolDeclaration {
  readonly words: readonly string[];
}

/** The number at the end of a tenant's name. */
export function numberOf(tenant: string): number {
  return Number(/\d+$/.exec(tenant)?.[0] ?? -1);
}

/** How a tenant's visibility repeats: tenants with equal numbers see the same groups of shared tools. */
export function visibilityOf(tenant: string): number {
  return numberOf(tenant) % GROUPS;
}

/** Whether a tenant sees the shared tools of a group: three groups of ten, overlapping with its neighbours'. */
export function seesGroup(tenant: string, group: number): boolean {
  return [0, 1, 3].some((offset) => (visibilityOf(tenant) + offset) % GROUPS === group);
}

/** A word that only this tenant's own tools know, and no other tenant's misspelt: they differ by three letters. */
export function secretOf(tenant: string): string {
  const number = numberOf(tenant);
  const letters = (digit: number) => 'abcdefghijklmnopqrstuvwxyz'.charAt(digit % 26).repeat(3);
  return `z${letters(Math.floor(number / 676))}${letters(Math.floor(number / 26))}${letters(number)}q`;
}

/** The shared tools by group; each group has one tool more while the seasonal ones are there. */
export function sharedTools(withSeasonal: boolean): KnownTool[] {
  return Array.from({ length: GROUPS }, (_, group) => group).flatMap((group) =>
    Array.from({ length: withSeasonal ? PER_GROUP + 1 : PER_GROUP }, (_, index): KnownTool => {
      const word = WORDS[(group + index) % WORDS.length] ?? '';
      const isSeasonal = index === PER_GROUP;
      return {
        name: `g${group}_${word}_${isSeasonal ? SEASONAL : index}`,
        description: `Work on a ${word} of group ${group}.`,
        extra: { group },
        inputSchema: {
          type: 'object',
          properties: { note: { type: 'string' }, group: { const: `group ${group}` } },
          additionalProperties: false,
        },
        words: isSeasonal ? [word, SEASONAL] : [word],
      };
    }),
  );
}

/** A tenant's own tools: all but one have names that every other tenant's own tools have as well. */
export function ownTools(tenant: string): KnownTool[] {
  const secret = secretOf(tenant);
  return Array.from({ length: PER_TENANT + 1 }, (_, index): KnownTool => {
    const word = WORDS[index % WORDS.length] ?? '';
    return {
      name: index === PER_TENANT ? `${word}_${secret}` : `${word}_${index}`,
      description: `Work on a ${word} of ${tenant} by ${secret}.`,
      inputSchema: {
        type: 'object',
        properties: { note: { type: 'string' }, [`for_${tenant}`]: { const: tenant } },
        required: [`for_${tenant}`],
        additionalProperties: false,
      },
      words: [word, secret],
    };
  });
}

/** Arguments that the tool of this canonical name takes from this tenant, and from no other if it is its own. */
export function argumentsOf(name: string, tenant: string): Readonly<Record<string, unknown>> {
  return name.startsWith(`${OWN}.`) ? { note: tenant, [`for_${tenant}`]: tenant } : { note: tenant };
}
