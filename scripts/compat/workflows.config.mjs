import { workflow } from '@workflow/vitest';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Compiles functions with 'use workflow' and 'use step', and runs them.
  plugins: [workflow()],
  test: { globals: true, include: ['src/**/*.spec.ts'], testTimeout: 120_000 },
});
