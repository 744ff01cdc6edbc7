const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

/** Storages in use since the last suite of this process ended. */
const used = new Set();

for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...args) {
    used.add(this);
    return original.apply(this, args);
  };
}

/**
 * Ends every `AsyncLocalStorage` with the suite that used it; Jest itself uses one in each suite. Before Node.js 24,
 * every promise of the process carries all storages that were never disabled: after 60 suites, a promise costs 25
 * times as much.
 */
module.exports = class extends TestEnvironment {
  async teardown() {
    await super.teardown();
    for (const storage of used) storage.disable();
    used.clear();
  }
};
