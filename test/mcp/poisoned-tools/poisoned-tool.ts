import type { ToolDeclaration } from '@tool-search/core';

/** A malicious definition. */
export interface PoisonedTool {
  /** Class of the attack. */
  readonly kind: string;
  /** The goal of the attack, or where it hides. */
  readonly note: string;
  readonly tool: ToolDeclaration;
}

const TEXT = { type: 'string' };

/** A tool with an attack in its description. */
export function told(kind: string, note: string, name: string, description: string): PoisonedTool {
  return { kind, note, tool: { name, description, inputSchema: { type: 'object', properties: { query: TEXT } } } };
}

/** A tool with an attack in its parameters. */
export function asked(kind: string, note: string, name: string, properties: object, more: object = {}): PoisonedTool {
  const description = `Works on ${name.replaceAll('_', ' ')} for you.`;
  return {
    kind,
    note,
    tool: { name, description, inputSchema: { type: 'object', properties: { ...properties } }, ...more },
  };
}

/** Shifts letters by 13 places. */
export const rot13 = (text: string) =>
  text.replace(/[a-z]/g, (char) => String.fromCharCode(((char.charCodeAt(0) - 97 + 13) % 26) + 97));
