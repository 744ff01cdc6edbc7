import { offeredFields } from './caller-fields.js';
import { asSaved, forgetCaller, saveCaller, savedCallers } from './saved-callers.js';

function memory(): Pick<Storage, 'getItem' | 'setItem'> & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return { texts, getItem: (key) => texts.get(key) ?? null, setItem: (key, text) => void texts.set(key, text) };
}

const ADA = { tenantId: 'acme', userId: 'ada', sessionId: 's1', agentId: 'bot', runId: 'r1', roles: ['finance'] };
const OFFERED = offeredFields({ roles: ['finance'], plan: ['starter', 'business'] });

describe('saved callers', () => {
  it('keep tenant, roles and fields, and nothing about a person', () => {
    const storage = memory();
    const saved = saveCaller(storage, 'olga@ops', { name: 'finance of acme', caller: ADA }, OFFERED);
    expect(saved).toEqual([{ name: 'finance of acme', caller: { tenantId: 'acme', roles: ['finance'] } }]);
    expect(savedCallers(storage, 'olga@ops')).toEqual(saved);
    expect([...storage.texts.values()].join()).not.toMatch(/ada|s1|bot|r1/);
  });

  it('keep of other fields those that the application offers alone', () => {
    const caller = { ...ADA, plan: 'business', email: 'ada@acme.example', phone: '1' };
    const [saved] = saveCaller(memory(), 'o', { name: 'a', caller }, OFFERED);
    expect(saved?.caller).toEqual({ tenantId: 'acme', roles: ['finance'], plan: 'business' });
    expect(asSaved(caller, { name: 'x', caller: { tenantId: 'acme' } }, OFFERED)).toEqual({
      ...ADA,
      roles: undefined,
      email: 'ada@acme.example',
      phone: '1',
    });
  });

  it('belong to one operator', () => {
    const storage = memory();
    saveCaller(storage, 'olga@ops', { name: 'mine', caller: ADA }, OFFERED);
    expect(savedCallers(storage, 'tina@acme')).toEqual([]);
  });

  it('replace one of the same name, are forgotten, and are at most 20', () => {
    const storage = memory();
    saveCaller(storage, 'o', { name: 'a', caller: ADA }, OFFERED);
    saveCaller(storage, 'o', { name: 'a', caller: { tenantId: 'globex' } }, OFFERED);
    expect(savedCallers(storage, 'o')).toEqual([{ name: 'a', caller: { tenantId: 'globex' } }]);
    expect(forgetCaller(storage, 'o', 'a')).toEqual([]);
    for (let index = 0; index < 25; index++)
      saveCaller(storage, 'o', { name: `caller ${index}`, caller: ADA }, OFFERED);
    expect(savedCallers(storage, 'o').map(({ name }) => name)).toHaveLength(20);
    expect(savedCallers(storage, 'o')[0]?.name).toBe('caller 24');
  });

  it('take the person of the typed caller with them where the tenant is the same', () => {
    const saved = { name: 'x', caller: { tenantId: 'acme', roles: ['support'] } };
    expect(asSaved(ADA, saved, OFFERED)).toEqual({ ...ADA, roles: ['support'] });
    expect(asSaved({ tenantId: 'globex', userId: 'homer' }, saved, OFFERED)).toEqual(saved.caller);
  });

  it.each(['', '{}', '[1, null, {"name": 1}]', 'not JSON'])('are none where the browser has kept %p', (text) => {
    const storage = memory();
    storage.setItem('tool-search-console callers of o', text);
    expect(savedCallers(storage, 'o')).toEqual([]);
  });

  it('are none where the browser keeps nothing', () => {
    const refuse = () => {
      throw new Error('denied');
    };
    const storage = { getItem: refuse, setItem: refuse };
    expect(savedCallers(storage, 'o')).toEqual([]);
    expect(saveCaller(storage, 'o', { name: 'a', caller: ADA }, OFFERED)).toEqual([]);
  });
});
