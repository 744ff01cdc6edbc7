import { isDeepStrictEqual } from 'node:util';

/** One place of a template where a server may say a credential. */
export interface Place {
  readonly path: readonly (string | number)[];
  /** In the value, in the name of the member, or in the name of a member that is added to the object. */
  readonly at: 'value' | 'name' | 'more';
}

/** Members whose values the protocol defines: with others, an answer is none. They are changed only by themselves. */
const DEFINED = new Set(['type', 'role', 'mode', 'theme', 'audience', 'lastModified', 'level', 'format']);
/** Members that hold bytes in base64. */
const BYTES = new Set(['blob', 'data']);

/** Each text and each name of a member of a template, and one more member of each object. */
export function placesOf(template: unknown, path: Place['path'] = []): readonly Place[] {
  if (typeof template === 'string') return [{ path, at: 'value' }];
  if (Array.isArray(template)) return template.flatMap((item, index) => placesOf(item, [...path, index]));
  if (typeof template !== 'object' || template === null) return [];
  return [
    { path, at: 'more' },
    ...Object.entries(template).flatMap(([name, value]): Place[] => [
      { path: [...path, name], at: 'name' },
      ...placesOf(value, [...path, name]),
    ]),
  ];
}

/** The template with these words in one place, or in each value and each object if there is none. */
export function planted(template: unknown, said: string, place?: Place, path: Place['path'] = []): any {
  const isHere = (at: Place['at'], here: Place['path'] = path) =>
    place ? place.at === at && isDeepStrictEqual(place.path, here) : at !== 'name' && !here.some(isDefined);
  if (typeof template === 'string') return isHere('value') ? withWords(template, said, path.at(-1)) : template;
  if (Array.isArray(template)) return template.map((item, index) => planted(item, said, place, [...path, index]));
  if (typeof template !== 'object' || template === null) return template;
  const entries = Object.entries(template).map(([name, value]) => {
    const own = [...path, name];
    return [isHere('name', own) ? `${name}${said}` : name, planted(value, said, place, own)] as const;
  });
  return Object.fromEntries([...entries, ...(isHere('more') ? [[`x${said}`, 'more']] : [])]);
}

/** How a test calls a place. */
export function labelOf({ path, at }: Place): string {
  return `${path.join('.')} (${at})`;
}

function isDefined(name: string | number): boolean {
  return DEFINED.has(String(name));
}

function withWords(text: string, said: string, name: string | number | undefined): string {
  if (!BYTES.has(String(name))) return `${text} ${said}`;
  return Buffer.concat([Buffer.from(text, 'base64'), Buffer.from(` ${said}`)]).toString('base64');
}
