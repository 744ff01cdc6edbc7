// #region vitest
import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { globals: true, include: ['src/**/*.spec.ts'], testTimeout: 60_000 },
  // Vite's own compiler drops the types that Nest injects by.
  plugins: [swc.vite({ jsc: { transform: { legacyDecorator: true, decoratorMetadata: true } } })],
});
// #endregion vitest
