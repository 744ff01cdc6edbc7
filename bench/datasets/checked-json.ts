import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Reads and validates a JSON file. @throws Error that names the file, the expected format and the first error */
export function checkedJson<T>(file: string, format: string, schema: z.ZodType<T>): T {
  const text = readFileSync(file, 'utf8');
  const refused = (reason: string) => new Error(`${file} must be JSON of the form ${format}: ${reason}`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw refused('it is no JSON');
  }
  const { success, data, error } = schema.safeParse(content);
  if (success) return data;
  const { path = [], message = 'it does not fit' } = error.issues[0] ?? {};
  throw refused([path.join('.'), message].filter((part) => part !== '').join(': '));
}
