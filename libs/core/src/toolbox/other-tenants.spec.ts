import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox } from '../testing/open-toolbox.js';

const OPERATOR = { actor: 'olga', reason: 'an incident' };
const NOW = 1_800_000_000_000;

/** Runs something between two requests of tenant `acme`. Returns everything that the second request received. */
async function told(happens: (world: OpenToolbox) => Promise<unknown>): Promise<string> {
  const world = await openToolbox({
    sources: [
      new FakeSource('files', ['read_file', 'write_file']),
      new FakeSource('crm', ['list_deals'], { owner: 'globex' }),
    ],
    visibility: { filter: (tools) => tools.filter(({ name }) => name !== 'files.write_file') },
    now: () => NOW,
  });
  await world.toolbox.get(['files.read_file']);
  await world.toolbox.pause();
  await happens(world);
  const asked = world.open();
  const resumed = await asked.resume();
  const { revision, ...surface } = await asked.surface();
  const search = await asked.search({ query: 'read a file' });
  await world.close();
  return JSON.stringify({ resumed, revision, surface, search });
}

describe('what happens to others leaves no trace', () => {
  const nothing = told(async () => undefined);

  it.each<[string, (world: OpenToolbox) => Promise<unknown>]>([
    [
      "the arrival of another tenant's source",
      ({ catalog }) => catalog.add(new FakeSource('erp', ['book'], { owner: 'globex' })),
    ],
    [
      "a switch for another tenant's tool",
      ({ killSwitches }) => killSwitches.engage({ kind: 'tool', value: 'crm.list_deals', ...OPERATOR }),
    ],
    [
      'a switch for another tenant',
      ({ killSwitches }) => killSwitches.engage({ kind: 'glob', value: 'files.*', tenantId: 'globex', ...OPERATOR }),
    ],
    [
      'a switch for a hidden tool',
      ({ killSwitches }) => killSwitches.engage({ kind: 'tool', value: 'files.write_file', ...OPERATOR }),
    ],
    [
      'the policy of another tenant',
      ({ storedPolicies }) => storedPolicies.set({ tenantId: 'globex' }, { deny: ['files.*'] }, OPERATOR),
    ],
    [
      'the policy of an agent that does not ask',
      ({ storedPolicies }) => storedPolicies.set({ agentId: 'other' }, { deny: ['files.*'] }, OPERATOR),
    ],
  ])('%s', async (_, happens) => {
    expect(await told(happens)).toBe(await nothing);
  });

  it.each<[string, (world: OpenToolbox) => Promise<unknown>]>([
    [
      'a switch for a tool that it sees',
      ({ killSwitches }) => killSwitches.engage({ kind: 'tool', value: 'files.read_file', ...OPERATOR }),
    ],
    [
      'its own policy',
      ({ storedPolicies }) => storedPolicies.set({ tenantId: 'acme' }, { approval: ['files.*'] }, OPERATOR),
    ],
  ])('but a tenant sees %s', async (_, happens) => {
    expect(JSON.parse(await nothing).resumed.policyChanged).toBe(false);
    expect(JSON.parse(await told(happens)).resumed.policyChanged).toBe(true);
  });

  it('but the revision is another one when a tool arrives that the tenant sees', async () => {
    const arrives = ({ catalog }: OpenToolbox) => catalog.add(new FakeSource('erp', ['book']));
    expect(JSON.parse(await told(arrives)).revision).not.toBe(JSON.parse(await nothing).revision);
  });
});
