import { isOwnHost } from './own-host.middleware.js';

it.each([
  'localhost',
  'localhost:3000',
  'LOCALHOST',
  'app.localhost:80',
  '127.0.0.1:3000',
  '192.168.1.7',
  '[::1]:3000',
  '[fe80::1]',
])('serves %s', (host) => expect(isOwnHost(host)).toBe(true));

it.each([
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  'notlocalhost',
  '127.0.0.1.evil.example',
  '',
  ':3000',
  '[::1',
  'a b.localhost',
])('does not serve %j', (host) => expect(isOwnHost(host)).toBe(false));
