import { namedLoopback } from './named-loopback.js';

describe('namedLoopback', () => {
  it.each([
    ['http://localhost:3000/mcp', ['localhost']],
    ['http://127.0.0.1:8080', ['127.0.0.1']],
    ['http://[::1]/', ['::1']],
    ['http://0x7f000001/', ['127.0.0.1']],
    ['http://localhost.example', []],
    ['http://10.0.0.1', []],
    ['http://169.254.169.254', []],
    ['https://api.example.com', []],
  ])('takes %s for %j', (url, hosts) => {
    expect(namedLoopback(url)).toEqual(hosts);
  });
});
