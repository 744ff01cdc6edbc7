import { isObject, type JsonObject, type JsonValue } from '../../json/json.js';

/** A kind of credential by its format, as documented by its issuer or known to common secret scanners. */
interface SecretKind {
  readonly name: string;
  /** A bounded regular expression without anchors and nested quantifiers. */
  readonly pattern: string;
}

export const SECRET_KINDS: readonly SecretKind[] = [
  { name: 'AWS access key', pattern: String.raw`\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b` },
  {
    name: 'AWS secret key',
    pattern: String.raw`\baws_?secret_?(?:access_?)?key['"]?\s{0,3}[:=]\s{0,3}['"]?[A-Za-z0-9/+]{40}\b`,
  },
  { name: 'Google API key', pattern: String.raw`\bAIza[\w-]{30,60}` },
  { name: 'Google OAuth secret', pattern: String.raw`\bGOCSPX-[\w-]{20,40}` },
  { name: 'Google OAuth token', pattern: String.raw`\bya29\.[\w-]{20,400}` },
  { name: 'Azure storage key', pattern: String.raw`\bAccountKey=[A-Za-z0-9+/]{40,120}={0,2}` },
  { name: 'Azure shared access signature', pattern: String.raw`[?&]sig=[A-Za-z0-9%+/]{30,120}` },
  { name: 'Azure client secret', pattern: String.raw`\b[\w~.]{3}\dQ~[\w~.-]{31,34}` },
  { name: 'GitHub token', pattern: String.raw`\bgh[pousr]_\w{20,255}` },
  { name: 'GitHub fine-grained token', pattern: String.raw`\bgithub_pat_\w{20,255}` },
  { name: 'GitLab token', pattern: String.raw`\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt)-[\w-]{16,64}` },
  { name: 'Slack token', pattern: String.raw`\bxox[abeoprs]-[\w-]{10,250}` },
  { name: 'Slack app token', pattern: String.raw`\bxapp-\d-[\w-]{10,250}` },
  { name: 'Slack webhook', pattern: String.raw`hooks\.slack\.com/(?:services|workflows)/[\w/]{20,80}` },
  { name: 'Stripe key', pattern: String.raw`\b(?:sk|rk)_(?:live|test)_\w{10,120}` },
  { name: 'Stripe webhook secret', pattern: String.raw`\bwhsec_\w{20,80}` },
  { name: 'Twilio API key', pattern: String.raw`\bSK[0-9a-f]{32}\b` },
  { name: 'SendGrid key', pattern: String.raw`\bSG\.[\w-]{16,32}\.[\w-]{32,64}` },
  { name: 'Mailgun key', pattern: String.raw`\bkey-[0-9a-f]{32}\b` },
  { name: 'Mailchimp key', pattern: String.raw`\b[0-9a-f]{32}-us\d{1,2}\b` },
  { name: 'npm token', pattern: String.raw`\bnpm_\w{30,64}` },
  { name: 'PyPI token', pattern: String.raw`\bpypi-AgEI[\w-]{16,250}` },
  { name: 'OpenAI key', pattern: String.raw`\bsk-(?:proj-|svcacct-|admin-)?[\w-]{16,200}` },
  { name: 'Anthropic key', pattern: String.raw`\bsk-ant-[\w-]{16,200}` },
  { name: 'Hugging Face token', pattern: String.raw`\bhf_[A-Za-z0-9]{30,64}` },
  { name: 'Replicate token', pattern: String.raw`\br8_[A-Za-z0-9]{30,64}` },
  { name: 'Groq key', pattern: String.raw`\bgsk_[A-Za-z0-9]{40,64}` },
  { name: 'DigitalOcean token', pattern: String.raw`\bdo[opr]_v1_[0-9a-f]{40,80}` },
  { name: 'Shopify token', pattern: String.raw`\bshp(?:at|ca|pa|ss|ua)_[0-9a-fA-F]{24,64}` },
  { name: 'Telegram bot token', pattern: String.raw`\b\d{8,10}:AA[\w-]{32,36}` },
  { name: 'Discord bot token', pattern: String.raw`\b[MNO][\w-]{23,28}\.[\w-]{6}\.[\w-]{27,40}` },
  { name: 'Linear key', pattern: String.raw`\blin_(?:api|oauth)_\w{30,64}` },
  { name: 'Notion token', pattern: String.raw`\b(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,60})\b` },
  { name: 'Atlassian token', pattern: String.raw`\bATATT3[\w=-]{40,250}` },
  { name: 'Postman key', pattern: String.raw`\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}` },
  { name: 'Grafana token', pattern: String.raw`\bgl(?:sa|c)_[\w+/]{28,120}` },
  { name: 'Supabase token', pattern: String.raw`\bsb(?:p_[0-9a-f]{40}|_secret_[\w-]{20,64})` },
  { name: 'Databricks token', pattern: String.raw`\bdapi[0-9a-f]{32}` },
  { name: 'HashiCorp Vault token', pattern: String.raw`\bhv[sb]\.[\w-]{24,200}` },
  { name: 'Square token', pattern: String.raw`\bsq0(?:atp|csp)-[\w-]{22,60}` },
  { name: 'Facebook token', pattern: String.raw`\bEAA[A-Za-z0-9]{40,250}` },
  { name: 'Sentry token', pattern: String.raw`\bsntry[su]_[\w+/=]{40,250}` },
  { name: 'Docker token', pattern: String.raw`\bdckr_(?:pat|oat)_[\w-]{20,64}` },
  { name: 'Age secret key', pattern: String.raw`\bAGE-SECRET-KEY-1[0-9A-Z]{40,64}` },
  { name: 'JSON Web Token', pattern: String.raw`(?<![\w-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,2000}\.[\w-]{1,1000}` },
  {
    name: 'private key',
    pattern: String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[^-]{1,4000}-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?`,
  },
  {
    name: 'connection string with a password',
    pattern: String.raw`\b[a-z][a-z0-9+]{2,20}:\/\/[^\s:@/'"<>{}]{1,64}:[^\s:@/'"<>{}]{3,128}@[\w.-]{1,128}`,
  },
  { name: 'password of a database', pattern: String.raw`\b(?:Password|Pwd)=[^\s;'"<>{}]{6,128};` },
  { name: 'bearer token', pattern: String.raw`\bBearer\s{1,4}[\w.~+/-]{16,2000}=*` },
  { name: 'basic credentials', pattern: String.raw`\bBasic\s{1,4}[A-Za-z0-9+/]{16,400}={0,2}` },
];

const SHAPES = SECRET_KINDS.map(({ pattern }) => pattern).join('|');
const SHAPE = new RegExp(SHAPES);
const ALL_SHAPES = new RegExp(SHAPES, 'g');

// A fast pre-check: every credential contains one of these, and most texts contain none.
const MAY_HOLD =
  /A[KSBC][IC]A[0-9A-Z]|aws_?s|AIza|GOCSPX|ya29|AccountKey|sig=|Q~|gh[pousr]_|github_pat|gl[a-z]{2,5}[-_]|xox|xapp-|hooks\.slack|[sr]k_|whsec|SK[0-9a-f]{8}|SG\.|key-|-us\d|npm_|pypi-|sk-|hf_|r8_|gsk_|do[opr]_v1|shp|:AA|\w\.[\w-]{6}\.|lin_|secret_|ntn_|ATATT|PMAK|sb[p_]|dapi|hv[sb]\.|sq0|EAA|sntry|dckr|AGE-|eyJ|-----BEGIN|:\/\/|Password=|Pwd=|Bearer|Basic/;

/** Placeholders for credentials in documentation, which no service accepts. */
const PLACEHOLDER =
  /x{4}|X{4}|\.{3}|…|\*{3}|[<>{}$]|your|placeholder|redacted|dummy|changeme|(?:^|[-_ /:])(?:my|the|some)[-_]|[-_](?:here|key|token|secret)$|(?:^|:\/\/)(?:user|username|admin|root|postgres)?:(?:pass|password|pwd|pw|secret|passwd|token)@|0{8}|(.)\1{7}/i;

/** Keys whose string values count as credentials in any format. */
const KEYS = /^(.*[_-])?(password|passwd|secret|token|api[_-]?key|authorization|credential|private[_-]?key)s?$/i;
const MIN_KEPT_SECRET = 8;
const REDACTED = '[redacted]';

/** Whether a text contains what looks like a credential, not like a placeholder for one. */
export function hasSecret(text: string): boolean {
  return MAY_HOLD.test(text) && SHAPE.test(text) && redactedText(text) !== text;
}

/** Where a text contains what looks like a credential, not like a placeholder for one: `[start, end)`, in order. */
export function credentialsIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  if (!MAY_HOLD.test(text)) return [];
  return Array.from(text.matchAll(ALL_SHAPES))
    .filter(([found]) => !PLACEHOLDER.test(found))
    .map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
}

/** Replaces everything that looks like a credential by `[redacted]`. */
export function redactedText(text: string): string {
  if (!MAY_HOLD.test(text)) return text;
  return text.replace(ALL_SHAPES, (found) => (PLACEHOLDER.test(found) ? found : REDACTED));
}

export function isSecret(value: string, key: string): boolean {
  return hasSecret(value) || (KEYS.test(key) && value.length >= MIN_KEPT_SECRET && !PLACEHOLDER.test(value));
}

export function redactSecrets(args: JsonObject): { readonly args: JsonObject; readonly redacted: boolean } {
  let redacted = false;
  const clean = (value: JsonValue, key: string): JsonValue => {
    if (typeof value === 'string') {
      if (!isSecret(value, key)) return value;
      redacted = true;
      return REDACTED;
    }
    if (Array.isArray(value)) return value.map((item: JsonValue) => clean(item, key));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item as JsonValue, name)]));
  };
  return { args: clean(args, '') as JsonObject, redacted };
}
