import { list, object, type OptionsOf, type SettingsOf, whole } from '../../options/options.js';
import { glob } from '../../tool/source/source-options.js';

export const recordOptions = object({
  /** Milliseconds for which records are kept; 0 = no limit of age. @default 2592000000 (30 days) */
  ttlMs: whole(0, 31_536_000_000).default(2_592_000_000),
  /** How many records are kept, of all tenants together. @default 1000000 */
  maxRecords: whole(100, 100_000_000).default(1_000_000),
  /** Tools whose arguments are recorded, as names or globs: only if `redaction` covers the tool. @default none */
  arguments: list(glob()).default([]),
  /** Tools whose results are recorded, as names or globs: only if `redaction` covers the tool. @default none */
  results: list(glob()).default([]),
  /** Characters of recorded arguments and results. Longer arguments are left out, longer results are cut. @default 2048 */
  maxChars: whole(16, 65_536).default(2048),
});

/** How long calls and refusals are recorded, and what of their content. */
export interface RecordOptions extends OptionsOf<typeof recordOptions> {}

export const recordTuning = object({
  /** Milliseconds between two writes to the store: what a killed process loses at most. @default 1000 */
  flushEveryMs: whole(10, 60_000).default(1000),
});

export interface RecordTuning extends OptionsOf<typeof recordTuning> {}

export const recordSchema = object({ ...recordOptions.shape, ...recordTuning.shape });

export interface RecordSettings extends SettingsOf<typeof recordSchema> {
  /** Whether anything is recorded. */
  readonly isOn: boolean;
}
