import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Families of labelled values and the kind that the redactor calls them. Each is a file of both halves. */
export const FAMILIES = {
  secrets: 'secret',
  email: 'email',
  phone: 'phone',
  iban: 'iban',
  card: 'card',
  'national-id': 'national-id',
} as const;
export type Family = keyof typeof FAMILIES;

export interface LabelledText {
  readonly text: string;
  readonly spans: readonly { readonly start: number; readonly end: number; readonly kind: string }[];
}

/** All texts of one half; the mark that splits secrets in the files is removed. */
export function labelledTexts(folder: string, half: string): readonly LabelledText[] {
  return Object.keys(FAMILIES).flatMap((family) => {
    const stored = JSON.parse(readFileSync(join(folder, half, `${family}.json`), 'utf8')) as readonly LabelledText[];
    return stored.map(({ text, spans }) => ({ text: text.replaceAll('§', ''), spans }));
  });
}

/** The family of a labelled kind, such as `card-visa`. */
export function familyOf(kind: string): Family {
  const named = /^(email|phone|iban|card)(?:-|$)/.exec(kind)?.[1];
  if (named !== undefined) return named as Family;
  return /^(?:at|br|ch|de|es|fr|it|nl|pl|se|uk|us)-/.test(kind) ? 'national-id' : 'secrets';
}
