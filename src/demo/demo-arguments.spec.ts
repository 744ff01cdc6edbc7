import { demoArguments } from './demo-arguments.js';

describe('the arguments of the demo', () => {
  it('name requests and who makes them', () => {
    expect(demoArguments(['--ask', 'a', '--ask', 'b', '--tenant', 'globex', '--json'])).toEqual({
      asks: [
        { text: 'a', tenant: 'acme' },
        { text: 'b', tenant: 'globex' },
      ],
      json: true,
      console: false,
      help: false,
    });
  });

  it.each([
    ['an unknown flag', ['--aks', 'a'], "Unknown option '--aks'"],
    ['a word without a flag', ['refund'], 'Unexpected argument'],
    ['a request without words', ['--ask', ' '], '--ask needs a text.'],
    ['a flag without a value', ['--ask'], '--ask'],
    ['a tenant that is not there', ['--ask', 'a', '--tenant', 'acne'], 'There is no demo tenant acne.'],
    ['a tenant without a request', ['--tenant', 'acme'], '--tenant must follow the --ask it belongs to.'],
    ['the console with JSON', ['--console', '--json'], '--console does not go with --json.'],
    ['two tenants of one request', ['--ask', 'a', '--tenant', 'acme', '--tenant', 'globex'], '--tenant must follow'],
  ])('are refused with the usage: %s', (_, args, reason) => {
    expect(() => demoArguments(args)).toThrow(reason);
    expect(() => demoArguments(args)).toThrow(
      'Usage: npm run demo -- [--ask TEXT [--tenant acme|globex]]… [--json | --console]',
    );
  });
});
