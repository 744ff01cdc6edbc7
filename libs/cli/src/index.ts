// Any new export here becomes public API. Named exports only.
export { runCommand } from './command.js';
