#!/usr/bin/env node
const { runCommand } = require('../dist/index.js');

// A source that does not close must not keep the command alive; what was printed must be out before it ends.
void runCommand(process.argv.slice(2)).then((code) =>
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code))),
);
