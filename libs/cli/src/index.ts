// Any new export here becomes public API. Named exports only.
export { type CommandOutput, runCommand } from './command.js';
