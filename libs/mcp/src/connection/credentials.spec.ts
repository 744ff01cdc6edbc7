import { sharesTraces } from './credentials.js';

const at = (url: string, ...allow: string[]) => ({ url, egress: { allow } });

it.each([
  ['a child process', { command: 'server' }, false, true],
  ['this machine', at('http://localhost:3000/mcp'), false, true],
  ['a place that is allowed by its name', at('http://tools.internal/mcp', 'tools.internal'), false, true],
  ['an address that is allowed', at('http://10.1.2.3/mcp', '10.0.0.0/8'), true, true],
  ['a public place', at('https://mcp.example.com', '10.0.0.0/8'), false, false],
  ['a public address that is listed', at('https://8.8.8.8/mcp', '8.8.8.8'), false, false],
  ['this machine, for a tenant who did not get it', at('http://localhost:3000/mcp'), true, false],
])(
  'whether %s learns of traces follows from its place, unless the application says it',
  (_, server, isOwned, shares) => {
    expect(sharesTraces(server, isOwned, undefined)).toBe(shares);
    expect(sharesTraces(server, isOwned, true)).toBe(true);
    expect(sharesTraces(server, isOwned, false)).toBe(false);
  },
);
