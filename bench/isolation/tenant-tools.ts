import type { ToolDeclaration } from '@tool-search/core';

/** Words in tools of all tenants. */
export const WORDS = ['invoice', 'ticket', 'calendar', 'report', 'customer', 'order', 'contract', 'shipment'] as const;
/** A word only in shared tools that are added and removed. */
export const SEASONAL = 'seasonal';
/** Name of the shared source, and of every tenant's own source. */
export const SHARED = 'shared';
export const OWN = 'own';

const GROUPS = 10;
const PER_GROUP = 12;
const PER_TENANT = 5;

/** A declared tool and the query words that match it. */
export interface KnownTool extends ToolDeclaration {
  readonly words: readonly string[];
}

/** The number at the end of a tenant's name. */
export function numberOf(tenant: string): number {
  return Number(/\d+$/.exec(tenant)?.[0] ?? -1);
}

/** The visibility class of a tenant: tenants with equal numbers see the same groups of shared tools. */
export function visibilityOf(tenant: string): number {
  return numberOf(tenant) % GROUPS;
}

/** Whether a tenant sees a group of shared tools: three groups of ten, overlapping with its neighbours'. */
export function seesGroup(tenant: string, group: number): boolean {
  return [0, 1, 3].some((offset) => (visibilityOf(tenant) + offset) % GROUPS === group);
}

/**
 * A word only in this tenant's own tools. Differs by three letters from other tenants' words, so that no misspelling
 * matches.
 */
export function secretOf(tenant: string): string {
  const number = numberOf(tenant);
  const letters = (digit: number) => 'abcdefghijklmnopqrstuvwxyz'.charAt(digit % 26).repeat(3);
  return `z${letters(Math.floor(number / 676))}${letters(Math.floor(number / 26))}${letters(number)}q`;
}

/** The shared tools by group. Each group has one more tool while the seasonal ones are present. */
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

/** A tenant's own tools. All but one have the same names as every other tenant's. */
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

/** Arguments that this tool accepts from this tenant; for the tenant's own tools, only from this tenant. */
export function argumentsOf(name: string, tenant: string): Readonly<Record<string, unknown>> {
  return name.startsWith(`${OWN}.`) ? { note: tenant, [`for_${tenant}`]: tenant } : { note: tenant };
}
