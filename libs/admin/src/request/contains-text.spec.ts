import { containsText } from './contains-text.js';

it.each([
  ['', true],
  ['REFUND', true],
  ['deploy', true],
  ['refund deploy', false],
])('%j is found: %p', (words, isFound) => {
  expect(containsText(words, 'billing.refund_*', 'since the Deploy')).toBe(isFound);
});
