import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { TimeSlicer } from '@tool-search/core/internal';
import { addItems } from './add-items.js';
import { ITEM_LISTS } from './exposed-items.js';

const templates = ITEM_LISTS[1];

const failing = (error: Error): AsyncIterable<readonly unknown[]> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
});

async function leftOutFor(error: Error): Promise<readonly unknown[]> {
  const leftOut: unknown[] = [];
  const listed = {
    leaveOut: (kind: string, reason: string) => void leftOut.push([kind, reason]),
    finish: () => [],
  };
  await addItems(templates, failing(error), listed as never, new TimeSlicer(5), 10);
  return leftOut;
}

describe('a list of context items', () => {
  it.each([404, 405, 500, 501])('that is answered with HTTP status %i is left out, with the reason', async (status) => {
    const error = new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'no', { status } as never);
    expect(await leftOutFor(error)).toEqual([
      ['resource_template', `the server answered resources/templates/list with HTTP status ${status}`],
    ]);
  });

  it('that is not answered in time is left out, and so is one whose connection breaks', async () => {
    expect(await leftOutFor(new SdkError(SdkErrorCode.RequestTimeout, 'late'))).toEqual([
      ['resource_template', 'the server did not answer resources/templates/list in time'],
    ]);
    expect(await leftOutFor(new SdkError(SdkErrorCode.ConnectionClosed, 'gone'))).toEqual([
      ['resource_template', 'the server ended the connection at resources/templates/list'],
    ]);
  });
});
