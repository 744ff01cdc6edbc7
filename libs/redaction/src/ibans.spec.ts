import { ibansIn } from './ibans.js';

const found = (text: string) => Array.from(ibansIn(text, 0, text.length), ({ start, end }) => text.slice(start, end));

describe('IBANs in a text', () => {
  it.each([
    'GB82WEST12345698765432',
    'de89 3704 0044 0532 0130 00',
    'NL91-ABNA-0417-1643-00',
    'DZ58 0002 1000 0111 3000 0005 70',
  ])('are found: %s', (iban) => expect(found(`to ${iban}, please`)).toEqual([iban]));

  it('are found with a national account number that no bank would give out', () => {
    expect(found('ES55 0000 0000 0000 0000 0001')).toEqual(['ES55 0000 0000 0000 0000 0001']);
  });

  // Digits where the country has letters, or the other way round.
  it.each(['GB25 1234 1234 5698 7654 32', 'NL53 1234 0417 1643 00', 'DE0537040044053201300A'])(
    'are found though the national part has another form: %s',
    (iban) => expect(found(`to ${iban}, please`)).toEqual([iban]),
  );

  it('are none with one other digit, of another length, inside of a word, or of a country without them', () => {
    const right = 'GB82WEST12345698765432';
    for (const digit of '013456789') expect(found(`GB8${digit}${right.slice(4)}`)).toEqual([]);
    expect(found(`${right}1 ${right.slice(0, -1)} x${right} US82WEST12345698765432`)).toEqual([]);
  });
});
