import { operatorRequest } from './operator-request.js';

const GIVEN = { actor: ' olga@acme ', reason: ' Too many refunds. ' };

describe('operatorRequest', () => {
  it('returns the common fields alone, without blanks around them', () => {
    expect(operatorRequest({ ...GIVEN, tool: 'crm.delete' } as never)).toEqual({
      actor: 'olga@acme',
      reason: 'Too many refunds.',
      idempotencyKey: '',
    });
    const whole = { ...GIVEN, expectedRevision: 0, idempotencyKey: 'once' };
    expect(operatorRequest(whole)).toMatchObject({ expectedRevision: 0, idempotencyKey: 'once' });
    expect(operatorRequest({ ...GIVEN, expectedRevision: undefined })).not.toHaveProperty('expectedRevision');
  });

  it.each<[object, string]>([
    [{ actor: undefined }, 'actor must be 1 to 513 visible characters.'],
    [{ actor: '' }, 'actor must be 1 to 513 visible characters.'],
    [{ actor: 'a'.repeat(514) }, 'actor must be 1 to 513 visible characters.'],
    [{ actor: ['olga'] }, 'actor must be 1 to 513 visible characters.'],
    [{ reason: 'a\nb' }, 'reason must be 1 to 1,000 visible characters in one line'],
    [{ reason: 'a'.repeat(1001) }, 'reason must be 1 to 1,000 visible characters in one line'],
    [{ idempotencyKey: 'a\u200b' }, 'the idempotency key must be 1 to 200 visible characters.'],
    [{ idempotencyKey: 5 }, 'the idempotency key must be 1 to 200 visible characters.'],
    [{ expectedRevision: -1 }, 'expectedRevision must be a whole number from 0.'],
    [{ expectedRevision: 1.5 }, 'expectedRevision must be a whole number from 0.'],
    [{ expectedRevision: 2 ** 53 }, 'expectedRevision must be a whole number from 0.'],
    [{ expectedRevision: '1' }, 'expectedRevision must be a whole number from 0.'],
  ])('refuses %j', (fault, said) => {
    expect(() => operatorRequest({ ...GIVEN, ...fault })).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        message: expect.stringContaining(`The request is not valid: ${said}`),
      }),
    );
  });
});
