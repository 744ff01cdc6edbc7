import type { RequestListener } from 'node:http';
import type { ToolSource } from '@tool-search/core';
import type { ServerProcess } from '../scenarios/server-process.js';

/** Tokens of the three users: the attacker, a user of another tenant, and an operator. */
export const ATTACKER = 'attacker-token-1';
/** Users of the attacker's tenant. */
export const CROWD = Array.from({ length: 24 }, (_, n) => `crowd-token-${n}`);
/** A user of another tenant. */
export const OTHER = 'other-tenant-token-1';
/** An operator. */
export const OPERATOR = 'operator-token-1';

/** An attempt to make a server slow for other users. To add one, write its file and list it in `all-attacks.ts`. */
export interface Attack {
  readonly name: string;
  /**
   * Additional sources of the server. An attack with sources gets its own server.
   *
   * @param host address of the server that {@link Attack.host} runs on
   */
  readonly sources?: (host: string) => readonly ToolSource[];
  /** Variables of the server. Only for an attack with sources. @default those of all attacks */
  readonly env?: Readonly<Record<string, string>>;
  /** Answers the requests of the sources. */
  readonly host?: () => RequestListener;
  /** Attacks once. Repeated for the whole measurement. @returns the HTTP status of the response */
  readonly once: (server: ServerProcess) => Promise<number>;
  /** The HTTP statuses that each response may have. */
  readonly promised: readonly number[];
  /** Whether the server is afterwards as promised. @default nothing else is promised */
  readonly holds?: (server: ServerProcess) => Promise<boolean>;
  /** Number of concurrent attackers. @default 1 */
  readonly connections?: number;
  /** Duration of the measurement in milliseconds. @default 4000 */
  readonly forMs?: number;
}
