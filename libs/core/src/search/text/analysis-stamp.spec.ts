import { analysisStamp } from './analysis-stamp.js';

describe('analysisStamp', () => {
  it('is a short name for files', () => {
    expect(analysisStamp()).toMatch(/^[0-9a-f]{16}$/);
    expect(analysisStamp()).toBe(analysisStamp());
  });
});
