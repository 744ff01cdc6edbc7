import type { ToolContent } from '../../../tool/tool-definition.js';
import { failure } from '../../../tool/tool-result.js';
import { withDefaults } from '../../../options/options.js';
import { boundOutput } from '../../call/bound.js';
import { type RedactionFacts, type RedactionOptions, redactionSchema, ResultRedaction } from './result-redaction.js';
import type { RedactionCall, ResultRedactor, ResultText } from './result-redactor.js';

const MAX_BYTES = 100_000;
const { signal } = new AbortController();

/** Replaces each `red…` word, and notes what it was asked. */
class WordRedactor implements ResultRedactor {
  readonly asked: { readonly texts: readonly ResultText[]; readonly call: RedactionCall }[] = [];

  redact(texts: readonly ResultText[], call: RedactionCall): readonly string[] {
    this.asked.push({ texts, call });
    return texts.map(({ text }) => text.replaceAll(/red\w*/g, '[gone]').replaceAll('1234567', '[number]'));
  }
}

const redactionOf = (redactor: ResultRedactor, options: Omit<RedactionOptions, 'redactor'> = {}) =>
  new ResultRedaction(withDefaults(redactionSchema, { redactor, ...options }));

const text = (own: string): ToolContent => ({ type: 'text', text: own });

