import {
  isLuhn,
  isEan13,
  isNir,
  isSteuerId,
  isBsn,
  isPesel,
  isSvnr,
  isPersonnummer,
  isCpf,
  isSpanishId,
  isCodiceFiscale,
  isSsn,
} from './checksums.js';

/** A right number of each rule, from public examples or made up. */
const RIGHT = [
  [isLuhn, '4111111111111111'],
  [isEan13, '7569217076985'],
  [isNir, '255081416802538'],
  [isSteuerId, '86095742719'],
  [isBsn, '111222333'],
  [isPesel, '44051401359'],
  [isSvnr, '1237010180'],
  [isPersonnummer, '8112189876'],
  [isCpf, '52998224725'],
  [isSpanishId, '12345678Z'],
  [isCodiceFiscale, 'RSSMRA85T10A562S'],
  [isSsn, '826382651'],
] as const;

describe.each(RIGHT.map(([isRight, right]) => ({ name: isRight.name, isRight, right })))(
  '$name',
  ({ isRight, right }) => {
    it('accepts a right number', () => expect(isRight(right)).toBe(true));

    if (isRight === isSsn) {
      it.each(['000382651', '666382651', '926382651', '826002651', '826380000'])('refuses %s', (wrong) => {
        expect(isRight(wrong)).toBe(false);
      });
    } else {
      it('refuses every number with one other digit at its end', () => {
        const last = right.at(-1) ?? '';
        const others = Array.from(/\d/.test(last) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ').filter(
          (char) => char !== last,
        );
        const wrong = others.filter((char) => isRight(right.slice(0, -1) + char));
        // Modulo 10 finds every wrong digit; modulo 11 and 97 of a NIR and the dates of birth as well.
        expect(wrong).toEqual([]);
      });
    }
  },
);
