import fc from 'fast-check';
import { wireName } from '../../tool/tool-name.js';
import { reservedNames } from './reserved-names.js';

describe('a name that a meta tool has', () => {
  it('is taken, and so is what a model would know by it', () => {
    const isTaken = reservedNames(['find_tools', 'find__all', 'search_document']);
    for (const name of ['tool_search', 'tool_call', 'find_tools', 'find.all', 'find__all', 'search_document']) {
      expect([name, isTaken(name)]).toEqual([name, true]);
    }
    for (const name of ['find.tools', 'Find_tools', 'crm.find_tools', 'search', 'search.document', 'tool_searches']) {
      expect([name, isTaken(name)]).toEqual([name, false]);
    }
  });

  it('is taken from exactly those whose wire name it is', () => {
    const part = fc.stringMatching(/^[a-z_.-]{1,12}$/);
    const name = fc.oneof(
      part,
      fc.tuple(part, part).map(([a, b]) => `${a}.${b}`),
      fc.stringMatching(/^[a-z._]{50,128}$/),
    );
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 3 }), (one, others) => {
        const wires = [one, ...others].map((each) => wireName(each));
        const isTaken = reservedNames(wires);
        if (!isTaken(one)) throw new Error(`${one} is known as ${wireName(one)}, which is taken`);
        for (const other of others) {
          const expected = reservedNames([wireName(one)])(other);
          if (
            expected !==
            (other === wireName(one) ||
              wireName(other) === wireName(one) ||
              other.replaceAll('.', '__') === wireName(one))
          )
            throw new Error(`${other} against ${wireName(one)}`);
        }
      }),
    );
  });
});