describe('the redaction of a result', () => {
  it('covers all tools, or those that are named and not excepted', () => {
    const all = redactionOf(new WordRedactor());
    expect(all.covers('crm.read')).toBe(true);
    const some = redactionOf(new WordRedactor(), { tools: ['crm.*', 'mail.send'], except: ['crm.ping'] });
    expect(['crm.read', 'crm.ping', 'mail.send', 'mail.read'].map((tool) => some.covers(tool))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(some.of('mail.read', signal)).toBeUndefined();
  });

  it('reads texts, JSON in texts, resources, links and structured content, in one call', async () => {
    const redactor = new WordRedactor();
    const facts: RedactionFacts = {};
    const content: ToolContent[] = [
      text('a red1 word'),
      text('{"n": 1234567, "in": "{\\"b\\":\\"red2\\"}", "blue": 1}'),
      { type: 'image', data: 'red3', mimeType: 'red4' },
      { type: 'resource_link', uri: 'a://red5', name: 'red6', mimeType: 'text/red' },
      { type: 'resource', resource: { uri: 'b://c', text: '["red7"]', mimeType: 'red' } },
      { type: 'resource', resource: { uri: 'b://red8', blob: 'red9' } },
    ];
    const structured = { list: ['red10', 1234567], red11: { red12: true }, same: 1.5 };
    const call = redactionOf(redactor).of('crm.read', signal, facts)!;
    expect(await call.output(boundOutput({ content, structured }, MAX_BYTES), MAX_BYTES)).toEqual({
      content: [
        text('a [gone] word'),
        text('{"n": "[number]", "in": "{\\"b\\":\\"[gone]\\"}", "blue": 1}'),
        content[2],
        { type: 'resource_link', uri: 'a://[gone]', name: '[gone]', mimeType: 'text/red' },
        { type: 'resource', resource: { uri: 'b://c', text: '["[gone]"]', mimeType: 'red' } },
        { type: 'resource', resource: { uri: 'b://[gone]', blob: 'red9' } },
      ],
      structured: { list: ['[gone]', '[number]'], '[gone]': { '[gone]': true }, same: 1.5 },
      truncated: false,
    });
    expect(redactor.asked).toHaveLength(1);
    expect(redactor.asked[0]!.call.tool).toBe('crm.read');
    expect(redactor.asked[0]!.texts).toContainEqual(expect.objectContaining({ text: '1234567', key: 'list' }));
    expect(facts).toEqual({ redacted: 11 });
  });

  it('returns the very same output without a finding', async () => {
    const output = boundOutput({ content: [text('{ "a": 1 }')], structured: { a: 1 } }, MAX_BYTES);
    const call = redactionOf(new WordRedactor()).of('crm.read', signal)!;
    expect(await call.output(output, MAX_BYTES)).toBe(output);
  });

  it('drops the end of a text that was cut, where half a value may be', async () => {
    const output = boundOutput({ content: [text('blue '.repeat(1000))] }, 1024);
    const { content, truncated } = await redactionOf(new WordRedactor()).of('crm.read', signal)!.output(output, 1024);
    expect(truncated).toBe(true);
    expect(content[0]).toMatchObject({ text: 'blue '.repeat(1000).slice(0, 1024 - 128) });
  });

  it('bounds what the redactor makes longer', async () => {
    const longer: ResultRedactor = { redact: (texts) => texts.map((own) => own.text.repeat(100)) };
    const output = boundOutput({ content: [text('x'.repeat(500))] }, 1024);
    const { content, truncated } = await redactionOf(longer).of('crm.read', signal)!.output(output, 1024);
    expect([truncated, content[0]]).toEqual([true, text('x'.repeat(1024))]);
  });

  const broken: readonly (readonly [string, ResultRedactor])[] = [
    ['throws', { redact: () => { throw new Error('red secret'); } }],
    ['rejects', { redact: () => Promise.reject(new Error('red secret')) }],
    ['is late', { redact: () => new Promise(() => undefined) }],
    ['loses a text', { redact: (texts) => texts.slice(1).map((own) => own.text) }],
    ['adds a text', { redact: (texts) => [...texts.map((own) => own.text), ''] }],
    ['returns no texts', { redact: (texts) => texts.map(() => undefined) as never }],
    ['returns nothing', { redact: () => undefined as never }],
  ]; // prettier-ignore

  it.each(broken)('withholds the whole result if the redactor %s', async (_, redactor) => {
    const faults: unknown[] = [];
    const redaction = new ResultRedaction(
      withDefaults(redactionSchema, { redactor, timeoutMs: 20 }),
      (...fault) => void faults.push(fault),
    );
    const call = redaction.of('crm.read', signal)!;
    const output = boundOutput({ content: [text('red 1')], structured: { red: 2 } }, MAX_BYTES);
    const refused = await call.output(output, MAX_BYTES).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'REDACTION_FAILED', cause: expect.any(Error) as Error });
    expect(String((refused as Error).message)).not.toMatch(/red\b/);
    // The words of a failure are withheld as well.
    const failed = await call.failure(failure('UPSTREAM_INVALID', 'red 3', 'red 4'));
    expect(failed.code).toBe('REDACTION_FAILED');
    expect(JSON.stringify(failed)).not.toMatch(/red \d/);
    expect(faults).toHaveLength(1);
  });

  it('reads the words of a failure, and leaves its own alone', async () => {
    const redactor = new WordRedactor();
    const call = redactionOf(redactor).of('crm.read', signal)!;
    expect(await call.failure(failure('UPSTREAM_INVALID', 'a red1 word', 'no red2'))).toEqual(
      failure('UPSTREAM_INVALID', 'a [gone] word', 'no [gone]'),
    );
    const refused = {
      ...failure('INVALID_ARGUMENTS', 'Refused.'),
      content: [{ type: 'text' as const, text: 'not red3' }],
    };
    expect(await call.failure(refused)).toEqual({ ...refused, content: [{ type: 'text', text: 'not [gone]' }] });
    const own = failure('REDACTION_FAILED', 'red');
    expect(await call.failure(own)).toBe(own);
    expect(redactor.asked).toHaveLength(2);
  });

  it('ends with the call', async () => {
    const caller = new AbortController();
    const seen: AbortSignal[] = [];
    const endless: ResultRedactor = {
      redact: (_, call) => {
        seen.push(call.signal);
        caller.abort();
        return new Promise(() => undefined);
      },
    };
    const call = redactionOf(endless).of('crm.read', caller.signal)!;
    await expect(call.output(boundOutput({ content: [text('a')] }, MAX_BYTES), MAX_BYTES)).rejects.toThrow('withheld');
    expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
