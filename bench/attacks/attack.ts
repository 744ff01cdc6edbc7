import type { RequestListener } from 'node:http';
import type { ToolSource } from '@tool-search/core';
import type { ServerProcess } from '../scenarios/server-process.js';

/** Tokens of the attack: an attacker, somebody of another tenant, and an operator. */
export const ATTACKER = 'attacker-token-1';
/** See {@link ATTACKER}. */
export const OTHER = 'other-tenant-token-1';
/** See {@link ATTACKER}. */
export const OPERATOR = 'operator-token-1';

/** One way to make a server slow for others. To add one: write its file, and name it in `all-attacks.ts`. */
export interface Attack {
  readonly name: string;
  /**
   * Sources the server has besides its own; such an attack gets a server of its own.
   *
   * @param host address of what {@link Attack.host} answers
   */
  readonly sources?: (host: string) => readonly ToolSource[];
  /** Answers the requests that the sources send. */
  readonly host?: () => RequestListener;
  /** Attacks once. Repeated for as long as is measured. @returns the HTTP status of the answer */
  readonly once: (server: ServerProcess) => Promise<number>;
  /** How many attack at the same time. @default 1 */
  readonly connections?: number;
  /** Milliseconds of measuring. @default 4000 */
  readonly forMs?: number;
}
