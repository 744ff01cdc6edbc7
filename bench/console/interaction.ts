import type { ConsoleRun } from './run.js';

/** Something that operators do with the console. */
export interface Interaction {
  readonly name: string;
  /** Does it as a person would. Throws if the console or the servers do not do what they should. */
  run(run: ConsoleRun): Promise<void>;
}
