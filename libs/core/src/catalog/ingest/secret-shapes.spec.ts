import { demandsSecret, lacksSecret, schemaWithoutSecrets } from './schema-secrets.js';
import { hasSecret, redactedText, SECRET_KINDS } from './secret-shapes.js';

// Made up, and assembled here so that the repository contains nothing that looks like a credential.
const A = 'aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY0zC';
const HEX = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const SAMPLES: Readonly<Record<string, string>> = {
  'AWS access key': `AKIA${'QX7ZB2K9MWJ4T6PL'}`,
  'AWS secret key': `aws_secret_access_key = ${A}wJalrXUt`,
  'Google API key': `AIza${A}Xyz`,
  'Google OAuth secret': `GOCSPX-${A.slice(0, 28)}`,
  'Google OAuth token': `ya29.${A}`,
  'Azure storage key': `AccountKey=${A}${A}==`,
  'Azure shared access signature': `https://a.blob.core.windows.net/c?sv=2024&sig=${A}%3D`,
  'Azure client secret': `abc8Q~${A}xy`,
  'GitHub token': `ghp_${A}1234`,
  'GitHub fine-grained token': `github_pat_${A}`,
  'GitLab token': `glpat-${A.slice(0, 20)}`,
  'Slack token': `xoxb-2345678901-${A}`,
  'Slack app token': `xapp-1-A0123-${A}`,
  'Slack webhook': `https://hooks.slack.com/services/T02AB/B03CD/${A}`,
  'Stripe key': `sk_live_${A}`,
  'Stripe webhook secret': `whsec_${A}`,
  'Twilio API key': `SK${HEX}`,
  'SendGrid key': `SG.${A.slice(0, 22)}.${A}${A.slice(0, 11)}`,
  'Mailgun key': `key-${HEX}`,
  'Mailchimp key': `${HEX}-us12`,
  'npm token': `npm_${A}abcd`,
  'PyPI token': `pypi-AgEI${A}`,
  'OpenAI key': `sk-proj-${A}`,
  'Anthropic key': `sk-ant-api03-${A}`,
  'Hugging Face token': `hf_${A}`,
  'Replicate token': `r8_${A}`,
  'Groq key': `gsk_${A}${A.slice(0, 20)}`,
  'DigitalOcean token': `dop_v1_${HEX}${HEX}`,
  'Shopify token': `shpat_${HEX}`,
  'Telegram bot token': `123456789:AA${A}x`,
  'Discord bot token': `M${A.slice(0, 24)}.Gx1y2Z.${A}`,
  'Linear key': `lin_api_${A}`,
  'Notion token': `ntn_${A}${A.slice(0, 12)}`,
  'Atlassian token': `ATATT3${A}${A}`,
  'Postman key': `PMAK-${HEX.slice(0, 24)}-${HEX}ab`,
  'Grafana token': `glsa_${A}`,
  'Supabase token': `sbp_${HEX}12345678`,
  'Databricks token': `dapi${HEX}`,
  'HashiCorp Vault token': `hvs.${A}`,
  'Square token': `sq0atp-${A}`,
  'Facebook token': `EAA${A}${A}`,
  'Sentry token': `sntrys_${A}${A}`,
  'Docker token': `dckr_pat_${A}`,
  'Age secret key': `AGE-SECRET-KEY-1${A.toUpperCase()}${A.toUpperCase().slice(0, 20)}`,
  'JSON Web Token': `eyJ${A}.eyJ${A}.${A}`,
  'private key': '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----',
  'connection string with a password': 'postgres://svc:Tr0ub4dor@db.internal:5432/app',
  'password of a database': 'Server=db;User Id=svc;Password=Tr0ub4dor!;',
  'bearer token': `Authorization: Bearer ${A}`,
  'basic credentials': `Authorization: Basic ${Buffer.from('svc:Tr0ub4dor-and-3').toString('base64')}`,
};

