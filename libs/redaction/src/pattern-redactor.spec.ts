import fc from 'fast-check';
import { COUNTRIES, KINDS } from './finding.js';
import { PatternRedactor, type PatternRedactorOptions } from './pattern-redactor.js';

const { signal } = new AbortController();
const redacted = async (text: string, options?: PatternRedactorOptions, key = '') =>
  (await new PatternRedactor(options).redact([{ text, key }], { signal }))[0];

// Assembled here, so that the repository holds nothing that looks like a credential.
const TOKEN = `ghp_${'aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY0zC'}1234`;

describe('a redactor', () => {
  it('puts the kind in the place of the value and leaves the rest', async () => {
    const text =
      `Mail ada@example.org or call +44 20 7946 0321; pay DE89 3704 0044 0532 0130 00 or 4111 1111 1111 1111; ` +
      `SSN 826-38-2651; token ${TOKEN}.`;
    expect(await redacted(text)).toBe(
      'Mail [email] or call [phone]; pay [iban] or [card]; SSN [national-id]; token [secret].',
    );
  });

  it.each([
    ['Authorization: Bearer q8Zk2LmN4pRs6TuVwXyZ', 'Authorization: Bearer [secret]'],
    ['postgres://svc:Tr0ub4dor@db:5432/app', 'postgres://svc:[secret]@db:5432/app'],
    ['password: Winter-Regen-77!', 'password: [secret]'],
    ['{{ vault.password }} password=${DB_PASSWORD}', '{{ vault.password }} password=${DB_PASSWORD}'],
    ['Das Passwort für das WLAN: Kastanie$4821', 'Das Passwort für das WLAN: [secret]'],
    ['mysql --password Kastanie4821 shop', 'mysql --password [secret] shop'],
    ['<password>Kastanie</password>', '<password>[secret]</password>'],
    ['user,password\nada,Kastanie', 'user,password\nada,[secret]'],
    ['aws AKIAQX7ZB2K9MWJ4T6PL, aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY0zCaB3dE5gH', 'aws [secret], [secret]'],
    ['nextPageToken=q8Zk2LmN4pRs6TuVwXyZ', 'nextPageToken=q8Zk2LmN4pRs6TuVwXyZ'],
    ['git@github.com:acme/x.git root@10.0.0.5 logo@2x.png', 'git@github.com:acme/x.git root@10.0.0.5 logo@2x.png'],
    ['请联系ada@example.com谢谢', '请联系[email]谢谢'],
    ['tel\n12', 'tel\n12'],
    ['id,phone\n17,0639982210', 'id,phone\n17,[phone]'],
    ['030 23125417 (Büro)', '[phone] (Büro)'],
    ['Numéro SIRET 123 456 789 00012', 'Numéro SIRET 123 456 789 00012'],
    ['sha1 4111111111111111a, 0.4111111111111111', 'sha1 4111111111111111a, 0.4111111111111111'],
    ['IMEI 357704693321925, 2025-02-03 04:05:06', 'IMEI 357704693321925, 2025-02-03 04:05:06'],
    ['Karte 4111\u20111111\u20111111\u20111111, SSN 826\u201338\u20132651', 'Karte [card], SSN [national-id]'],
    ['Card 4111\u20091111\u20091111\u20091111, SSN 826\u00ad38\u00ad2651', 'Card [card], SSN [national-id]'],
    ['ada\u00ad@exam\u00adple.org, ad\u200ba@example.org', '[email], [email]'],
    ['DE89\t3704\t0044\t0532\t0130\t00', '[iban]'],
    ['４１１１　１１１１　１１１１　１１１１', '[card]'],
    ['Tel ٠٣٠ ٢٣١٢٥٤١٧', 'Tel [phone]'],
    ['ａｄａ＠example．org．次に', '[email]．次に'],
    ['DE89370400440532013000¹, ② 4111111111111111', '[iban]¹, ② [card]'],
    ['ada@example.org–thanks', '[email]–thanks'],
    ['Konto\u200bDE89370400440532013000', 'Konto\u200b[iban]'],
    ['\u001b[1mDE89370400440532013000\u001b[0m', '\u001b[1m[iban]\u001b[0m'],
    ['Mobile\u0301 te\u0301l 0639982210', 'Mobile\u0301 te\u0301l [phone]'],
    [
      'https://a.example/?to=ada%40example.org&card=4111+1111+1111+1111&tel=%2B49%2030%2023125417',
      'https://a.example/?to=[email]&card=[card]&tel=[phone]',
    ],
    [
      'https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fmail%3Dada%2540example.org',
      'https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fmail%3D[email]',
    ],
    [
      'phone,link\n17,https://a.example/%20\n18,%2B49%2030%2023125417',
      'phone,link\n17,https://a.example/%20\n18,[phone]',
    ],
    ['BSN 111222333 but order 111222333', 'BSN [national-id] but order 111222333'],
  ])('%s', async (text, wanted) => {
    expect(await redacted(text)).toBe(wanted);
  });

  it('reads the name of the member that holds a text, and of the entry that holds a value', async () => {
    expect(await redacted('Kastanie', {}, 'dbPassword')).toBe('[secret]');
    expect(await redacted('111222333', {}, 'bsn')).toBe('[national-id]');
    expect(await redacted('493023125417', {}, 'phone_number')).toBe('[phone]');
    expect(await redacted('111222333', {}, 'order_id')).toBe('111222333');
    const entry = [
      { text: 'DB_PASSWORD', key: 'name' },
      { text: 'Kastanie', key: 'value' },
    ];
    expect(await new PatternRedactor().redact(entry, { signal })).toEqual(['DB_PASSWORD', '[secret]']);
  });

  it('finds private keys of any length, also without their end', async () => {
    const body = `${'Ab1+/'.repeat(13)}\n`.repeat(200);
    const begin = '-----BEGIN RSA PRIVATE KEY-----\n';
    expect(await redacted(`a ${begin}${body}-----END RSA PRIVATE KEY----- b`)).toBe('a [secret] b');
    expect(await redacted(`a ${begin}${body}`)).toBe('a [secret]');
  });

  it('finds values wherever they stand in a long text', async () => {
    const filler = 'lorem ipsum dolor sit amet, '.repeat(300);
    for (const at of [0, 8150, 8170, 8185, 8190, 8192, 8200]) {
      const before = filler.slice(0, at - 1).padEnd(at, ' ');
      expect(await redacted(`${before}ada@example.org, DE89370400440532013000, ${TOKEN} ${filler}`)).toBe(
        `${before}[email], [iban], [secret] ${filler}`,
      );
    }
  });

  it('looks only for the kinds and countries that are set', async () => {
    const text = 'ada@example.org, BSN 111222333, SSN 826-38-2651';
    expect(await redacted(text, { kinds: ['email'] })).toBe('[email], BSN 111222333, SSN 826-38-2651');
    expect(await redacted(text, { countries: ['nl'] })).toBe('[email], BSN [national-id], SSN 826-38-2651');
    expect(await redacted(text, { kinds: [], countries: [] })).toBe(text);
    expect(() => new PatternRedactor({ kinds: ['mail' as never] })).toThrow('kinds');
    expect([KINDS.length, COUNTRIES.length]).toEqual([6, 12]);
  });

  it('stops when the call ends', async () => {
    const texts = [{ text: 'ada@example.org', key: '' }];
    await expect(new PatternRedactor().redact(texts, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });

  it('does not change a text that it has redacted', async () => {
    const part = fc.constantFrom('ada@example.org', TOKEN, '+493023125417', '4111111111111111', 'password: "Xy7?Xy7?"');
    const text = fc.array(fc.oneof(part, fc.string(), fc.constantFrom(' ', '\n', ', ')), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        const once = await redacted(parts.join(' '));
        expect(await redacted(once ?? '')).toBe(once);
      }),
    );
  });
});
