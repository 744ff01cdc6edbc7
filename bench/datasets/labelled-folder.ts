import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Lists the labelled sets (`*.json`) of a folder, sorted by name. @throws Error if there are none */
export function labelledFolder(folder: string): readonly string[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort();
  if (files.length === 0) throw new Error(`${folder} has no labelled sets (*.json)`);
  return files.map((file) => join(folder, file));
}
