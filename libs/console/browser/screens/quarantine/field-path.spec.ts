import { fieldPath } from './field-path.js';

it.each([
  ['/tool/inputSchema/properties/amount', 'inputSchema → properties → amount'],
  ['/tool/description', 'description'],
  ['/operation/summary', 'operation → summary'],
  ['/tool', 'tool'],
  ['/tool/inputSchema/properties/a~1b~0~01', 'inputSchema → properties → a/b~~1'],
  ['', 'the whole definition'],
])('the place %s is shown as %s', (pointer, shown) => {
  expect(fieldPath(pointer)).toBe(shown);
});