describe('a credential', () => {
  it('is known in at least 25 kinds, each with a sample here', () => {
    expect(SECRET_KINDS.length).toBeGreaterThanOrEqual(25);
    expect(Object.keys(SAMPLES)).toEqual(SECRET_KINDS.map(({ name }) => name));
  });

  it.each(SECRET_KINDS.map(({ name }) => name))('is taken out of a text: %s', (name) => {
    const sample = SAMPLES[name]!;
    expect(hasSecret(`use ${sample} now`)).toBe(true);
    const text = redactedText(`before ${sample} after`);
    expect(text).toMatch(/^before .*\[redacted\].* after$/s);
    expect(text).not.toContain(sample);
  });

  it.each([
    'sk-...',
    'sk-xxxxxxxxxxxxxxxxxxxxxxxx',
    'YOUR_TOKEN',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'Bearer <token>',
    'Bearer YOUR_ACCESS_TOKEN_HERE',
    'Authorization: Bearer ${ACCESS_TOKEN_VALUE}',
    'sk-your-api-key-goes-here',
    'postgres://user:password@localhost:5432/db',
    'mysql://<user>:<password>@host/db',
    'AKIAXXXXXXXXXXXXXXXX',
    'npm_0000000000000000000000000000000000',
    'https://example.com/path:8080/a@b',
    'task-key-management',
    'Basic authentication',
    'Bearer token',
    'mailto:someone@example.com',
    '123e4567-e89b-12d3-a456-426614174000',
  ])('is not found in a placeholder: %s', (text) => {
    expect([hasSecret(text), redactedText(text)]).toEqual([false, text]);
  });

  it('is looked for in a moment, however long the text', () => {
    for (const part of ['sk-', 'eyJ', 'eyJa.', '://', '-----BEGIN ', 'a:', 'Bearer ', 'Password=', 'SG.', 'A', '0']) {
      redactedText(part.repeat(Math.floor(65_536 / part.length)));
    }
  });
});

describe('a schema', () => {
  const token = SAMPLES['GitHub token']!;

  it('loses defaults, examples and words that hold a credential, and demands what it did', () => {
    const schema = {
      type: 'object',
      description: `Use ${token}.`,
      properties: {
        default: { type: 'string', default: token, examples: ['x', token], minLength: 3 },
        password: { type: 'string', default: 'Tr0ub4dor-and-3' },
        limit: { type: 'integer', default: 10, examples: [5] },
      },
      required: ['limit'],
    };
    expect(schemaWithoutSecrets(schema)).toEqual({
      redacted: true,
      schema: {
        type: 'object',
        description: 'Use [redacted].',
        properties: {
          default: { type: 'string', minLength: 3 },
          password: { type: 'string' },
          limit: { type: 'integer', default: 10, examples: [5] },
        },
        required: ['limit'],
      },
    });
  });

  it('without one is the very same', () => {
    const schema = { type: 'object', properties: { token: { type: 'string', default: '<token>', enum: ['a'] } } };
    expect(schemaWithoutSecrets(schema).schema).toBe(schema);
    expect(demandsSecret(schema)).toBe(false);
  });

  it('that demands one is not changed, but found', () => {
    for (const schema of [{ properties: { a: { const: token } } }, { properties: { a: { enum: ['x', token] } } }]) {
      expect(schemaWithoutSecrets(schema).redacted).toBe(false);
      expect(demandsSecret(schema)).toBe(true);
    }
  });
});

describe('a schema from which a credential was removed', () => {
  it.each<[string, object]>([
    ['the name of a property', { properties: { '[removed]': { type: 'string' } } }],
    ['a part of such a name', { properties: { a: { properties: { 'x-[removed]': {} } } } }],
    ['a property that is named like a keyword', { properties: { title: { enum: ['[removed]'] } } }],
    ['a value', { properties: { a: { enum: ['a', 'x[removed]'] } } }],
    ['a value within a value', { const: { title: ['[removed]'] } }],
    ['a pattern', { patternProperties: { '^[removed]': {} } }],
    ['a required name', { required: ['[removed]'] }],
    ['a reference', { items: { $ref: '#/$defs/[removed]' } }],
  ])('accepts something else: %s', (_, schema) => {
    expect(lacksSecret(schema)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a description', { properties: { a: { description: '[removed]', title: '[removed]' } } }],
    ['a default and examples', { default: '[removed]', examples: ['[removed]'] }],
    ['an extension', { 'x-note': { said: '[removed]' } }],
    ['nothing', { properties: { removed: { type: 'string' } } }],
    ['no schema', undefined],
  ])('accepts the same: %s', (_, schema) => {
    expect(lacksSecret(schema)).toBe(false);
  });

  it('has no default and no example that a caller would send in its place', () => {
    const a = { type: 'string', default: 'x[removed]', examples: ['[removed]', 'b'] };
    const { schema, redacted } = schemaWithoutSecrets({ properties: { a, b: { default: { deep: ['[removed]'] } } } });
    expect([schema, redacted]).toEqual([{ properties: { a: { type: 'string' }, b: {} } }, true]);
  });
});
