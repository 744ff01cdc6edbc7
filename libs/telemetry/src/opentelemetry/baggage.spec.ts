import { propagation } from '@opentelemetry/api';
import fc from 'fast-check';
import { baggageMembers, baggageText, isBaggageKey } from './baggage.js';

const KEYS = ['tier', 'region'];
const BLANKS = ' \t'.repeat(1000);

function passedOn(given: unknown, keys: readonly string[] = KEYS): string | undefined {
  const entries = baggageMembers(given, keys).map(([key, value]) => [key, { value }] as const);
  return baggageText(propagation.createBaggage(Object.fromEntries(entries)), keys);
}

it.each([
  ['members that are named', 'tier=gold,region=eu', 'tier=gold,region=eu'],
  ['no other member', 'tier=gold,user=ada,secret=x', 'tier=gold'],
  ['spaces around a member', ' tier = gold , region=eu', 'tier=gold,region=eu'],
  ['a member without its properties', 'tier=gold;secret=x;y,region=eu', 'tier=gold,region=eu'],
  ['encoded values', 'tier=%C3%A4%20b', 'tier=%C3%A4%20b'],
  ['the last of two members of one key', 'tier=a,tier=b', 'tier=b'],
  ['the other members beside a malformed one', 'tier=%E0%A4,region=eu', 'region=eu'],
  ['the other members beside one with a quotation mark', 'tier="a",region=eu', 'region=eu'],
  ['the other members beside one with many blanks and no value', `tier=${' '.repeat(8000)}",region=eu`, 'region=eu'],
  ['a member with many blanks around its parts', `tier${BLANKS}=${BLANKS}gold${BLANKS};secret=x`, 'tier=gold'],
  ['a value with a sign of equality', 'tier=a=b', 'tier=a%3Db'],
  ['an empty value', 'tier=,region= ;x', 'tier=,region='],
  ['the other members beside one without a value', 'tier,tier;x=y,=gold,region=eu', 'region=eu'],
])('hands on %s', (_, given, expected) => {
  expect(passedOn(given)).toBe(expected);
});

it.each([
  ['what is no text', ['tier=gold']],
  ['more than 8 KB', `tier=gold,other=${'a'.repeat(8192)}`],
  ['more than 180 members', `tier=gold${',a=b'.repeat(180)}`],
  ['a line break', 'tier=a\r\nx: y'],
  ['a line break at the end of a member', 'tier=a\r\n'],
  ['blanks that are not ASCII', 'tier=\u00a0a'],
  ['nothing', ''],
])('hands on nothing of %s', (_, given) => {
  expect(passedOn(given)).toBeUndefined();
});

it('hands on nothing where no key is named', () => {
  expect(passedOn('tier=gold', [])).toBeUndefined();
  expect(baggageText(undefined, KEYS)).toBeUndefined();
});

it('leaves out members of the application that do not fit into 8 KB or are no text of Unicode', () => {
  const baggage = propagation.createBaggage({
    tier: { value: 'ä'.repeat(1400) },
    region: { value: 'eu' },
    broken: { value: '\ud800' },
  });
  expect(baggageText(baggage, ['broken', 'tier', 'region'])).toBe('region=eu');
});

it('what is handed on can be a header of at most 8 KB, whatever came in', () => {
  const member = fc.tuple(fc.constantFrom('tier', 'region', 'x'), fc.string({ unit: 'binary', maxLength: 3000 }));
  fc.assert(
    fc.property(fc.array(member, { maxLength: 5 }), (members) => {
      const texts = [members.map((pair) => pair.join('=')).join(',')];
      const baggage = propagation.createBaggage(Object.fromEntries(members.map(([key, value]) => [key, { value }])));
      for (const text of [...texts.map((given) => passedOn(given)), baggageText(baggage, KEYS)]) {
        if (text !== undefined) expect(text).toMatch(/^[\x21-\x7e]{1,8192}$/);
      }
    }),
  );
});

it.each([
  ['tenant.tier', true],
  ['a', true],
  ['', false],
  ['a b', false],
  ['a=b', false],
  ['ä', false],
])('the key %j is %s', (key, isLegal) => {
  expect(isBaggageKey(key)).toBe(isLegal);
});
