import { NotFoundException } from '@nestjs/common';
import { RequestContexts } from './request-contexts.js';
import { requestOf } from './request-link.js';

describe('the context of a request', () => {
  const incoming = () => {
    const request = { headers: {} };
    return { key: request, request };
  };

  it('is asked of the option with request and execution, and linked to the request', async () => {
    const execution = {} as never;
    const asked = jest.fn(() => ({ tenantId: 'acme' }));
    const one = incoming();
    const context = await new RequestContexts(asked, { error: jest.fn() }).of(one, execution);
    expect(asked).toHaveBeenCalledWith(one.request, execution);
    expect(requestOf(context)).toBe(one.request);
  });

  it('that fails is in the log with its cause, at most 21 lines a minute, and a refusal is not', async () => {
    const error = jest.fn<void, [string]>();
    const down = new RequestContexts(() => Promise.reject(new Error('connection refused')), { error });
    for (let times = 0; times < 100; times++) {
      await expect(down.of(incoming())).rejects.toMatchObject({ code: 'CONTEXT_UNAVAILABLE' });
    }
    expect(error).toHaveBeenCalledTimes(21);
    expect(error.mock.calls[0]![0]).toContain('connection refused');
    expect(error.mock.calls[20]![0]).toContain('no more lines for a minute');
    const refusing = new RequestContexts(() => Promise.reject(new NotFoundException()), { error });
    await expect(refusing.of(incoming())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(error).toHaveBeenCalledTimes(21);
  });
});
