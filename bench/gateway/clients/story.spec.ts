import { HIDDEN_TOOL, type Played, STORY, verdictOf } from './story';

const refusal = '{"ok":false,"code":"TOOL_NOT_AVAILABLE","message":"This tool is not available."}';
const perfect: Played = {
  listed: ['tool_search', 'tool_get', 'tool_call', 'tool_call_read'].map((name) => `mcp__toolbox__${name}`),
  results: [
    'billing.get_invoice',
    '{"invoiceId":{}}',
    'Homer Simpson',
    '{"tools":[]}',
    refusal,
    refusal,
    refusal,
    '{"tools":[]}',
  ],
};
const failing = (verdict: object) =>
  Object.entries(verdict)
    .filter(([, ok]) => ok === false)
    .map(([name]) => name);
const withResult = (index: number, text: string) =>
  failing(verdictOf({ ...perfect, results: perfect.results.with(index, text) }));

describe('the verdict about a client', () => {
  it('is good where the client got exactly what its tenant may see', () => {
    expect(failing(verdictOf(perfect))).toEqual([]);
    expect(perfect.results).toHaveLength(STORY.length);
  });

  it('ignores what clients add to a result', () => {
    const timed = perfect.results.map((text, index) => `Wall time: 0.${index} seconds\n${text}`);
    expect(failing(verdictOf({ ...perfect, results: timed }))).toEqual([]);
  });

  it('fails each requirement on its own', () => {
    expect(failing(verdictOf({ ...perfect, listed: ['tool_search'] }))).toEqual(['listed']);
    expect(withResult(0, '{"tools":[]}')).toEqual(['searched']);
    expect(withResult(1, '{"tools":[]}')).toEqual(['searched']);
    expect(withResult(2, refusal)).toEqual(['called', 'killedIsRefused']);
    expect(withResult(6, 'Homer Simpson')).toEqual(['killedIsRefused']);
    expect(withResult(7, 'billing.get_invoice')).toEqual(['killedIsRefused']);
  });

  it('fails if a client can distinguish a hidden tool from an unknown one', () => {
    const listed = [...perfect.listed, 'mcp__toolbox__billing_refund_invoice'];
    expect(failing(verdictOf({ ...perfect, listed }))).toEqual(['hiddenStaysHidden']);
    expect(withResult(1, 'invoiceId: Refund a paid invoice.')).toEqual(['hiddenStaysHidden']);
    expect(withResult(3, HIDDEN_TOOL)).toEqual(['hiddenStaysHidden']);
    expect(withResult(4, 'Refunded.')).toEqual(['hiddenStaysHidden']);
    expect(withResult(4, `${refusal} Ask for access.`)).toEqual(['hiddenStaysHidden']);
  });

  it('fails what a client that ended early did not reach', () => {
    const early = verdictOf({ listed: perfect.listed, results: perfect.results.slice(0, 3) });
    expect(failing(early)).toEqual(['hiddenStaysHidden', 'killedIsRefused']);
  });
});
