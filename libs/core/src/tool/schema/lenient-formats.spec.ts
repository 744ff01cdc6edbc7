import { jsonSchemaValidator } from './tool-schema.js';

const accepts = (format: string, text: string): boolean =>
  'value' in
  jsonSchemaValidator(format, { type: 'object', properties: { text: { type: 'string', format } } })({ text });

describe('a format', () => {
  it.each([
    ['date', '2024-02-29'],
    ['date', '0001-01-01'],
    ['date', '2000-02-29'],
    ['time', '10:00:00'],
    ['time', '10:00'],
    ['time', '10:00:00.123456789'],
    ['time', '10:00:00Z'],
    ['time', '10:00:00+0530'],
    ['time', '23:59:60Z'],
    ['time', '24:00:00'],
    ['date-time', '2026-11-21T10:00:00'],
    ['date-time', '2026-11-21T10:00'],
    ['date-time', '2026-11-21 10:00:00 +0100'],
    ['date-time', '2026-11-21t10:00:00.5z'],
    ['date-time', '2026-11-21T10:00:00+01:00[Europe/Paris]'],
    ['date-time', '2016-12-31T23:59:60Z'],
    ['email', 'ada@example.com'],
    ['email', 'jörg@müller.de'],
    ['email', '用户@例子.广告'],
    ['email', 'ada+bills@localhost'],
    ['email', '"ada lovelace"@example.com'],
    ['email', 'ada@[192.0.2.1]'],
    ['hostname', 'münchen.de'],
    ['hostname', '_dmarc.example.com.'],
    ['hostname', '*.example.com'],
    ['ipv6', 'fe80::1%eth0'],
    ['url', 'http://localhost:3000/a'],
    ['url', 'https://10.0.0.1/'],
    ['uuid', '7b8cdd6f52f04b5c9f2a1d3b8b7f0a11'],
    ['uuid', 'urn:uuid:7b8cdd6f-52f0-4b5c-9f2a-1d3b8b7f0a11'],
    ['duration', 'PT0.5S'],
    ['duration', '-P1D'],
    ['duration', '90s'],
    ['byte', 'SGVsbG8_LQ'],
    ['byte', 'SGVsbG8='],
    ['regex', '(?i)^ada'],
  ])('%s takes %s', (format, text) => {
    expect(accepts(format, text)).toBe(true);
  });

  it.each([
    ['date', '2026-02-30'],
    ['date', '2023-02-29'],
    ['date', '1900-02-29'],
    ['date', '2026-13-01'],
    ['date', '2026-00-10'],
    ['date', '2026-04-31'],
    ['date', '21.11.2026'],
    ['time', '25:00:00'],
    ['time', '24:00:01'],
    ['time', '10:60:00'],
    ['time', '10:00:61'],
    ['time', '10:00:00+25:00'],
    ['time', 'noon'],
    ['date-time', '2026-02-30T10:00:00Z'],
    ['date-time', '2026-11-21T25:00:00Z'],
    ['date-time', '2026-11-21'],
    ['date-time', 'tomorrow at 10:00'],
    ['email', 'ada'],
    ['email', 'ada@'],
    ['email', '@example.com'],
    ['email', 'ada@example..com'],
    ['email', 'ada lovelace@example.com'],
    ['email', 'ada@bob@example.com'],
    ['hostname', 'https://example.com'],
    ['hostname', '-example.com'],
    ['hostname', 'a b.com'],
    ['hostname', ''],
    ['ipv4', '256.0.0.1'],
    ['ipv6', '1.2.3.4'],
    ['url', 'an address'],
    ['uuid', '7b8c'],
    ['uuid', 'zb8cdd6f-52f0-4b5c-9f2a-1d3b8b7f0a11'],
    ['duration', 'an hour'],
    ['byte', 'not base64!'],
  ])('%s does not take %s', (format, text) => {
    expect(accepts(format, text)).toBe(false);
  });
});
