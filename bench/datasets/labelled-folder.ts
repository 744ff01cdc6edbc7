import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The labelled sets (`*.json`) of a folder, by name. @throws Error when it has none */
export function labelledFolder(folder: string): readonly string[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort();
  if (files.length === 0) throw new Error(`${folder} has no labelled sets (*.json)`);
  return files.map((file) => join(folder, file));
}
