import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The halves of the set: rules may be adapted to `tuned`; `held-out` only measures them. */
export const HALVES = ['tuned', 'held-out'] as const;
export type Half = (typeof HALVES)[number];

/** The kinds of labelled values, by family. A family is a file in each half. */
export const KINDS = {
  secrets: [
    'anthropic-key',
    'aws-access-key-id',
    'aws-secret-key',
    'basic-credentials',
    'bearer-token',
    'config-password',
    'database-url-password',
    'github-token',
    'gitlab-token',
    'google-api-key',
    'google-oauth-secret',
    'jwt',
    'npm-token',
    'openai-key',
    'private-key',
    'slack-token',
    'slack-webhook',
    'stripe-key',
    'url-password',
  ],
  email: ['email', 'email-encoded', 'email-idn', 'email-quoted', 'email-tagged'],
  phone: [
    'phone-at',
    'phone-ch',
    'phone-de',
    'phone-e164',
    'phone-es',
    'phone-fr',
    'phone-international',
    'phone-it',
    'phone-nl',
    'phone-pl',
    'phone-uk',
    'phone-us',
  ],
  iban: ['iban', 'iban-grouped'],
  card: [
    'card-amex',
    'card-diners',
    'card-discover',
    'card-jcb',
    'card-maestro',
    'card-mastercard',
    'card-unionpay',
    'card-visa',
  ],
  'national-id': [
    'at-svnr',
    'br-cpf',
    'ch-ahv',
    'de-steuer-id',
    'es-dni',
    'es-nie',
    'fr-nir',
    'it-codice-fiscale',
    'nl-bsn',
    'pl-pesel',
    'se-personnummer',
    'uk-nino',
    'us-ssn',
  ],
} as const;
export type Family = keyof typeof KINDS;
export type Kind = (typeof KINDS)[Family][number];
export const FAMILIES = Object.keys(KINDS) as readonly Family[];

/** A value that a redactor must remove: `[start, end)` in UTF-16 units of the text. */
export interface LabelledSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
}

/** A tool result with all values of all families in it, in the order of the text. */
export interface LabelledText {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
}

/** Splits values in the files so that no secret scanner takes them for live ones. The loader removes it. */
export const SPLIT_MARK = '§';

const families = new Map(FAMILIES.flatMap((family) => KINDS[family].map((kind) => [kind as string, family])));

/** The family of a kind. Throws for an unknown kind. */
export function familyOf(kind: string): Family {
  const family = families.get(kind);
  if (family === undefined) throw new Error(`There is no kind "${kind}" in the labelled set: see KINDS.`);
  return family;
}

/** The path of the file of one family in one half. */
export function fileOf(half: Half, family: Family): string {
  return join(__dirname, half, `${family}.json`);
}

/**
 * The texts of one family in one half, with {@link SPLIT_MARK} removed. About half of them hold no value of the family,
 * only look-alikes. Values of other families are labelled too: tell them apart by {@link familyOf}.
 */
export function labelledTexts(half: Half, family: Family): readonly LabelledText[] {
  const stored = JSON.parse(readFileSync(fileOf(half, family), 'utf8')) as readonly LabelledText[];
  return stored.map(({ text, spans }) => ({ text: text.replaceAll(SPLIT_MARK, ''), spans }));
}
