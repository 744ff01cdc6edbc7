#!/usr/bin/env node
const { runCommand } = require('../dist/cli/command.js');

// A source that does not close must not keep the command alive.
void runCommand(process.argv.slice(2)).then((code) => process.exit(code));
