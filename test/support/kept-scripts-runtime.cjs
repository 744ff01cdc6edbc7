const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** What this process has compiled, by file. */
const kept = new Map();

/**
 * Compiles a module once for all suites of a process; each suite still runs it anew, in a context of its own. Jest
 * compiles every module in every suite: a fifth of the processor time of all tests.
 */
module.exports.default = class extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor } = this;
    const compile = executor.compile.bind(executor);
    const head = `(function (${executor.injectedModuleParameters.join(', ')}) {`;
    executor.compile = (source, filename) => {
      const context = executor.environment.getVmContext();
      if (context === null) return null;
      const text = `${head}${source}\n})`;
      let entry = kept.get(filename);
      if (entry?.text !== text) {
        try {
          // The first line of a file keeps its columns.
          entry = { text, script: new Script(text, { filename, columnOffset: -head.length }) };
        } catch {
          // Jest says more about a syntax error.
          return compile(source, filename);
        }
        kept.set(filename, entry);
      }
      return entry.script.runInContext(context);
    };
  }
};
module.exports.__esModule = true;
