import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';
import type { ToolNaming } from '../../tool/tool-name.js';

const WIRE: ToolNaming = {
  shown: (name) => name.replaceAll('.', '__'),
  canonical: (name) => name.replaceAll('__', '.'),
};

async function opened(activateOn: 'call' | 'load' = 'call') {
  const loaded = { loading: 'deferred' } as const;
  const source = new FakeSource('crm', [
    { name: 'refund_invoice', description: 'Refund an invoice.', ...loaded, run: () => 'done' },
  ]);
  return openToolbox({
    sources: [source],
    options: {
      activation: { activateOn },
      exposure: { mode: 'deferred', hints: { enabled: true }, directory: { enabled: true } },
    },
  });
}

describe('a model that knows tools by other names', () => {
  it('reads those names in answers and may use them in arguments', async () => {
    const { toolbox } = await opened();
    const call = (name: string, input: unknown) => toolbox.call(name, input, { naming: WIRE });
    const found = { structured: { tools: [{ name: 'crm__refund_invoice' }] } };
    expect(await call('tool_search', { query: 'refund an invoice' })).toMatchObject(found);
    expect(await call('tool_get', { names: ['crm__refund_invoice', 'crm__no_such'] })).toMatchObject({
      structured: { tools: [{ name: 'crm__refund_invoice' }], unavailable: ['crm__no_such'] },
    });
    expect(await call('tool_call', { name: 'crm__refund_invoice' })).toMatchObject({ ok: true });
    expect(await call('tool_get', { names: 'crm__refund_invoice' })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(await call('tool_get', { names: [7] })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });

  it('gets unknown names back as it wrote them', async () => {
    const { toolbox } = await opened();
    const naming: ToolNaming = { shown: (name) => `shown_${name}`, canonical: (name) => name.replace(/^shown_/, '') };
    const get = { names: ['shown_crm.refund_invoice', 'no__such'] };
    expect(await toolbox.call('tool_get', get, { naming })).toMatchObject({
      structured: { tools: [{ name: 'shown_crm.refund_invoice' }], unavailable: ['no__such'] },
    });
  });

  it('reads them in prompt parts', async () => {
    const { toolbox } = await opened();
    const { prompt } = await toolbox.surface({ text: 'refund an invoice', naming: WIRE });
    expect(prompt.hints).toContain('crm__refund_invoice');
    expect(prompt.directory).toContain('crm__refund_invoice');
    expect(JSON.stringify(prompt)).not.toContain('crm.refund');
  });

  it('loads by them', async () => {
    const { toolbox } = await opened('load');
    const load = (names: readonly string[]) => toolbox.call('tool_load', { names }, { naming: WIRE });
    expect(await load(['crm__refund_invoice', 'crm__no_such'])).toMatchObject({
      structured: { activated: ['crm__refund_invoice'], unavailable: ['crm__no_such'] },
    });
    expect(await load(['crm__refund_invoice'])).toMatchObject({
      structured: { alreadyActive: ['crm__refund_invoice'] },
    });
  });
});
